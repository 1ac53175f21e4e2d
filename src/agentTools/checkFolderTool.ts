import * as vscode from 'vscode';
import { findWebProjects } from '../projects/projectSearch.ts';
import { AgentTool } from './agentTool.ts';
import { checkReport } from './checkReport.ts';
import { folderOf, projectOf } from './folderInput.ts';
import { argumentsOf, textOf } from './toolInput.ts';

/** The tool `appBuild_check_folder`: the same check as *Check This Folder*. Reads only. */
export class CheckFolderTool extends AgentTool {
  protected get invocationMessage(): string {
    return vscode.l10n.t('Checking the folder');
  }

  protected async run(input: unknown, signal: AbortSignal): Promise<object> {
    const values = argumentsOf(input, '{"folder": "my-app"}');
    const [wantedFolder, wantedProject] = [textOf(values, 'folder'), textOf(values, 'project')];
    const folder = folderOf(wantedFolder);
    const { answers, checkLinkedFolder } = await this.dependencies.loadApps();
    const projects = await findWebProjects(folder.uri, signal, answers.pages);
    const project = projectOf(projects, wantedProject, [answers.chosen(folder.uri)]);
    return checkReport(await checkLinkedFolder(folder, project, signal), (text) => this.hideSecrets(text));
  }
}
