/** Key in the global state: true while a build is watched, so that a window that is loaded goes on with it. */
export const WATCHED_KEY = 'watchedBuilds';
