import type { Embedded, Link, Resource } from '../../api/hypermedia/resource.ts';
import { isFileType } from '../mediaTypes.ts';
import {
  DownloadNode,
  ExternalNode,
  FieldNode,
  FormNode,
  LoadMoreNode,
  TemplateNode,
  TooLargeNode,
} from './leafNodes.ts';
import { type ExpandableNode, isEmpty, type LinkedResource } from './expandableNode.ts';
import { GroupNode } from './groupNode.ts';
import { NoteNode } from './noteNode.ts';
import { isNextRelation, limitSections, type PagedResource, secondaryLinks } from './paging.ts';
import { ResourceNode } from './resourceNode.ts';
import { embeddedText, linkText, distinctTexts, type RowText } from './rowText.ts';
import { hasUrl, isAtMaxDepth, withAncestors, type TreeNode } from './treeNode.ts';

/**
 * The nodes below one that shows a resource: fields, embedded resources, links, forms, and the group of secondary links,
 * in this order. A presenter that knows the resource makes other ones.
 *
 * @param limit of these nodes; the longest section is cut first.
 * @param hasMore there are more of them, or another page.
 */
export function createChildNodes(
  parent: ExpandableNode,
  paged: PagedResource,
  limit: number,
  hasMore: boolean,
): readonly TreeNode[] {
  const plain = (part: Resource) => plainNodes(parent, { ...paged, resource: part }, limit, hasMore);
  return parent.context.presenter?.rowsOf(parent, paged, plain) ?? plain(paged.resource);
}

function plainNodes(
  parent: ExpandableNode,
  paged: PagedResource,
  limit: number,
  hasMore: boolean,
): readonly TreeNode[] {
  const { resource, laterPages, tooLargePage } = paged;
  const { fields, embedded, forms, skipped, isArray = false } = resource;
  const grouped = secondaryLinks(resource);
  // “Load More…” stands for the next page.
  const links = resource.links.filter(
    (link) =>
      link.rel !== 'self' &&
      !grouped.has(link) &&
      !(hasMore && link.target.kind === 'internal' && isNextRelation(link.rel)),
  );
  const [fieldCount, embeddedCount = 0, linkCount, formCount] = limitSections(
    [fields.length, embedded.length, links.length, forms.length],
    limit,
  );
  const siblings: Siblings = { parent, ancestorUrls: ancestorUrls(parent), uniqueKey: uniqueKeys() };
  const { uniqueKey } = siblings;
  const shownEmbedded = embedded.slice(0, embeddedCount);
  const shownLinks = links.slice(0, linkCount);
  const { label: labelAbove } = parent.present();
  const texts = distinctTexts([
    ...shownEmbedded.map((item) => embeddedText(item, labelAbove)),
    ...shownLinks.map(linkText),
  ]);
  const textOf = (position: number): RowText => texts[position] ?? { label: '', notes: [] };
  const nodes: TreeNode[] = [
    ...fields.slice(0, fieldCount).map((field) => new FieldNode(parent, uniqueKey(`.${field.name}`), field)),
    ...shownEmbedded.map((item, position) => embeddedNode(item, textOf(position), siblings)),
    ...shownLinks.map((link, position) => linkNode(link, textOf(embeddedCount + position), siblings)),
    ...forms.slice(0, formCount).map((form) => new FormNode(parent, uniqueKey(`#${form.method} ${form.name}`), form)),
  ];
  if (grouped.size > 0) {
    nodes.push(GroupNode.links(parent, uniqueKey('+links'), [...grouped]));
  }
  if (skipped.length > 0) {
    nodes.push(NoteNode.skipped(parent, skipped));
  }
  if (tooLargePage !== undefined) {
    nodes.push(new TooLargeNode(parent, '+tooLarge', tooLargePage));
  }
  if (hasMore) {
    nodes.push(new LoadMoreNode(parent));
  }
  return nodes.length > 0 ? nodes : [NoteNode.empty(parent, isArray && laterPages.length === 0)];
}

interface Siblings {
  readonly parent: ExpandableNode;
  /** URLs of the parent and what is above it. */
  readonly ancestorUrls: ReadonlySet<string>;
  /** Makes a key unique: with two equal ids, VS Code would show neither node. */
  readonly uniqueKey: (key: string) => string;
}

function uniqueKeys(): Siblings['uniqueKey'] {
  const counts = new Map<string, number>();
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? key : `${key}\t${count}`;
  };
}

function embeddedNode(
  { rel, index, resource }: Embedded,
  { label, notes }: RowText,
  { parent, ancestorUrls, uniqueKey }: Siblings,
): TreeNode {
  const self = resource.self?.target;
  // A resource whose own URL is that of an ancestor, or of a part of one, is shown as it is: loading it would lead in a circle.
  const isAbove =
    self?.kind === 'internal' && [self.url, self.url.replace(/#.*$/s, '')].some((url) => ancestorUrls.has(url));
  if (self?.kind !== 'internal' || (isAbove && !isEmpty(resource))) {
    const key = uniqueKey(`${rel}${index === undefined ? '' : `[${index}]`}`);
    return isAtMaxDepth(parent)
      ? NoteNode.tooDeep(parent, key)
      : new GroupNode(
          parent,
          key,
          {
            label,
            notes,
            relation: rel,
            resource,
            icon: index === undefined ? 'symbol-namespace' : 'symbol-object',
          },
          parent.context,
        );
  }
  const { url } = self;
  const key = uniqueKey(`@${rel} ${url}`);
  if (isDownload(parent, rel, resource.self?.type)) {
    return new DownloadNode(parent, key, { label, notes, url, type: resource.self?.type });
  }
  const fieldText = (name: string) => resource.fields.find((field) => field.name === name)?.text;
  return resourceNode(parent, key, {
    url,
    label,
    notes,
    relation: rel,
    role: fieldText('role'),
    status: fieldText('status'),
    leaf: isAbove ? 'shownAbove' : isAtMaxDepth(parent) ? 'tooDeep' : undefined,
    embedded: resource,
  });
}

/** The row of the presenter that knows the resource, else that of any resource. */
function resourceNode(parent: ExpandableNode, key: string, linked: LinkedResource): TreeNode {
  const { context } = parent;
  const own =
    linked.leaf === undefined ? context.presenter?.resourceNode(parent, key, linked, linked.embedded) : undefined;
  return own ?? new ResourceNode(parent, key, linked, context);
}

function linkNode(link: Link, { label, notes }: RowText, { parent, ancestorUrls, uniqueKey }: Siblings): TreeNode {
  const { rel, target, type, text, method = 'GET', convention } = link;
  if (target.kind === 'external') {
    const key = uniqueKey(`>${rel} ${target.url}`);
    return new ExternalNode(parent, key, {
      label,
      notes,
      relation: rel,
      url: target.url,
      hasValue: text !== undefined,
    });
  }
  if (method !== 'GET' && method !== 'HEAD') {
    const form = { name: label, method, target, contentType: 'application/json', fields: [], convention };
    return new FormNode(parent, uniqueKey(`#${method} ${rel}`), form);
  }
  if (target.kind === 'template') {
    return new TemplateNode(parent, uniqueKey(`>${rel} ${target.template}`), { label, notes, link, target });
  }
  const { url } = target;
  const key = uniqueKey(`>${rel} ${url}`);
  if (isDownload(parent, rel, type)) {
    return new DownloadNode(parent, key, { label, notes, url, type });
  }
  return resourceNode(parent, key, {
    url,
    label,
    notes,
    relation: rel,
    icon: 'link',
    deprecated: link.deprecated ?? false,
    inferred: convention === 'inferred',
    leaf: ancestorUrls.has(url) ? 'shownAbove' : isAtMaxDepth(parent) ? 'tooDeep' : undefined,
  });
}

/** True for what is a file by all that is known before it is requested. */
function isDownload(parent: ExpandableNode, rel: string, type: string | undefined): boolean {
  return isFileType(type) || /^(downloads?|enclosure)$/i.test(rel) || /^downloads?$/i.test(parent.relation);
}

function ancestorUrls(node: TreeNode): ReadonlySet<string> {
  return new Set([...withAncestors(node)].flatMap((each) => (hasUrl(each) ? [each.url] : [])));
}
