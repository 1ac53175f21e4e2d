import * as vscode from 'vscode';
import { ExpandableNode, type NodeContent } from '../../resources/tree/expandableNode.ts';
import { LeafNode, limitedNode } from '../../resources/tree/leafNodes.ts';
import type { Presentation, TreeNode } from '../../resources/tree/treeNode.ts';
import { MAX_ROWS } from '../../workbench/limits.ts';
import type { App } from '../model/app.ts';
import { readCollaborators, type Collaborator } from '../model/collaborator.ts';
import { linkTo } from '../model/members.ts';
import { findOperation, type OperationName } from '../model/operation.ts';
import { contextValue } from './rowTexts.ts';

interface AppCollaborators {
  readonly appUrl: string;
  readonly url: string | undefined;
  readonly people: readonly Collaborator[];
  /** True if the account may add collaborators. */
  readonly canManage: boolean;
}

/** The collaborators of an app, with one child per collaborator. */
export class CollaboratorsNode extends ExpandableNode<AppCollaborators> {
  readonly relation = 'collaborators';

  get url(): string | undefined {
    return this.value.url;
  }

  get appUrl(): string {
    return this.value.appUrl;
  }

  /**
   * Creates the row for an app. Returns undefined if the app doesn't list its collaborators or has only one.
   *
   * @param options with `alone`, also creates the row for an app with a single collaborator.
   */
  static of(
    parent: ExpandableNode,
    { resource, url: appUrl }: App,
    { alone }: { readonly alone: boolean },
  ): CollaboratorsNode | undefined {
    const people = readCollaborators(resource);
    if (!resource.embedded.some(({ rel }) => rel === 'collaborators') || (people.length < 2 && !alone)) {
      return undefined;
    }
    const canManage = findOperation(resource, 'add-collaborator', undefined, appUrl) !== undefined;
    const value = { appUrl, url: linkTo(resource, 'collaborators'), people, canManage };
    return new CollaboratorsNode(parent, '=collaborators', value, parent.context);
  }

  present(): Presentation {
    const { people, canManage } = this.value;
    return {
      label: vscode.l10n.t('Collaborators'),
      description: String(people.length),
      tooltip: vscode.l10n.t('Users who work on the app'),
      accessibilityLabel:
        people.length === 1
          ? vscode.l10n.t('Collaborators: 1 person')
          : vscode.l10n.t('Collaborators: {0} people', people.length),
      icon: new vscode.ThemeIcon('organization'),
      collapsibleState: 'collapsed',
      contextValue: this.url === undefined ? 'group' : contextValue('collaborators', { add: canManage }),
    };
  }

  protected override followValue(): readonly TreeNode[] {
    return this.showContent(this.#content());
  }

  protected loadContent(): Promise<NodeContent> {
    return Promise.resolve(this.#content());
  }

  #content(): NodeContent {
    const { people, appUrl, canManage } = this.value;
    const nodes = people.map((person, index) =>
      collaboratorNode(this, `=${person.url ?? `${person.person} ${index}`}`, person, appUrl, canManage),
    );
    return {
      kind: 'nodes',
      nodes: people.length < MAX_ROWS ? nodes : [...nodes, limitedNode(this, MAX_ROWS)],
    };
  }
}

/** Creates the row for a collaborator. An invitation may have no address. */
function collaboratorNode(
  parent: TreeNode,
  key: string,
  { person, role, pending, url, resource }: Collaborator,
  appUrl: string,
  canManage: boolean,
): LeafNode {
  const notes = [role, pending ? vscode.l10n.t('invited') : ''].filter((note) => note !== '');
  const offers = (name: OperationName) => canManage && findOperation(resource, name, undefined, url) !== undefined;
  const flags = { role: offers('change-role'), remove: offers('remove-collaborator') };
  const shown = {
    label: person,
    description: notes.join(' · '),
    tooltip: [person, ...notes].join('\n'),
    icon: new vscode.ThemeIcon(pending ? 'person-add' : 'person'),
    contextValue: url === undefined ? 'note' : contextValue('collaborator', flags),
  };
  return new LeafNode(parent, key, { shown, url, appUrl });
}
