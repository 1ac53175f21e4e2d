import * as vscode from 'vscode';
import type { Link, Resource } from '../../api/hypermedia/resource.ts';
import { ExpandableNode, type NodeContent, selfRelationsText } from './expandableNode.ts';
import { relationIcon, statusIcon } from './icons.ts';
import { rowTooltip } from './rowText.ts';
import type { Presentation, TreeNode } from './treeNode.ts';

interface Group {
  readonly label: string;
  /** Shown beside the label, the most important first. */
  readonly notes: readonly string[];
  readonly relation: string;
  readonly resource: Resource;
  /** Id of the icon for a relation that has none of its own. */
  readonly icon: string;
  /** What a screen reader says; label and description when absent. */
  readonly accessibilityLabel?: string;
  /** The label and the relation when absent. */
  readonly tooltip?: string;
}

/** A resource inside another one that has no URL of its own, such as the statuses of an app. */
export class GroupNode extends ExpandableNode<Group> {
  get relation(): string {
    return this.value.relation;
  }

  present(): Presentation {
    const { label, notes, relation, resource, icon, tooltip, accessibilityLabel } = this.value;
    return {
      label,
      description: summarizeStatuses(resource) ?? notes.join(' · '),
      tooltip: tooltip ?? rowTooltip(label, relation, selfRelationsText(resource)),
      icon: relationIcon(relation, icon),
      accessibilityLabel,
      collapsibleState: 'collapsed',
      contextValue: 'group',
    };
  }

  override updateFrom(other: TreeNode): readonly TreeNode[] | undefined {
    const changed = super.updateFrom(other);
    return changed === undefined ? undefined : [...changed, ...this.showContent(this.#currentContent())];
  }

  /** A group of links that stand after the data of a resource. */
  static links(parent: ExpandableNode, key: string, links: readonly Link[]): GroupNode {
    const resource: Resource = { fields: [], embedded: [], links, forms: [], skipped: [], pointer: '' };
    const group: Group = {
      label: vscode.l10n.t('More Links'),
      notes: [String(links.length)],
      accessibilityLabel:
        links.length === 1 ? vscode.l10n.t('More Links: 1 link') : vscode.l10n.t('More Links: {0} links', links.length),
      relation: 'links',
      resource,
      icon: 'link',
      tooltip: vscode.l10n.t('Links that lead to another host, or that ask for values first'),
    };
    return new GroupNode(parent, key, group, parent.context);
  }

  protected loadContent(): Promise<NodeContent> {
    return Promise.resolve(this.#currentContent());
  }

  #currentContent(): NodeContent {
    return { kind: 'resource', paged: { resource: this.value.resource, laterPages: [] } };
  }
}

/** `android complete, ios error`, for a resource that consists of up to four build statuses. */
function summarizeStatuses({ fields, embedded, links }: Resource): string | undefined {
  if (fields.length > 4 || embedded.length + links.length > 0) {
    return undefined;
  }
  const given = fields.filter(({ value }) => value !== null);
  return given.length > 0 && given.every(({ value }) => statusIcon(value) !== undefined)
    ? given.map(({ name, text }) => `${name} ${text}`).join(', ')
    : undefined;
}
