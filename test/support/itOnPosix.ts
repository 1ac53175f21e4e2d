/**
 * `it` for what Windows has not, or not for everybody: links, pipes, permissions, limits of a process, scripts as programs. It asks for the
 * global when it's called: mocha has another one for each file, and this module stays loaded.
 */
export function itOnPosix(title: string, test: Mocha.Func | Mocha.AsyncFunc): void {
  if (process.platform !== 'win32') {
    it(title, test);
  }
}
