import type * as vscode from 'vscode';
import type { ProjectFinding } from '../../web-project/index.ts';

/** The place of a finding in a file. */
export interface FindingLocation {
  readonly uri: vscode.Uri;
  /** Zero-based range. Undefined for the whole file. */
  readonly range?: vscode.Range;
}

/** A finding of a check, in the window. */
export interface Finding extends Omit<ProjectFinding, 'location'> {
  readonly location?: FindingLocation | undefined;
}
