import type * as vscode from 'vscode';
import type { App } from './model/app.ts';

/** A build of a folder that was asked for. */
export interface StartedBuild {
  readonly app: App;
  /** The platforms that are being built. */
  readonly platforms: readonly string[];
}

export interface BuildFolderOptions {
  /** Those that the app has, or the service proposes, when absent. */
  readonly platforms?: readonly string[];
  readonly signal?: AbortSignal;
  /** What is going on, for a notification or a terminal. */
  readonly report?: (text: string) => void;
}

/** From a folder to a build that is watched: finds the project, asks what is not known, packs, uploads, builds. */
export type BuildFolder = (
  folder: vscode.WorkspaceFolder,
  options?: BuildFolderOptions,
) => Promise<StartedBuild | undefined>;
