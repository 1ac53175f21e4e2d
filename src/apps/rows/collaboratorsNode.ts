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
  /** The user may change who works on the app. */
  readonly canManage: boolean;
}

export class CollaboratorsNode extends ExpandableNode<AppCollaborators> {
  readonly relation = 'collaborators';

  get url(): string | undefined {
    return this.value.url;
  }

  get appUrl(): string {
    return this.value.appUrl;
  }

  /** @param options `alone`: also for an app that one user works on. */
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
      tooltip: vscode.l10n.t('The people who work on the app'),
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

/** A collaborator of an app. The address is undefined for an invitation that the service gives none. */
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
