import * as vscode from 'vscode';
import type { Apps } from '../apps/apps.ts';
import type { SigningKey } from '../apps/model/signingKey.ts';
import { expiryText } from '../apps/rows/keyTexts.ts';
import { ResourceNode } from '../resources/tree/resourceNode.ts';
import type { TreeNode } from '../resources/tree/treeNode.ts';
import { UserNode } from '../resources/tree/userNode.ts';
import type { PickItem } from '../workbench/input.ts';
import { listText } from '../workbench/values.ts';
import type { CommandDependencies } from './dependencies.ts';

export interface ShowExpiringKeysDependencies extends Pick<CommandDependencies, 'input' | 'notifications'> {
  readonly apps: Pick<Apps, 'keyExpiry'>;
  readonly tree: Pick<CommandDependencies['tree'], 'getChildren' | 'reveal'>;
}

interface Action extends PickItem {
  readonly run: () => unknown;
}

/**
 * Lists the keys of the window's apps that expire within a week, and what can be done about one.
 *
 * @param addKey asks for a key of a platform.
 */
export async function showExpiringKeys(
  { apps, input, notifications, tree }: ShowExpiringKeysDependencies,
  addKey: (platform: string) => unknown,
): Promise<void> {
  const { keyExpiry } = apps;
  await keyExpiry.settled();
  if (keyExpiry.all.length === 0) {
    notifications.information(vscode.l10n.t('No signing key of an app of this window expires within a week.'));
    return;
  }
  const now = new Date();
  const items = keyExpiry.all.map((expiring) => ({
    icon: 'key',
    label: expiring.key.title,
    description: vscode.l10n.t('{0}, {1}', expiring.key.platform, expiryText(expiring.expiresAt, now)),
    detail: vscode.l10n.t('Used for {0}', listText(expiring.apps)),
    expiring,
  }));
  const title = vscode.l10n.t('Signing Keys That Expire');
  const chosen = await input.pick(items, { title, placeholder: vscode.l10n.t('Which signing key?') });
  await keyExpiry.seen();
  if (chosen === undefined) {
    return;
  }
  const { key, apps: titles } = chosen.expiring;
  const actions: readonly Action[] = [
    {
      icon: 'add',
      label: vscode.l10n.t('Add Signing Key…'),
      detail: vscode.l10n.t('Use it by default, or choose it when you next build {0}.', listText(titles)),
      run: () => addKey(key.platform),
    },
    {
      icon: 'list-tree',
      label: vscode.l10n.t('Show in the Resources View'),
      run: () => revealKey(tree, key),
    },
  ];
  const action = await input.pick(actions, { title: key.title, placeholder: chosen.description });
  await action?.run();
}

/** Selects the row of a key. Its list may not have been loaded. */
async function revealKey(tree: ShowExpiringKeysDependencies['tree'], { url, platform }: SigningKey): Promise<void> {
  let row: TreeNode | undefined = (await tree.getChildren()).find((node) => node instanceof UserNode);
  for (const relation of ['keys', platform]) {
    const children: readonly TreeNode[] = row === undefined ? [] : await tree.getChildren(row);
    row = children.find((node) => node instanceof ResourceNode && node.relation === relation);
  }
  if (row !== undefined) {
    await tree.getChildren(row);
  }
  await tree.reveal(url);
}
