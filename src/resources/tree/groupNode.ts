import type { Resource } from '../../api/hypermedia/resource.ts';
import { ExpandableNode, type NodeContent } from './expandableNode.ts';
import { relationIcon, statusIcon } from './icons.ts';
import type { Presentation, TreeNode } from './treeNode.ts';

interface Group {
  readonly label: string;
  readonly relation: string;
  /** The label is the resource's own title. */
  readonly isNamed: boolean;
  readonly resource: Resource;
  /** It came out of an array. */
  readonly isItem: boolean;
}

/** A resource inside another one that has no URL of its own, such as the statuses of an app. */
export class GroupNode extends ExpandableNode<Group> {
  get relation(): string {
    return this.value.relation;
  }

  present(): Presentation {
    const { label, relation, isNamed, resource, isItem } = this.value;
    return {
      label,
      description: summarizeStatuses(resource) ?? (isNamed ? relation : undefined),
      icon: relationIcon(relation, isItem ? 'symbol-object' : 'symbol-namespace'),
      collapsibleState: 'collapsed',
      contextValue: 'group',
    };
  }

  override updateFrom(other: TreeNode): readonly TreeNode[] | undefined {
    const changed = super.updateFrom(other);
    return changed === undefined ? undefined : [...changed, ...this.showContent(this.#currentContent())];
  }

  protected loadContent(): Promise<NodeContent> {
    return Promise.resolve(this.#currentContent());
  }

  #currentContent(): NodeContent {
    return { kind: 'resource', paged: { resource: this.value.resource, isArray: false, laterPages: [] } };
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
