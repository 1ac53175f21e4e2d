import * as vscode from 'vscode';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import type { Apps } from '../../apps/apps.ts';
import { isUnderWay } from '../../apps/model/app.ts';
import { findOperation } from '../../apps/model/operation.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../../workbench/progress.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { appSubjectOf } from '../wizard/appSubject.ts';
import { listText } from '../../workbench/values.ts';

export interface CancelBuildDependencies extends Pick<CommandDependencies, 'connections' | 'input' | 'notifications'> {
  readonly apps: Apps;
}

/**
 * Ends what is being built of an app, or of one platform, where the service can. Where it cannot, says so, and offers to stop
 * watching.
 *
 * @param argument a row of an app or a platform, an address, or `{app, platform}`.
 * @throws InvalidInputError when nothing is being built; BuildServiceError
 */
export async function cancelBuild(dependencies: CancelBuildDependencies, argument: unknown): Promise<void> {
  const { connections, apps, input, notifications } = dependencies;
  const connection = await connections.requireSignedIn();
  const title = vscode.l10n.t('Cancel Build');
  const subject = await appSubjectOf(argument, { apps, connection, input, title });
  if (subject === undefined) {
    return;
  }
  const { app, platform: named } = subject;
  const underWay = app.builds
    .filter(({ platform, state }) => isUnderWay(state) && (named === undefined || platform === named))
    .map(({ platform }) => platform);
  if (underWay.length === 0) {
    throw new InvalidInputError(sentence('Nothing of “{0}” is being built.', app.title), undefined, 'refresh');
  }
  const cancellable = underWay.filter(
    (platform) => findOperation(app.resource, 'cancel', platform, app.url) !== undefined,
  );
  if (cancellable.length === 0) {
    const isWatched = apps.watcher.of(app.url) !== undefined;
    const stop = { title: vscode.l10n.t('Stop Watching'), run: () => apps.watcher.stop(app.url) };
    notifications.information(
      vscode.l10n.t('The service cannot cancel the build of “{0}”: it goes on until it ends.', app.title),
      ...(isWatched ? [stop] : []),
    );
    return;
  }
  await withProgress(
    { notification: vscode.l10n.t('Cancelling the build of “{0}”', app.title), delayMs: CALL_PROGRESS_DELAY_MS },
    async (signal) => {
      let latest = app;
      for (const platform of cancellable) {
        latest = await apps.callsOf(connection).cancel(latest, platform, { signal });
      }
    },
  );
  apps.presenter.changed(app.url);
  notifications.done(vscode.l10n.t('The build of “{0}” for {1} is cancelled.', app.title, listText(cancellable)));
}
