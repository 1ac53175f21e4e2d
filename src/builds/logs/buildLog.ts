import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { Failure, InvalidInputError } from '../../api/errors/buildServiceError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { label } from '../../api/hypermedia/label.ts';
import type { Redactor } from '../../api/redaction.ts';
import type { Connections, SignedInConnection } from '../../auth/connection.ts';
import { localNameOf, urlAt } from '../../auth/localName.ts';
import { AppCalls } from '../../apps/calls/appCalls.ts';
import { isGone, NotAnAppError } from '../../apps/appErrors.ts';
import type { FolderApps } from '../../apps/folderApps.ts';
import { isUnderWay, type App, platformName } from '../../apps/model/app.ts';
import type { LogPart } from '../../apps/model/build.ts';
import { plainText } from '../../workbench/texts.ts';
import { LOG_SCHEME } from '../names.ts';

/** The service has no log of a build: it keeps none, or no longer. */
function noBuildLog(title: string, platform: string, cause?: unknown): Failure {
  return new Failure('noBuildLog', {
    what: sentence('The service has no log of the build of “{0}” for {1}.', title, platformName(platform)),
    next: sentence('It may keep no logs, or not for long. Build again to see one while it runs.'),
    remedy: 'none',
    cause,
  });
}

/** The log of an app's build, which is not read yet. */
export interface BuildLog {
  readonly connection: SignedInConnection;
  readonly app: App;
  readonly platform: string;
  /** Reads a part of the log. @param offset undefined for the start. */
  readonly read: (offset: number | undefined) => Promise<LogPart>;
  readonly hideSecrets: (text: string) => string;
}

/**
 * The log of an app's build.
 *
 * @param signal ends its requests.
 * @throws Failure where there is none
 */
export function logOf(
  app: App,
  platform: string,
  connection: SignedInConnection,
  redactor: Redactor,
  signal: AbortSignal,
): BuildLog {
  const calls = new AppCalls(connection.client);
  const url = app.builds.find((build) => build.platform === platform)?.logUrl;
  if (url === undefined) {
    throw noBuildLog(app.title, platform);
  }
  let isOver = app.builds.every(({ state }) => !isUnderWay(state));
  const read = async (offset: number | undefined): Promise<LogPart> => {
    try {
      const wasOver = isOver;
      const part = await calls.log(url, offset, { signal });
      if (part.completed === undefined && !wasOver) {
        // The service doesn't tell whether the log will grow: the state of the build does. The part that is
        // added until then is read with the next request.
        const { builds } = await calls.status(app, { signal });
        isOver = builds.every((build) => build.platform !== platform || !isUnderWay(build.state));
      }
      return { ...part, completed: part.completed ?? wasOver };
    } catch (error) {
      throw isGone(error) ? noBuildLog(app.title, platform, error) : error;
    }
  };
  return { connection, app, platform, read, hideSecrets: (text) => redactor.hideSecrets(text) };
}

/** Host of the service in the address of a log; the local service's port changes, so it goes by a name. */
function authorityOf({ service }: SignedInConnection): string {
  return localNameOf(service) ?? service.url.host;
}

/** Path and query of an app, and the platform: the query of a log's address. */
const ADDRESS = z.tuple([z.string(), z.string()]);

/** Address of the document with the log of an app's build. The tab is called by its last part; package.json knows the folder. */
export function logUri({ url, title }: App, platform: string, connection: SignedInConnection): vscode.Uri {
  const { pathname, search } = new URL(url);
  const name = plainText(label(`${title} – ${platformName(platform)}`)).replaceAll('/', '∕');
  return vscode.Uri.from({
    scheme: LOG_SCHEME,
    authority: authorityOf(connection),
    path: `/Build Logs/${name}.log`,
    query: JSON.stringify([pathname + search, platform]),
  });
}

/** Reads the address of a log. Any extension can open a document at any address: all others give undefined. */
function readAddress({ query }: vscode.Uri): z.infer<typeof ADDRESS> | undefined {
  try {
    return ADDRESS.parse(JSON.parse(query));
  } catch {
    return undefined;
  }
}

export interface LogDependencies {
  readonly connections: Connections;
  readonly redactor: Redactor;
  readonly folders: FolderApps;
}

/**
 * Finds the log that a document is to show.
 *
 * @param known the app, when it has just been loaded.
 * @param signal ends its requests.
 * @throws BuildServiceError
 */
export async function findLog(
  { connections, redactor }: LogDependencies,
  uri: vscode.Uri,
  known: App | undefined,
  signal: AbortSignal,
): Promise<BuildLog> {
  const address = readAddress(uri);
  if (address === undefined) {
    throw new NotAnAppError(uri.path);
  }
  const connection = await connections.requireSignedIn();
  if (authorityOf(connection) !== uri.authority) {
    throw new InvalidInputError(
      sentence('This log is of {0}, and another service is in use.', uri.authority),
      sentence('Connect to that service, then refresh.'),
      'connect',
    );
  }
  const [path, platform] = address;
  const url = urlAt(connection.service.url.origin, path);
  const app = known ?? (await new AppCalls(connection.client).get(url, { signal }));
  return logOf(app, platform, connection, redactor, signal);
}

/** The folders of this window that are built as an app: their projects first. */
export function foldersOf(
  folders: FolderApps,
  appUrl: string,
  connection: Pick<SignedInConnection, 'service'>,
): readonly vscode.Uri[] {
  const linked = folders.all(connection).filter(({ app }) => app.url === appUrl);
  const projects = linked.map(({ folder, app }) => vscode.Uri.joinPath(folder.uri, app.project));
  return [...projects, ...linked.filter(({ app }) => app.project !== '').map(({ folder }) => folder.uri)];
}
