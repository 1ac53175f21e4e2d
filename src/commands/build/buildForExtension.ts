import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { NotAnAppError, OperationNotOfferedError } from '../../apps/appErrors.ts';
import type { Apps } from '../../apps/apps.ts';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import { KeyCalls } from '../../apps/calls/keyCalls.ts';
import type { App, PlatformBuild } from '../../apps/model/app.ts';
import { isOwn, usedKeys } from '../../apps/model/appKeys.ts';
import { findOperation } from '../../apps/model/operation.ts';
import { startedBuilds } from '../../apps/model/startedBuilds.ts';
import { watchedBuilds } from '../../apps/watching/buildProgress.ts';
import { listText } from '../../workbench/values.ts';
import type { CommandDependencies } from '../dependencies.ts';
import type { BuildArgument } from '../forExtensions/callArguments.ts';
import { startedBuild, type StartedBuild } from '../forExtensions/callResults.ts';
import { appNamed } from '../wizard/appSubject.ts';
import { optional } from './buildApp.ts';

export interface BuildForExtensionDependencies extends Pick<CommandDependencies, 'connections' | 'notifications'> {
  readonly apps: Apps;
}

/**
 * Builds an app with the keys that it has, and watches it as any other build. Asks nobody anything: what is not known is an
 * error. The person sees the build in the status bar, on the app's row, and when it ends.
 *
 * @throws BuildServiceError; CancelledError when the signal aborts. What the service builds by then goes on.
 */
export async function buildForExtension(
  { connections, apps, notifications }: BuildForExtensionDependencies,
  { app: name, platforms: wanted, wait }: Omit<BuildArgument, 'token'>,
  signal: AbortSignal,
): Promise<StartedBuild> {
  const connection = await connections.requireSignedIn();
  const calls = apps.callsOf(connection);
  const app = await appNamed(name, { calls, client: connection.client, signal });
  if (findOperation(app.resource, 'build', undefined, app.url) === undefined) {
    throw new OperationNotOfferedError(app.title);
  }
  await refuseLockedKeys(calls, app, wanted, signal);
  const requested = await calls.build(app, wanted, { signal });
  const platforms = wanted ?? startedBuilds(undefined, requested);
  apps.watcher.watch(requested, platforms);
  apps.presenter.changed(app.url);
  notifications.done(vscode.l10n.t('“{0}” is being built for {1}.', app.title, listText(platforms)));
  const builds =
    wait === undefined || wait === 0
      ? requested.builds
      : await buildsAtEnd(requested, { apps, connections, calls, signal, wait });
  return startedBuild(app, watchedBuilds(platforms, builds));
}

/** The service could not sign with a locked key, and its password is the person's to give. */
async function refuseLockedKeys(
  calls: AppCalls,
  app: App,
  platforms: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<void> {
  const keys = isOwn(app) ? await optional(new KeyCalls(calls).list(undefined, { signal })) : undefined;
  for (const [platform, { title, locked }] of usedKeys(app, keys ?? [])) {
    if (locked === true && (platforms === undefined || platforms.includes(platform))) {
      throw new InvalidInputError(
        sentence('The signing key “{0}” for {1} is locked.', title, platform),
        sentence('Unlock it in the Resources view, then build again.'),
      );
    }
  }
}

interface Waiting extends Pick<BuildForExtensionDependencies, 'apps' | 'connections'> {
  readonly calls: AppCalls;
  readonly signal: AbortSignal;
  /** Seconds. */
  readonly wait: number;
}

/** The builds of an app when they have ended, or when nobody watches or waits for them any more. */
async function buildsAtEnd(
  app: App,
  { apps, connections, calls, signal, wait }: Waiting,
): Promise<readonly PlatformBuild[]> {
  const timeout = AbortSignal.timeout(wait * 1000);
  const end = await apps.watcher.whenEnded(app.url, AbortSignal.any([signal, timeout])).catch((error: unknown) => {
    if (!(error instanceof CancelledError) || signal.aborted) {
      throw error;
    }
    return undefined;
  });
  switch (end?.kind) {
    case 'ended':
      return end.progress.builds;
    case 'gone':
      throw new NotAnAppError(new URL(app.url).pathname);
    case undefined:
      return apps.watcher.of(app.url)?.builds ?? app.builds;
    case 'signedOut':
      await connections.requireSignedIn();
      return app.builds;
    case 'stopped':
      return (await calls.get(app.url, { signal })).builds;
  }
}
