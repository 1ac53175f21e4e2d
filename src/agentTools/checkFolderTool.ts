import * as vscode from 'vscode';
import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { plainText } from '../api/errors/sentence.ts';
import type { Redactor } from '../api/redaction.ts';
import type { Apps } from '../apps/apps.ts';
import { findWebProjects } from '../apps/packing/webProject.ts';
import { folderOfInput, projectOfInput, readCheckFolderInput } from './checkFolderInput.ts';
import { checkReport } from './checkReport.ts';
import { ToolError } from './toolError.ts';

/**
 * The tool `appBuild_check_folder`: the same check as *Check This Folder*, for an agent. Reads only; asks and signs in nobody.
 * What is wrong with a call is its answer: a sentence that says what to do next.
 */
export class CheckFolderTool implements vscode.LanguageModelTool<unknown> {
  readonly #loadApps: () => Promise<Pick<Apps, 'checkLinkedFolder'>>;
  readonly #redactor: Redactor;

  constructor(loadApps: () => Promise<Pick<Apps, 'checkLinkedFolder'>>, redactor: Redactor) {
    this.#loadApps = loadApps;
    this.#redactor = redactor;
  }

  async invoke(
    { input }: Pick<vscode.LanguageModelToolInvocationOptions<unknown>, 'input'>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const controller = new AbortController();
    const cancel = () => controller.abort();
    const cancellation = token.onCancellationRequested(cancel);
    if (token.isCancellationRequested) {
      cancel();
    }
    try {
      return answer(await this.#check(input, controller.signal));
    } catch (error) {
      if (error instanceof CancelledError) {
        throw new vscode.CancellationError();
      }
      if (error instanceof ToolError) {
        return answer(error.message);
      }
      if (error instanceof BuildServiceError) {
        const sentences = [error.what, error.next].filter((part) => part !== undefined).map(plainText);
        return answer(this.#redactor.redact(sentences.join(' ')));
      }
      throw error;
    } finally {
      cancellation.dispose();
    }
  }

  async #check(given: unknown, signal: AbortSignal): Promise<string> {
    const input = readCheckFolderInput(given);
    const folder = folderOfInput(input);
    const project = projectOfInput(input, await findWebProjects(folder.uri, signal));
    const { checkLinkedFolder } = await this.#loadApps();
    return checkReport(await checkLinkedFolder(folder, project, signal), (text) => this.#redactor.redact(text));
  }
}

function answer(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}
