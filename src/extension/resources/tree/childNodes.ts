import { type EmbeddedResource, isFileType, type Link, type Resource } from '../../../service-client/index.ts';
import {
  downloadNode,
  emptyNode,
  externalNode,
  fieldNode,
  formNode,
  loadMoreNode,
  skippedNode,
  templateNode,
} from './leafNodes.ts';
import { type ExpandableNode, isEmpty, type LinkedResource } from './expandableNode.ts';
import { isNextRelation, limitSections, type PagedResource } from './paging.ts';
import { GroupNode, ResourceNode } from './resourceNode.ts';
import { embeddedText, linkText, distinguishTexts, type ResourceRowText } from './rowText.ts';
import { hasUrl, type TreeNode } from './treeNode.ts';

/**
 * Creates the child nodes for a resource: fields, embedded resources, links, and forms, in this order. A presenter that
 * recognizes the resource creates other nodes.
 *
 * @param limit maximum number of nodes. The longest sections are cut first.
 * @param hasMore whether more nodes or another page exist.
 */
export function createChildNodes(
  parent: ExpandableNode,
  paged: PagedResource,
  limit: number,
  hasMore: boolean,
): readonly TreeNode[] {
  const plain = (part: Resource) => plainNodes(parent, { ...paged, resource: part }, limit, hasMore);
  return parent.context.presenter.getRows(parent, paged, plain) ?? plain(paged.resource);
}

function plainNodes(
  parent: ExpandableNode,
  paged: PagedResource,
  limit: number,
  hasMore: boolean,
): readonly TreeNode[] {
  const { resource, laterPages } = paged;
  const { fields, embedded, forms, skipped, isArray = false } = resource;
  // “Load More…” represents the next page. Links to other hosts, and links that ask for values, are listed last.
  const links = resource.links
    .filter((link) => link.rel !== 'self' && !(hasMore && link.target.kind === 'internal' && isNextRelation(link.rel)))
    .toSorted((left, right) => Number(isSecondary(left)) - Number(isSecondary(right)));
  const [fieldCount, embeddedCount = 0, linkCount, formCount] = limitSections(
    [fields.length, embedded.length, links.length, forms.length],
    limit,
  );
  const siblings: SiblingContext = { parent, ancestorUrls: ancestorUrls(parent), uniqueKey: uniqueKeys() };
  const { uniqueKey } = siblings;
  const shownEmbedded = embedded.slice(0, embeddedCount);
  const shownLinks = links.slice(0, linkCount);
  const { label: labelAbove } = parent.present();
  const texts = distinguishTexts([
    ...shownEmbedded.map((item) => embeddedText(item, labelAbove)),
    ...shownLinks.map(linkText),
  ]);
  const getText = (position: number): ResourceRowText => texts[position] ?? { label: '', notes: [] };
  const nodes: TreeNode[] = [
    ...fields.slice(0, fieldCount).map((field) => fieldNode(parent, uniqueKey(`.${field.name}`), field)),
    ...shownEmbedded.map((item, position) => partNode(item, getText(position), siblings)),
    ...shownLinks.map((link, position) => linkNode(link, getText(embeddedCount + position), siblings)),
    ...forms.slice(0, formCount).map((form) => formNode(parent, uniqueKey(`#${form.method} ${form.name}`), form)),
  ];
  if (skipped.length > 0) {
    nodes.push(skippedNode(parent, skipped));
  }
  if (hasMore) {
    nodes.push(loadMoreNode(parent));
  }
  return nodes.length > 0 ? nodes : [emptyNode(parent, isArray && laterPages.length === 0)];
}

/** Reports whether a link is listed last. An inferred link isn't, because its row contains a value of the resource. */
function isSecondary({ target, inferred }: Link): boolean {
  return target.kind !== 'internal' && inferred === undefined;
}

interface SiblingContext {
  readonly parent: ExpandableNode;
  /** URLs of the parent and its ancestors. */
  readonly ancestorUrls: ReadonlySet<string>;
  /** Makes a key unique. VS Code doesn't show nodes with equal IDs. */
  readonly uniqueKey: (key: string) => string;
}

function uniqueKeys(): SiblingContext['uniqueKey'] {
  const counts = new Map<string, number>();
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? key : `${key}\t${count}`;
  };
}

function partNode(
  { rel, index, resource }: EmbeddedResource,
  { label, notes }: ResourceRowText,
  { parent, ancestorUrls, uniqueKey }: SiblingContext,
): TreeNode {
  const self = resource.self?.target;
  // If the resource's URL is that of an ancestor, or of a part of one, show the embedded copy. Loading it would cause a
  // cycle.
  const isAbove =
    self?.kind === 'internal' && [self.url, self.url.replace(/#.*$/s, '')].some((url) => ancestorUrls.has(url));
  if (self?.kind !== 'internal' || (isAbove && !isEmpty(resource))) {
    const key = uniqueKey(`${rel}${index === undefined ? '' : `[${index}]`}`);
    const icon = index === undefined ? 'symbol-namespace' : 'symbol-object';
    return new GroupNode(parent, key, { label, notes, relation: rel, resource, icon }, parent.context);
  }
  const { url } = self;
  const key = uniqueKey(`@${rel} ${url}`);
  if (isDownload(parent, rel, resource.self?.type)) {
    return downloadNode(parent, key, { label, notes }, url, resource.self?.type);
  }
  const fieldText = (name: string) => resource.fields.find((field) => field.name === name)?.text;
  return resourceNode(parent, key, {
    url,
    label,
    notes,
    relation: rel,
    role: fieldText('role'),
    status: fieldText('status'),
    isShownAbove: isAbove,
    embedded: resource,
  });
}

/** Creates the presenter's node for a resource, or a generic node if the presenter doesn't recognize it. */
function resourceNode(parent: ExpandableNode, key: string, linked: LinkedResource): TreeNode {
  const { context } = parent;
  const own = linked.isShownAbove ? undefined : context.presenter.resourceNode(parent, key, linked);
  return own ?? new ResourceNode(parent, key, linked, context);
}

function linkNode(
  link: Link,
  { label, notes }: ResourceRowText,
  { parent, ancestorUrls, uniqueKey }: SiblingContext,
): TreeNode {
  const { rel, target, type, text, method = 'GET', inferred = false } = link;
  if (target.kind === 'external') {
    const key = uniqueKey(`>${rel} ${target.url}`);
    return externalNode(parent, key, { label, notes }, rel, target.url, text !== undefined);
  }
  if (method !== 'GET' && method !== 'HEAD') {
    const form = { name: label, method, target, contentType: 'application/json', fields: [] };
    return formNode(parent, uniqueKey(`#${method} ${rel}`), form);
  }
  if (target.kind === 'template') {
    return templateNode(parent, uniqueKey(`>${rel} ${target.template}`), { label, notes }, link, target);
  }
  const { url } = target;
  const key = uniqueKey(`>${rel} ${url}`);
  if (isDownload(parent, rel, type)) {
    return downloadNode(parent, key, { label, notes }, url, type);
  }
  return resourceNode(parent, key, {
    url,
    label,
    notes,
    relation: rel,
    icon: 'link',
    deprecated: link.deprecated ?? false,
    inferred,
    isShownAbove: ancestorUrls.has(url),
  });
}

/** Reports whether it's clear before the request that a link leads to a file. */
function isDownload(parent: ExpandableNode, rel: string, type: string | undefined): boolean {
  return isFileType(type) || /^(downloads?|enclosure)$/i.test(rel) || /^downloads?$/i.test(parent.relation);
}

function ancestorUrls(node: TreeNode): ReadonlySet<string> {
  const urls = new Set<string>();
  for (let each: TreeNode | undefined = node; each !== undefined; each = each.parent) {
    if (hasUrl(each)) {
      urls.add(each.url);
    }
  }
  return urls;
}
