import type * as vscode from 'vscode';
import type { SignedInConnection } from '../../auth/connection.ts';
import type { App } from '../../apps/model/app.ts';
import type { PackagePlan } from '../packing/packageContents.ts';
import type { WebProject } from '../projectSearch.ts';
import type { Finding } from './finding.ts';

/** A folder, as it stands before an upload. */
export interface FolderCheck {
  readonly folder: vscode.WorkspaceFolder;
  readonly project: WebProject;
  /** What would be sent; undefined when nothing can be: a finding says why. */
  readonly plan: PackagePlan | undefined;
  /** Those that matter most first. */
  readonly findings: readonly Finding[];
  /** The platforms that would be built; absent when no service was asked. */
  readonly platforms?: readonly string[];
}

/** What the keys and the service are checked for; without it, only what is on this machine is. */
export interface CheckedApp {
  readonly connection: SignedInConnection;
  /** Undefined for an app that the upload creates. */
  readonly app: App | undefined;
  /** Those that will be built; the ones that the app has when absent. */
  readonly platforms?: readonly string[] | undefined;
}

export interface FolderCheckOptions {
  /** What was planned already. */
  readonly plan?: PackagePlan | undefined;
  readonly app?: CheckedApp | undefined;
  /** True for what is on the disk, though an editor may have changes that are not saved. */
  readonly onlySaved?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks a web project: its config.xml, what would be sent, and, for an app, its keys and what the service can build. What a
 * service does not answer is a finding, never a failure.
 *
 * @throws CancelledError
 */
export type CheckFolder = (
  folder: vscode.WorkspaceFolder,
  project: WebProject,
  options?: FolderCheckOptions,
) => Promise<FolderCheck>;
