/** What is different from the last upload. Paths are below the project, sorted. */
export interface PackageChanges {
  /** When that was. */
  readonly since: Date;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}
