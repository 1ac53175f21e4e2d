import * as vscode from 'vscode';
import { BuildServiceError, InvalidInputError } from '../../api/errors/buildServiceError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { label } from '../../api/hypermedia/label.ts';
import type { Redactor } from '../../api/redaction.ts';
import type { Connections, SignedInConnection } from '../../auth/connection.ts';
import { localNameOf, urlAt } from '../../auth/localName.ts';
import type { Service } from '../../auth/serviceSelection.ts';
import { AppCalls } from '../../apps/calls/appCalls.ts';
import { isGone } from '../../apps/appErrors.ts';
import { isUnderWay, type App } from '../../apps/model/app.ts';
import { plainText } from '../../workbench/texts.ts';
import { LOG_SCHEME } from '../names.ts';
import type { HideSecrets, ReadLog } from './followLog.ts';

/** The service has no log of a build: it keeps none, or no longer. */
export class NoBuildLogError extends BuildServiceError {
  readonly kind = 'noBuildLog';

  constructor(title: string, platform: string, cause?: unknown) {
    super({
      what: sentence('The service has no log of the build of “{0}” for {1}.', title, platform),
      next: sentence('It may keep no logs, or not for long. Build again to see one while it runs.'),
      remedy: 'none',
      cause,
    });
  }
}

/** The address of a log. */
interface LogAddress {
  /** Host of the service; the local service's port changes, so it goes by a name. */
  readonly authority: string;
  /** Of the app at the service, with its query. */
  readonly path: string;
  readonly platform: string;
}

/** The host that addresses of logs of a service have. */
export function authorityOf(service: Pick<Service, 'local' | 'demo' | 'url'>): string {
  return localNameOf(service) ?? service.url.host;
}

export function addressOfLog(
  { url }: Pick<App, 'url'>,
  platform: string,
  service: Pick<Service, 'local' | 'demo' | 'url'>,
): LogAddress {
  const { pathname, search } = new URL(url);
  return { authority: authorityOf(service), path: pathname + search, platform };
}

/** Address of the document with the log of an app's build. The tab is called by its last part; package.json knows the folder. */
export function logUri(
  { url, title }: Pick<App, 'url' | 'title'>,
  platform: string,
  service: Pick<Service, 'local' | 'demo' | 'url'>,
): vscode.Uri {
  const { authority, path } = addressOfLog({ url }, platform, service);
  const name = plainText(label(`${title} – ${platform}`)).replaceAll('/', '∕');
  return vscode.Uri.from({
    scheme: LOG_SCHEME,
    authority,
    path: `/Build Logs/${name}.log`,
    query: JSON.stringify([path, platform]),
  });
}

/** The address of the log in a document; undefined for a document that was not made here. */
export function logAddress({ authority, query }: vscode.Uri): LogAddress | undefined {
  try {
    const parts: unknown = JSON.parse(query);
    if (Array.isArray(parts) && parts.length === 2 && parts.every((part) => typeof part === 'string')) {
      const [path = '', platform = ''] = parts;
      return { authority, path, platform };
    }
  } catch {
    // Any extension can open a document of any address.
  }
  return undefined;
}

export interface LogSourceDependencies {
  readonly connections: Connections;
  readonly redactor: Redactor;
}

/** A log that was found. */
export interface LogSource {
  readonly connection: SignedInConnection;
  readonly app: App;
  readonly read: ReadLog;
  readonly hideSecrets: HideSecrets;
}

/**
 * Finds the log of an app's build, which is not read yet.
 *
 * @param known the app, when it has just been loaded.
 * @param signal ends the requests of {@link LogSource.read}, too.
 * @throws BuildServiceError
 */
export async function findLog(
  { connections, redactor }: LogSourceDependencies,
  address: LogAddress,
  known: App | undefined,
  signal: AbortSignal,
): Promise<LogSource> {
  const connection = await connections.requireSignedIn();
  if (authorityOf(connection.service) !== address.authority) {
    throw new InvalidInputError(
      sentence('This log is of {0}, and another service is in use.', address.authority),
      sentence('Connect to that service, then refresh.'),
      'connect',
    );
  }
  const calls = new AppCalls(connection.client);
  const app = known ?? (await calls.get(urlAt(connection.service.url.origin, address.path), { signal }));
  const { platform } = address;
  const url = app.builds.find((build) => build.platform === platform)?.logUrl;
  if (url === undefined) {
    throw new NoBuildLogError(app.title, platform);
  }
  let isOver = app.builds.every(({ state }) => !isUnderWay(state));
  const read: ReadLog = async (offset) => {
    try {
      const wasOver = isOver;
      const part = await calls.log(url, offset, { signal });
      if (part.completed === undefined && !wasOver) {
        // The service does not say whether something will be added: the state of the build does. The part that is
        // added until then is read with the next request.
        const { builds } = await calls.status(app, { signal });
        isOver = builds.every((build) => build.platform !== platform || !isUnderWay(build.state));
      }
      return { ...part, completed: part.completed ?? wasOver };
    } catch (error) {
      throw isGone(error) ? new NoBuildLogError(app.title, platform, error) : error;
    }
  };
  return { connection, app, read, hideSecrets: (text) => redactor.hideSecrets(text) };
}
