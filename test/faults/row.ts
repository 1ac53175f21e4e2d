/** One measured line of the tables. */
export interface Row {
  readonly group: string;
  readonly name: string;
  readonly expected: string;
  readonly got: string;
  /** What a person reads. */
  readonly sentence?: string;
  readonly milliseconds?: number;
  /** Empty when everything is as it should be. */
  readonly problems: readonly string[];
}
