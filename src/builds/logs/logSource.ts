import type * as vscode from 'vscode';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { ServiceError } from '../../api/errors/serviceError.ts';
import type { Redactor } from '../../api/redaction.ts';
import type { Connections, SignedInConnection } from '../../auth/connection.ts';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import { isUnderWay, type App } from '../../apps/model/app.ts';
import { logUpdates, type LogUpdate, type ReadLog } from './followLog.ts';
import { appUrlAt, authorityOf, type LogAddress } from './logUri.ts';
import { NoBuildLogError } from './noBuildLogError.ts';

export interface LogSourceDependencies {
  readonly connections: Connections;
  readonly redactor: Redactor;
  readonly callsOf: (connection: SignedInConnection) => AppCalls;
}

/** Where the lines of a log come from. */
export interface LogSource {
  readonly connection: SignedInConnection;
  readonly app: App;
  readonly updates: AsyncGenerator<LogUpdate>;
}

/**
 * Finds the log of an app's build, which is not read yet.
 *
 * @param known the app, when it has just been loaded.
 * @param onDidChange fires when something of the build has changed.
 * @throws BuildServiceError
 */
export async function openLogSource(
  { connections, redactor, callsOf }: LogSourceDependencies,
  address: LogAddress,
  known: App | undefined,
  options: { readonly signal: AbortSignal; readonly onDidChange?: vscode.Event<unknown> },
): Promise<LogSource> {
  const { signal } = options;
  const connection = await connections.requireSignedIn();
  if (authorityOf(connection.service) !== address.authority) {
    throw new InvalidInputError(
      sentence('This log is of {0}, and another service is in use.', address.authority),
      sentence('Connect to that service, then refresh.'),
      'connect',
    );
  }
  const calls = callsOf(connection);
  const app = known ?? (await calls.get(appUrlAt(address, connection.service), { signal }));
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
        // The service does not say whether something will be added: the state of the build does. What the log grows by
        // until then is read with the next request.
        const { builds } = await calls.status(app, { signal });
        isOver = builds.every((build) => build.platform !== platform || !isUnderWay(build.state));
      }
      return { ...part, completed: part.completed ?? wasOver };
    } catch (error) {
      throw error instanceof ServiceError && (error.status === 404 || error.status === 410)
        ? new NoBuildLogError(app.title, platform, error)
        : error;
    }
  };
  const hideSecrets = (text: string) => redactor.hideSecretsInText(text);
  return { connection, app, updates: logUpdates(read, { ...options, hideSecrets }) };
}
