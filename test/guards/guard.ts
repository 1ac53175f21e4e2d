/** One guard of SECURITY.md: what it is made of, and the test that notices when it is gone. */
export interface Guard {
  /** What would no longer be so. */
  readonly claim: string;
  /** Below the repository. */
  readonly file: string;
  /** What stands there exactly once. */
  readonly replace: string;
  /** What stands there without the guard; it has to load. */
  readonly with: string;
  /** Below `test`: the file with the test that fails then. */
  readonly test: string;
  /** Words of the titles that are run; all tests of the file without it. */
  readonly grep?: string;
  /** Without the guard the test waits for what never comes: its time limit is how it fails. */
  readonly waits?: true;
}
