import * as vscode from 'vscode';
import { AppNode } from '../../apps/rows/appNode.ts';
import { PlatformNode } from '../../builds/rows/platformNode.ts';
import type { TreeNode } from '../../resources/tree/treeNode.ts';
import { cancelBuildsOf, type CancelBuildDependencies } from '../build/cancelBuild.ts';
import type { CommandDependencies } from '../dependencies.ts';
import type { SelectedRows } from './selectedRows.ts';
import { runEach, tellNothingToDo, tellOutcome } from './severalTasks.ts';

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
