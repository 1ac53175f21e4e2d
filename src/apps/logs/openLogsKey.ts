/** Key in the workspace state: the logs that tabs show, so that a window that is loaded shows them again. */
export const OPEN_LOGS_KEY = 'openLogs';
