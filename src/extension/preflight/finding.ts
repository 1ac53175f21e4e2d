import type * as vscode from 'vscode';
import type { FindingVerdict, ProjectFinding } from '../../web-project/index.ts';

/** The verdicts, worst first. */
export const VERDICTS: readonly FindingVerdict[] = ['fails', 'mayFail', 'fine'];

/** Location of a finding in a file. */
export interface FindingLocation {
  readonly uri: vscode.Uri;
  /** Zero-based range. Undefined for the whole file. */
  readonly range?: vscode.Range;
}

/** A finding of a check, with its location in this window. */
export interface Finding extends Omit<ProjectFinding, 'location'> {
  readonly location?: FindingLocation | undefined;
}
