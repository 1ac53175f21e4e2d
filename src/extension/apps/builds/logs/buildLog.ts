import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { Failure, InvalidInputError, sentence } from '../../../../errors/index.ts';
import { label, type Redactor } from '../../../../service-client/index.ts';
import type { Connections, SignedInConnection } from '../../../auth/connection.ts';
import { getLocalServiceName, urlAt } from '../../../auth/localName.ts';
import { AppCalls } from '../../calls/appCalls.ts';
import { isGone, NotAnAppError } from '../../appErrors.ts';
import type { FolderApps } from '../../folderApps.ts';
import { isUnderWay, type App } from '../../model/app.ts';
import type { LogPart } from '../../model/build.ts';
import { toPlainText } from '../../../workbench/texts.ts';
import { LOG_SCHEME } from '../names.ts';
import { platformName } from '../../../../web-project/index.ts';

/** Creates the failure for a build without a log. The service may not keep logs, or may have deleted this one. */
function noBuildLog(title: string, platform: string, cause?: unknown): Failure {
  return new Failure('noBuildLog', {
    what: sentence('The service has no log for the build of “{0}” for {1}.', title, platformName(platform)),
    next: sentence('It might not keep logs, or not for long. Build again to see the log while the build runs.'),
    remedy: 'none',
    cause,
  });
}

/** The log of a build, which can be read in parts. */
export interface BuildLog {
  readonly connection: SignedInConnection;
  readonly app: App;
  readonly platform: string;
  /** Reads a part of the log. @param offset offset of the part. Undefined for the start. */
  readonly read: (offset: number | undefined) => Promise<LogPart>;
  readonly hideSecrets: (text: string) => string;
}

/**
 * Returns the log of an app's build, without reading it.
 *
 * @param signal cancels its requests.
 * @throws Failure if the build has no log.
 */
export function createBuildLog(
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
        // The service doesn't report whether the log is complete, so the state of the build decides. The next request reads the
        // text that was added in the meantime.
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

/** Returns the authority of a log's address: the service's host, or a name for the local service, whose port changes. */
function getAuthority({ service }: SignedInConnection): string {
  return getLocalServiceName(service) ?? service.url.host;
}

/** The query of a log's address: the app's path with its query, and the platform. */
const ADDRESS = z.tuple([z.string(), z.string()]);

/**
 * Returns the URI of the document that shows a build's log. The tab shows the last part of the path. A pattern in package.json matches the
 * path's folder.
 */
export function logUri({ url, title }: App, platform: string, connection: SignedInConnection): vscode.Uri {
  const { pathname, search } = new URL(url);
  const name = toPlainText(label(`${title} – ${platformName(platform)}`)).replaceAll('/', '∕');
  return vscode.Uri.from({
    scheme: LOG_SCHEME,
    authority: getAuthority(connection),
    path: `/Build Logs/${name}.log`,
    query: JSON.stringify([pathname + search, platform]),
  });
}

/** Parses a log's address. Returns undefined if it's invalid, because any extension can open a document at any address. */
function readAddress({ query }: vscode.Uri): z.infer<typeof ADDRESS> | undefined {
  try {
    return ADDRESS.parse(JSON.parse(query));
  } catch {
    return undefined;
  }
}

/** Dependencies for reading logs. */
export interface LogDependencies {
  readonly connections: Connections;
  readonly redactor: Redactor;
  readonly folders: FolderApps;
}

/**
 * Finds the log for a document.
 *
 * @param known the app, if it has just been loaded.
 * @param signal cancels the requests.
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
  if (getAuthority(connection) !== uri.authority) {
    throw new InvalidInputError(
      sentence('This log is from {0}, but you’re connected to another service.', uri.authority),
      sentence('Connect to that service, then refresh.'),
      'connect',
    );
  }
  const [path, platform] = address;
  const url = urlAt(connection.service.url.origin, path);
  const app = known ?? (await new AppCalls(connection.client).get(url, { signal }));
  return createBuildLog(app, platform, connection, redactor, signal);
}

/** Returns the project folders, and then the workspace folders, that are linked to an app in this window. */
export function getLogFolders(
  folders: FolderApps,
  appUrl: string,
  connection: Pick<SignedInConnection, 'service'>,
): readonly vscode.Uri[] {
  const linked = folders.all(connection).filter(({ app }) => app.url === appUrl);
  const projects = linked.map(({ folder, app }) => vscode.Uri.joinPath(folder.uri, app.project));
  return [...projects, ...linked.filter(({ app }) => app.project !== '').map(({ folder }) => folder.uri)];
}
