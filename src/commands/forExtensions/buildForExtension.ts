import * as vscode from 'vscode';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { OperationNotOfferedError } from '../../apps/appErrors.ts';
import type { Apps } from '../../builds/apps.ts';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import { KeyCalls } from '../../apps/calls/keyCalls.ts';
import type { App } from '../../apps/model/app.ts';
import { isOwn, usedKeys } from '../../apps/model/signingKey.ts';
import { findOperation } from '../../apps/model/operation.ts';
import { startBuild } from '../../builds/startBuild.ts';
import { watchedBuilds } from '../../builds/watching/buildProgress.ts';
import { listText } from '../../workbench/values.ts';
import type { CommandDependencies } from '../dependencies.ts';
import type { BuildArgument } from './callArguments.ts';
import { startedBuild, type StartedBuild } from './callResults.ts';
import { appNamed } from '../wizard/appSubject.ts';
import { optional } from '../buildApp.ts';

export interface BuildForExtensionDependencies extends Pick<CommandDependencies, 'connections' | 'notifications'> {
  readonly apps: Apps;
}

/**
 * Builds an app with the keys that it has, and watches it as any other build. Asks nobody anything: what is not known is an
 * error. The person sees the build in the status bar, on the app's row, and when it ends.
 *
 * @throws BuildServiceError
 */
export async function buildForExtension(
  { connections, apps, notifications }: BuildForExtensionDependencies,
  { app: name, platforms: wanted }: BuildArgument,
): Promise<StartedBuild> {
  const connection = await connections.requireSignedIn();
  const calls = apps.callsOf(connection);
  const app = await appNamed(name, { calls, client: connection.client });
  if (findOperation(app.resource, 'build', undefined, app.url) === undefined) {
    throw new OperationNotOfferedError(app.title);
  }
  await refuseLockedKeys(calls, app, wanted);
  const { app: answer, platforms } = await startBuild(apps, calls, app, wanted);
  notifications.done(vscode.l10n.t('“{0}” is being built for {1}.', app.title, listText(platforms)));
  return startedBuild(app, watchedBuilds(platforms, answer.builds));
}

/** The service could not sign with a locked key, and its password is the person's to give. */
async function refuseLockedKeys(calls: AppCalls, app: App, platforms: readonly string[] | undefined): Promise<void> {
  const keys = isOwn(app) ? await optional(new KeyCalls(calls).list()) : undefined;
  for (const [platform, { title, locked }] of usedKeys(app, keys ?? [])) {
    if (locked === true && (platforms === undefined || platforms.includes(platform))) {
      throw new InvalidInputError(
        sentence('The signing key “{0}” for {1} is locked.', title, platform),
        sentence('Unlock it in the Resources view, then build again.'),
      );
    }
  }
}
