/**
 * A failure as another extension gets it. `message` is the sentence that a person would read, without secrets; VS Code shows
 * it when a keybinding was the caller. In another extension host it is all that arrives.
 */
export class CallError extends Error {
  /** What kind of failure it is, such as `notSignedIn`, `invalidInput` or `network`. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.name = 'AppBuildError';
    this.code = code;
  }
}
