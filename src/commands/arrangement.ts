import * as vscode from 'vscode';
import type { Order } from '../resources/tree/arrangement.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';

type ArrangementDependencies = Pick<CommandDependencies, 'input' | 'redactor' | 'tree'>;

/** Commands about which rows the Resources view shows, and in which order. */
export function arrangementCommands(dependencies: ArrangementDependencies) {
  const { tree } = dependencies;
  return {
    'appBuild.filterResources': () => filterResources(dependencies),
    'appBuild.clearFilter': async () => (await tree.arrangements()).keep({ filter: '' }),
    'appBuild.sortResources': () => sortResources(dependencies),
  } satisfies Handlers;
}

/** Hides rows while a person types. Enter keeps the filter and opens what it finds; Escape brings the one before back. */
async function filterResources({ input, redactor, tree }: ArrangementDependencies): Promise<void> {
  const arrangements = await tree.arrangements();
  const before = arrangements.current;
  // A link that is pasted may hold a token, and the filter is kept.
  const filterOf = (text: string) => ({ filter: redactor.redact(text) });
  try {
    const answer = await input.askText({
      title: vscode.l10n.t('Filter Resources'),
      prompt: vscode.l10n.t('Shows rows that have all of these words: of a title, a platform, a state or a name.'),
      placeholder: vscode.l10n.t('shop android failed'),
      value: before.filter,
      changed: (text) => arrangements.show(filterOf(text)),
    });
    await arrangements.keep(answer === 'back' ? before : filterOf(answer.text));
  } catch (error) {
    arrangements.show(before);
    throw error;
  }
  await tree.openFound();
}

async function sortResources({ input, tree }: ArrangementDependencies): Promise<void> {
  const arrangements = await tree.arrangements();
  const { order: current } = arrangements.current;
  const items = orders().map(({ order, label, note }) => {
    const notes = [order === current ? vscode.l10n.t('current') : undefined, note];
    const description = notes.filter((each) => each !== undefined).join(' · ');
    return { order, label, description, icon: order === current ? 'check' : 'blank' };
  });
  const answer = await input.askChoice({
    title: vscode.l10n.t('Sort Resources'),
    placeholder: vscode.l10n.t('The order of apps, and of other lists'),
    items,
    active: items.find(({ order }) => order === current),
  });
  if (answer !== 'back') {
    await arrangements.keep({ order: answer.item.order });
  }
}

function orders(): readonly { readonly order: Order; readonly label: string; readonly note?: string }[] {
  return [
    { order: 'service', label: vscode.l10n.t('As the Service Lists Them') },
    { order: 'title', label: vscode.l10n.t('By Title') },
    { order: 'updated', label: vscode.l10n.t('By Last Build or Change'), note: vscode.l10n.t('the latest first') },
    {
      order: 'state',
      label: vscode.l10n.t('By State'),
      note: vscode.l10n.t('what is being built first, then what failed'),
    },
  ];
}
