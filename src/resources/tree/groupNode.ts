import type { Resource } from '../../api/hypermedia/resource.ts';
import { relationIcon, statusIcon } from './icons.ts';
import { Branch, type Content } from './branch.ts';
import type { Collection } from './collection.ts';
import { membersOf } from './members.ts';
import type { Node } from './node.ts';
import type { Look } from './row.ts';

interface Group {
  readonly label: string;
  readonly relation: string;
  /** The label is the resource's own title. */
  readonly named: boolean;
  readonly resource: Resource;
  /** One of several. */
  readonly isItem: boolean;
}

/** A resource inside another one that has no URL of its own, such as the statuses of an app. */
export class GroupNode extends Branch<Group> {
  get relation(): string {
    return this.value.relation;
  }

  look(): Look {
    const { label, relation, named, resource } = this.value;
    return {
      label,
      // a person came for the statuses; everything else is a click away
      description: statuses(resource) ?? (named ? relation : undefined),
      icon: relationIcon(relation, this.value.isItem ? 'symbol-object' : 'symbol-namespace'),
      opens: 'collapsed',
      context: 'group',
    };
  }

  protected read(): Promise<Content> {
    return Promise.resolve(this.#content());
  }

  protected members(collection: Collection, limit: number, more: boolean): readonly Node[] {
    return membersOf(this, collection, limit, more);
  }

  override adopt(newer: Node): readonly Node[] | undefined {
    const changed = super.adopt(newer);
    return changed === undefined ? undefined : [...changed, ...this.showNewer(this.#content())];
  }

  #content(): Content {
    return { kind: 'collection', collection: { resource: this.value.resource, isArray: false, pages: [] } };
  }
}

/** `android complete, ios error`, when a few statuses are all there is. */
function statuses({ fields, embedded, links }: Resource): string | undefined {
  const all = fields.length > 0 && fields.length <= 4 && embedded.length + links.length === 0;
  return all &&
    fields.some(({ value }) => statusIcon(value) !== undefined) &&
    fields.every(({ value }) => value === null || statusIcon(value) !== undefined)
    ? fields
        .filter(({ value }) => value !== null)
        .map(({ name, text }) => `${name} ${text}`)
        .join(', ')
    : undefined;
}
