import * as vscode from 'vscode';
import { CancelledError } from '../../../errors/index.ts';
import type { FolderApps } from '../folderApps.ts';
import type { Connections } from '../../auth/connection.ts';
import { findWebProjects, type FoundProject, isBuiltByTool, stoppingFindings } from '../../../web-project/index.ts';
import type { SecretConsents } from '../../preflight/secretConsents.ts';
import { rememberedProject } from '../../preflight/chooseProject.ts';
import type { ProjectAnswers } from '../../preflight/projectAnswers.ts';
import type { Notifications } from '../../workbench/notifications.ts';
import { type BuildDecisions, MAX_UNASKED_BYTES } from './buildDecisions.ts';
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
 * Builds a folder when the user saves a file, if every build of its app is installed on a phone, so that the phone shows the saved page.
 * Ignores projects with a build step, because their saved files aren't the app's files.
 */
export function buildSavedChanges(dependencies: SavedChangesDependencies): vscode.Disposable {
  const { connections, folders, eachBuild, answers, consents, notifications, buildFolder } = dependencies;
  /** Folders with saved changes that no build includes yet. A build includes all changes saved before it starts. */
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
    const link = folders.get(folder.uri, connection);
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
      // Show no notifications, because the user is still editing.
      await buildFolder(folder, { onlySaved: true, decisions, report: () => undefined });
    }
  };
  return vscode.workspace.onDidSaveTextDocument((document) => {
    void notifications.run('Building a saved change', () => build(document));
  });
}

/** Reports whether a saved file is part of the app without being processed by a tool. */
function isSource({ uri, layout }: FoundProject, saved: vscode.Uri): boolean {
  return !isBuiltByTool(layout) && saved.path.startsWith(`${uri.path}/`);
}

/** Creates decisions that never ask. @param wait stops the build, and leaves the change for the user's next build. */
function unasked(consents: SecretConsents, wait: () => never): Omit<BuildDecisions, 'account' | 'project'> {
  const waitIf = (isQuestion: boolean): void => {
    if (isQuestion) {
      wait();
    }
  };
  return {
    pagesFolder: wait,
    writtenPages: wait,
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
