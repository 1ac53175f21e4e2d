import { isFileType } from '../mediaTypes.ts';
import { capped } from './capped.ts';
import type { Embedded, Link, Resource } from '../../api/hypermedia/resource.ts';
import type { Branch } from './branch.ts';
import type { Collection } from './collection.ts';
import { DownloadNode } from './downloadNode.ts';
import { ExternalNode } from './externalNode.ts';
import { FieldNode } from './fieldNode.ts';
import { FormNode } from './formNode.ts';
import { GroupNode } from './groupNode.ts';
import { LoadMoreNode } from './loadMoreNode.ts';
import { isLinked, isTooDeep, type Node } from './node.ts';
import { NoteNode } from './noteNode.ts';
import { ResourceNode } from './resourceNode.ts';
import { TemplateNode } from './templateNode.ts';

/**
 * The rows below a node: fields, embedded resources, links and forms, in this order.
 *
 * @param limit of rows; the longest of these lists is cut first.
 * @param more there is more to load.
 */
export function membersOf(
  parent: Branch<unknown>,
  { resource, isArray, pages }: Collection,
  limit: number,
  more: boolean,
): readonly Node[] {
  const { fields, embedded, links, forms, skipped } = unwrapped(resource, parent.relation);
  // the next page is what "Load More…" stands for
  const linked = links.filter(
    ({ rel, target }) => rel !== 'self' && !(more && target.kind === 'internal' && /^(hydra:)?next$/.test(rel)),
  );
  const [fieldCount, embeddedCount, linkCount, formCount] = capped(
    [fields.length, embedded.length, linked.length, forms.length],
    limit,
  );
  const above = ancestorUrls(parent);
  const key = uniqueKeys();
  const rows: Node[] = [
    ...fields.slice(0, fieldCount).map((field) => new FieldNode(parent, key(`.${field.name}`), field)),
    ...embedded.slice(0, embeddedCount).map((item) => embeddedNode(parent, item, above, key)),
    ...linked.slice(0, linkCount).map((link) => linkNode(parent, link, above, key)),
    ...forms.slice(0, formCount).map((form) => new FormNode(parent, key(`#${form.method} ${form.name}`), form)),
  ];
  if (skipped.length > 0) {
    rows.push(NoteNode.skipped(parent, skipped));
  }
  if (more) {
    rows.push(new LoadMoreNode(parent));
  }
  return rows.length > 0 ? rows : [NoteNode.empty(parent, isArray && pages.length === 0)];
}

/** A document without a wrapper that only repeats the name of its row: `keys` opens as `{keys: {ios, android}, link}`. */
function unwrapped(resource: Resource, relation: string): Resource {
  const [only, ...others] = resource.embedded;
  if (
    only?.rel !== relation ||
    only.index !== undefined ||
    others.length > 0 ||
    resource.fields.length > 0 ||
    resource.pointer !== ''
  ) {
    return resource;
  }
  const { fields, embedded, links, forms, skipped, self } = only.resource;
  const inner = self?.target;
  const outer = resource.self?.target;
  const isItsOwn =
    inner !== undefined && !(inner.kind === 'internal' && outer?.kind === 'internal' && inner.url === outer.url);
  if (isItsOwn) {
    return resource;
  }
  return {
    ...resource,
    fields,
    embedded,
    links: [...links, ...resource.links],
    forms: [...forms, ...resource.forms],
    skipped: [...skipped, ...resource.skipped],
  };
}

/** Makes keys unique among siblings: two rows with one id would make VS Code show neither. */
function uniqueKeys(): (key: string) => string {
  const used = new Map<string, number>();
  return (key) => {
    const count = (used.get(key) ?? 0) + 1;
    used.set(key, count);
    return count === 1 ? key : `${key}\t${count}`;
  };
}

function embeddedNode(
  parent: Branch<unknown>,
  { rel, index, resource }: Embedded,
  above: ReadonlySet<string>,
  key: (key: string) => string,
): Node {
  const named = resource.title !== undefined && resource.title !== rel;
  const label = named ? resource.title : index === undefined ? rel : `${rel} ${index + 1}`;
  const position = `${rel}${index === undefined ? '' : `[${index}]`}`;
  const self = resource.self?.target;
  // A resource that names one of its own parents as itself holds all there is: loading it again would lead in a circle.
  if (self?.kind !== 'internal' || above.has(self.url)) {
    return isTooDeep(parent)
      ? NoteNode.tooDeep(parent, key(position))
      : new GroupNode(
          parent,
          key(position),
          { label, relation: rel, named, resource, isItem: index !== undefined },
          parent.scope,
        );
  }
  const text = (name: string) => resource.fields.find((field) => field.name === name)?.text;
  const appearance = { label, relation: rel, ...(named && { kind: rel }), role: text('role'), status: text('status') };
  return isDownload(parent, rel, resource.self?.type)
    ? new DownloadNode(parent, key(`@${rel} ${self.url}`), { label, url: self.url, type: resource.self?.type })
    : new ResourceNode(
        parent,
        key(`@${rel} ${self.url}`),
        { url: self.url, ...appearance, leaf: isTooDeep(parent) ? 'tooDeep' : undefined },
        parent.scope,
      );
}

function linkNode(parent: Branch<unknown>, link: Link, above: ReadonlySet<string>, key: (key: string) => string): Node {
  const { rel, target, type, method = 'GET' } = link;
  const label = link.title ?? link.name ?? rel;
  if (target.kind === 'external') {
    return new ExternalNode(parent, key(`>${rel} ${target.url}`), { label, relation: rel, url: target.url });
  }
  if (method !== 'GET' && method !== 'HEAD') {
    const form = {
      name: label,
      method,
      target,
      contentType: 'application/json',
      fields: [],
      convention: link.convention,
    };
    return new FormNode(parent, key(`#${method} ${rel}`), form);
  }
  if (target.kind === 'template') {
    return new TemplateNode(parent, key(`>${rel} ${target.template}`), { label, link, target });
  }
  if (isDownload(parent, rel, type)) {
    return new DownloadNode(parent, key(`>${rel} ${target.url}`), { label, url: target.url, type });
  }
  const value = {
    url: target.url,
    label,
    relation: rel,
    icon: 'link',
    ...(label !== rel && { kind: rel }),
    deprecated: link.deprecated ?? false,
    inferred: link.convention === 'inferred',
    leaf: above.has(target.url) ? ('above' as const) : isTooDeep(parent) ? ('tooDeep' as const) : undefined,
  };
  return new ResourceNode(parent, key(`>${rel} ${target.url}`), value, parent.scope);
}

/** True for what is a file by all that is known before it is requested. */
function isDownload(parent: Branch<unknown>, rel: string, type: string | undefined): boolean {
  return isFileType(type) || /^(downloads?|enclosure)$/i.test(rel) || /^downloads?$/i.test(parent.relation);
}

function ancestorUrls(node: Node | undefined): ReadonlySet<string> {
  const urls = new Set<string>();
  for (let current = node; current !== undefined; current = current.parent) {
    if (isLinked(current)) {
      urls.add(current.url);
    }
  }
  return urls;
}
