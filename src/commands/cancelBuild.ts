import * as vscode from 'vscode';
import { InvalidInputError } from '../api/errors/invalidInputError.ts';
import { sentence } from '../api/errors/sentence.ts';
import type { Apps } from '../builds/apps.ts';
import type { AppCalls } from '../apps/calls/appCalls.ts';
import { isUnderWay, type App } from '../apps/model/app.ts';
import { findOperation } from '../apps/model/operation.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../workbench/progress.ts';
import { listText } from '../workbench/values.ts';
import type { CommandDependencies } from './dependencies.ts';
import { appSubjectOf } from './wizard/appSubject.ts';
import { AppNode } from '../apps/rows/appNode.ts';
import { PlatformNode } from '../builds/rows/platformNode.ts';
import type { TreeNode } from '../resources/tree/treeNode.ts';
import { type SelectedRows, runEach, tellNothingToDo, tellOutcome } from './severalRows.ts';

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
  const { underWay, cancellable } = buildsUnderWay(app, named);
  if (underWay.length === 0) {
    throw nothingIsBuilt(app);
  }
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
    (signal) => cancelAll(apps.callsOf(connection), app, cancellable, signal),
  );
  apps.presenter.changed(app.url);
  notifications.done(vscode.l10n.t('The build of “{0}” for {1} is cancelled.', app.title, listText(cancellable)));
}

/**
 * Ends what is being built of an app.
 *
 * @param platform the only one that is ended; all when undefined.
 * @throws InvalidInputError when nothing is being built, or the service cannot cancel it; BuildServiceError
 */
export async function cancelBuildsOf(
  calls: AppCalls,
  app: App,
  platform: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { underWay, cancellable } = buildsUnderWay(app, platform);
  if (underWay.length === 0) {
    throw nothingIsBuilt(app);
  }
  if (cancellable.length === 0) {
    throw new InvalidInputError(
      sentence('The service cannot cancel the build of “{0}”: it goes on until it ends.', app.title),
    );
  }
  await cancelAll(calls, app, cancellable, signal);
}

/** The platforms of an app that are being built, and those of them whose builds can be cancelled. */
function buildsUnderWay(
  app: App,
  named: string | undefined,
): { readonly underWay: readonly string[]; readonly cancellable: readonly string[] } {
  const underWay = app.builds
    .filter(({ platform, state }) => isUnderWay(state) && (named === undefined || platform === named))
    .map(({ platform }) => platform);
  const cancellable = underWay.filter(
    (platform) => findOperation(app.resource, 'cancel', platform, app.url) !== undefined,
  );
  return { underWay, cancellable };
}

async function cancelAll(calls: AppCalls, app: App, platforms: readonly string[], signal: AbortSignal): Promise<void> {
  let latest = app;
  for (const platform of platforms) {
    latest = await calls.cancel(latest, platform, { signal });
  }
}

function nothingIsBuilt({ title }: App): InvalidInputError {
  return new InvalidInputError(sentence('Nothing of “{0}” is being built.', title), undefined, 'refresh');
}

/** What is cancelled of an app: all that is being built when there are no platforms. */
interface Cancelled {
  readonly url: string;
  readonly title: string;
  readonly platform: string | undefined;
}

/**
 * Ends what is being built of the apps and platforms of some rows.
 *
 * @throws CancelledError; BuildServiceError
 */
export async function cancelBuilds(
  dependencies: CancelBuildDependencies & Pick<CommandDependencies, 'log'>,
  { rows, leftOut }: SelectedRows,
): Promise<void> {
  const { connections, apps } = dependencies;
  const connection = await connections.requireSignedIn();
  const calls = apps.callsOf(connection);
  const chosen = withoutRepeated(rows.flatMap(cancelledOf));
  if (chosen.length === 0) {
    tellNothingToDo(dependencies);
    return;
  }
  const tasks = chosen.map(({ url, title, platform }) => ({
    name: platform === undefined ? title : vscode.l10n.t('{0} for {1}', title, platform),
    run: async (signal: AbortSignal) => {
      await cancelBuildsOf(calls, await calls.get(url, { signal }), platform, signal);
      return url;
    },
  }));
  const outcome = await runEach(vscode.l10n.t('Cancelling builds'), tasks);
  for (const url of new Set(outcome.results)) {
    apps.presenter.changed(url);
  }
  const text = vscode.l10n.t('Builds cancelled: {0} of {1}.', outcome.results.length, outcome.total);
  tellOutcome(dependencies, outcome, { text, leftOut });
}

function cancelledOf(row: TreeNode): readonly Cancelled[] {
  if (row instanceof PlatformNode) {
    return [{ url: row.appUrl, title: row.value.appTitle, platform: row.platform }];
  }
  return row instanceof AppNode
    ? [{ url: row.url, title: row.app?.title ?? row.value.label, platform: undefined }]
    : [];
}

/** What an app as a whole ends is not ended again. */
function withoutRepeated(all: readonly Cancelled[]): readonly Cancelled[] {
  const whole = new Set(all.flatMap(({ url, platform }) => (platform === undefined ? [url] : [])));
  const each = all.filter(({ url, platform }) => platform === undefined || !whole.has(url));
  return [...new Map(each.map((one) => [JSON.stringify([one.url, one.platform]), one])).values()];
}
