import * as vscode from 'vscode';
import { KeyCalls } from '../../apps/calls/keyCalls.ts';
import { KeyNode } from '../../apps/rows/keyNode.ts';
import type { CommandDependencies } from '../dependencies.ts';
import type { SelectedRows } from './selectedRows.ts';
import { nameList, runEach, tellNothingToDo, tellOutcome } from './severalTasks.ts';

type DeleteKeysDependencies = Pick<CommandDependencies, 'apps' | 'connections' | 'input' | 'log' | 'notifications'>;

/**
 * Deletes the signing keys of some rows, when the person agrees, and what is remembered of them on this machine.
 *
 * @throws CancelledError; BuildServiceError
 */
export async function deleteKeys(dependencies: DeleteKeysDependencies, { rows, leftOut }: SelectedRows): Promise<void> {
  const { connections, apps, input } = dependencies;
  const connection = await connections.requireSignedIn();
  // A key stands in the list of keys and below each app that is signed with it.
  const chosen = new Map(rows.flatMap((row) => (row instanceof KeyNode ? [[row.url, nameOf(row)]] : [])));
  if (chosen.size === 0) {
    tellNothingToDo(dependencies);
    return;
  }
  const question =
    chosen.size === 1
      ? vscode.l10n.t('Delete the signing key “{0}”?', [...chosen.values()].join(''))
      : vscode.l10n.t('Delete {0} signing keys?', chosen.size);
  const detail = [
    nameList([...chosen.values()]),
    vscode.l10n.t(
      'Apps that use them can no longer be built with them. The service does not give their files back: keep your own.',
    ),
  ];
  if (!(await input.confirm(question, detail.join('\n\n'), vscode.l10n.t('Delete')))) {
    return;
  }
  const calls = new KeyCalls(apps.callsOf(connection));
  const tasks = [...chosen].map(([url, name]) => ({
    name,
    run: async (signal: AbortSignal) => {
      const key = await calls.get(url);
      await calls.delete(key, { signal });
      await apps.keyFacts.forget(key.url);
      apps.keyExpiry.forget(key.url);
      await apps.keyPasswords.forget(key);
      return url;
    },
  }));
  const outcome = await runEach(vscode.l10n.t('Deleting signing keys'), tasks);
  apps.presenter.listsChanged();
  const text = vscode.l10n.t('Signing keys deleted: {0} of {1}.', outcome.results.length, outcome.total);
  tellOutcome(dependencies, outcome, { text, leftOut });
}

function nameOf({ signingKey, value }: KeyNode): string {
  return signingKey === undefined ? value.label : vscode.l10n.t('{0} for {1}', signingKey.title, signingKey.platform);
}
