/** A package that breaks a rule of the format; the message names the rule. */
export class InvalidApkError extends Error {
  override readonly name = 'InvalidApkError';
}

/** @throws InvalidApkError with `rule`, unless the condition holds */
export function demand(condition: boolean, rule: string): asserts condition {
  if (!condition) {
    throw new InvalidApkError(rule);
  }
}

/** What `read` returns. @throws InvalidApkError with `rule` where a library that reads untrusted bytes throws anything */
export function readable<T>(read: () => T, rule: string): T {
  try {
    return read();
  } catch (error) {
    throw new InvalidApkError(rule, { cause: error });
  }
}
