/** What Wine itself cannot do, and the tests that need it. */
export interface Reason {
  readonly reason: string;
  /** By file of test/unit: the beginnings of the full titles of tests that fail. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
}

export const leftOut: readonly Reason[] = [];
