/**
 * `it` for features that Windows doesn't have, or not for every user: links, pipes, permissions, process limits, scripts as programs. It
 * reads the global `it` when it's called, because mocha creates a new one for each file and this module stays loaded.
 */
export function itOnPosix(title: string, test: Mocha.Func | Mocha.AsyncFunc): void {
  if (process.platform !== 'win32') {
    it(title, test);
  }
}
