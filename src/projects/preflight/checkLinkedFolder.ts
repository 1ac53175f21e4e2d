import type * as vscode from 'vscode';
import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import type { Connections, SignedInConnection } from '../../auth/connection.ts';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import type { FolderApps } from '../../apps/folderApps.ts';
import { isGone } from '../../apps/appErrors.ts';
import type { App } from '../../apps/model/app.ts';
import type { WebProject } from '../projectSearch.ts';
import type { Finding } from './finding.ts';
import type { CheckedApp, CheckFolder, FolderCheck } from './folderCheck.ts';

/**
 * Checks a web project for the app that its folder is linked to, as far as somebody is signed in. Asks nobody anything. That
 * the app cannot be read is a finding.
 *
 * @throws CancelledError
 */
export type CheckLinkedFolder = (
  folder: vscode.WorkspaceFolder,
  project: WebProject,
  signal?: AbortSignal,
) => Promise<FolderCheck>;

export interface CheckLinkedFolderDependencies {
  readonly connections: Connections;
  readonly folders: FolderApps;
  readonly callsOf: (connection: SignedInConnection) => AppCalls;
  readonly checkFolder: CheckFolder;
}

/** Makes the function that checks linked folders. */
export function createCheckLinkedFolder(dependencies: CheckLinkedFolderDependencies): CheckLinkedFolder {
  return async (folder, project, signal) => {
    const { app, finding } = await linkedApp(dependencies, folder, signal);
    const check = await dependencies.checkFolder(folder, project, { app, signal });
    // It takes the place of what is said where nobody is signed in.
    const others = check.findings.filter(({ code }) => code !== finding?.code);
    return finding === undefined ? check : { ...check, findings: [...others, finding] };
  };
}

/** The app that a folder is built as; without a link, the one that a build would create. */
async function linkedApp(
  { connections, folders, callsOf }: CheckLinkedFolderDependencies,
  folder: vscode.WorkspaceFolder,
  signal: AbortSignal | undefined,
): Promise<{ readonly app?: CheckedApp; readonly finding?: Finding }> {
  const connection = await connections.current();
  if (connection.kind !== 'signedIn') {
    return {};
  }
  const link = folders.of(folder.uri, connection);
  if (link === undefined) {
    return { app: { connection, app: undefined } };
  }
  try {
    const app: App = await callsOf(connection).get(link.url, { ...(signal && { signal }) });
    return { app: { connection, app } };
  } catch (error) {
    if (!(error instanceof BuildServiceError) || error instanceof CancelledError) {
      throw error;
    }
    return { finding: isGone(error) ? goneFinding(link.title) : unreadFinding(link.title) };
  }
}

function goneFinding(title: string): Finding {
  return {
    code: 'service',
    verdict: 'mayFail',
    message: sentence('The app “{0}”, which the folder is built as, is gone.', title),
    said: [title],
    next: sentence('The next build asks which app the folder is built as.'),
  };
}

function unreadFinding(title: string): Finding {
  return {
    code: 'service',
    verdict: 'mayFail',
    message: sentence('The app “{0}” could not be read, so its keys and platforms were not checked.', title),
    said: [title],
    next: sentence('Check your connection to the service, then check again.'),
  };
}
