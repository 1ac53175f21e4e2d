import type * as vscode from 'vscode';
import type { WebProject } from './webProject.ts';

/** A file that goes into the package. */
export interface PlannedFile {
  /** Below the project, with `/`. */
  readonly path: string;
  readonly uri: vscode.Uri;
  readonly sizeBytes: number;
  /** Permissions, where the file system has them. */
  readonly mode: number | undefined;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** Why something stays behind. */
export type LeftOutReason =
  /** A rule of `.gitignore` or `.appbuildignore`. */
  | { readonly kind: 'ignored'; readonly file: string; readonly rule: string }
  /** Never part of an app: `.git`, `node_modules`, `platforms`, `plugins` … */
  | { readonly kind: 'notPartOfApp' }
  /** By its name a secret: `.env`, `*.keystore`, `*.p12` … */
  | { readonly kind: 'secret' }
  /** A link that leads out of the folder, or nowhere. */
  | { readonly kind: 'link' }
  /** Neither a file nor a folder. */
  | { readonly kind: 'special' };

export interface LeftOut {
  /** Below the project, with `/`; a folder ends in `/`. */
  readonly path: string;
  readonly reason: LeftOutReason;
}

/** What will be sent, before anything is packed. */
export interface PackagePlan {
  readonly project: WebProject;
  readonly files: readonly PlannedFile[];
  /** Sum of the files, before compression. */
  readonly totalBytes: number;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Reads the folder and decides what will be sent.
 *
 * @throws BuildServiceError when the folder cannot be read, is gone, or holds nothing to send; CancelledError
 */
export function planPackage(_project: WebProject, _signal?: AbortSignal): Promise<PackagePlan> {
  return Promise.reject(new Error('Not written yet.'));
}
