/** Key in the workspace's state: from when (milliseconds since 1970) a window that is loaded looks at the keys of its apps. */
export const KEY_WARNING_KEY = 'keyWarningFrom';
