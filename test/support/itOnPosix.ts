/** `it` for what Windows has not, or not for everybody: links, pipes, permissions, limits of a process, scripts as programs. */
export const itOnPosix = process.platform === 'win32' ? () => undefined : it;
