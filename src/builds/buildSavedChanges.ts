import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import type { FolderApps } from '../apps/folderApps.ts';
import type { Connections } from '../auth/connection.ts';
import { isOfTool } from '../projects/layout.ts';
import { MAX_UNASKED_BYTES } from '../projects/limits.ts';
import type { SecretConsents } from '../projects/packing/secretConsents.ts';
import { stoppingFindings } from '../projects/preflight/finding.ts';
import { rememberedProject } from '../projects/chooseProject.ts';
import { findWebProjects, type FoundProject } from '../projects/projectSearch.ts';
import type { ProjectAnswers } from '../projects/projectAnswers.ts';
import type { Notifications } from '../workbench/notifications.ts';
import type { BuildDecisions } from './buildDecisions.ts';
import type { BuildFolder } from './buildFolder.ts';
import type { EachBuild } from './watching/eachBuild.ts';

interface SavedChangesDependencies {
  readonly connections: Connections;
  readonly folders: FolderApps;
  readonly eachBuild: Pick<EachBuild, 'includes'>;
  readonly answers: ProjectAnswers;
  readonly consents: SecretConsents;
  readonly notifications: Notifications;
  readonly buildFolder: BuildFolder;
}

/**
 * Builds a folder when one of its files is saved, while each build of its app is installed: the phone then shows the saved page.
 * Only for projects without a build step, whose saved files are those of the app.
 */
export function buildSavedChanges(dependencies: SavedChangesDependencies): vscode.Disposable {
  const { connections, folders, eachBuild, answers, consents, notifications, buildFolder } = dependencies;
  /** Folders with a change that waits for a build to begin. It gets all changes until then. */
  const changed = new Set<string>();

  const wait = (): never => {
    notifications.done(vscode.l10n.t('Run “Build App” to install this change.'));
    throw new CancelledError();
  };
  const build = async ({ uri }: vscode.TextDocument): Promise<void> => {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const connection = await connections.current();
    if (folder === undefined || connection.kind !== 'signedIn') {
      return;
    }
    const link = folders.of(folder.uri, connection);
    const key = folder.uri.toString();
    if (link === undefined || !eachBuild.includes(link.url)) {
      return;
    }
    const projects = await findWebProjects(folder.uri, undefined, answers.pages);
    const project = rememberedProject(projects, [link.project]);
    if (project !== undefined && isSource(project, uri) && !changed.has(key)) {
      if (project.layout.state.kind !== 'built') {
        wait();
      }
      changed.add(key);
      const decisions: BuildDecisions = {
        ...unasked(consents, wait),
        account: () => {
          changed.delete(key);
          return connection;
        },
        project: (_folder, found) => rememberedProject(found, [link.project]) ?? project,
      };
      // No notifications of its steps: the user goes on editing.
      await buildFolder(folder, { ofSave: true, decisions, report: () => undefined });
    }
  };
  return vscode.workspace.onDidSaveTextDocument((document) => {
    void notifications.run('Building a saved change', () => build(document));
  });
}

/** True for a saved file of the app, if no tool has to read it first. */
function isSource({ uri, layout }: FoundProject, saved: vscode.Uri): boolean {
  return !isOfTool(layout) && saved.path.startsWith(`${uri.path}/`);
}

/** Decisions without a question. @param wait leaves a change that needs one to the next build of the user */
function unasked(consents: SecretConsents, wait: () => never): Omit<BuildDecisions, 'account' | 'project'> {
  const waitIf = (isQuestion: boolean): void => {
    if (isQuestion) {
      wait();
    }
  };
  return {
    pagesFolder: wait,
    pages: wait,
    appId: wait,
    target: wait,
    saves: wait,
    files: (plan) => {
      waitIf(consents.open(plan).length > 0);
      return consents.sendable(plan);
    },
    check: (check, asked) => waitIf(stoppingFindings(check, asked).length > 0),
    size: ({ totalBytes }) => waitIf(totalBytes > MAX_UNASKED_BYTES),
  };
}
