/** The scheme of build logs in editors. A file of its own: activation needs nothing else of logs. */
export const LOG_SCHEME = 'app-build-log';
