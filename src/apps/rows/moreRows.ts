import * as vscode from 'vscode';
import type { Resource } from '../../api/hypermedia/resource.ts';
import type { ExpandableNode, PlainRows } from '../../resources/tree/expandableNode.ts';
import { GroupNode } from '../../resources/tree/groupNode.ts';
import type { ResourceNode, UserNode } from '../../resources/tree/resourceNode.ts';
import type { TreeNode } from '../../resources/tree/treeNode.ts';
import type { KeyNode } from './keyNode.ts';
import { AppsNode, KeysNode } from './listNodes.ts';

/** The group of what the other rows of a resource do not show. */
const MORE = 'more';

/** Everything that the service says of an app, but for what the rows beside it show. */
export function moreOfApp(parent: ResourceNode, resource: Resource): TreeNode {
  const embedded = resource.embedded.filter(({ rel }) => rel !== 'keys' && rel !== 'collaborators');
  const tooltip = vscode.l10n.t('Everything else that the service says of the app, and the requests that it offers');
  return moreNode(parent, { ...resource, embedded }, tooltip);
}

/** What of a resource stands below *More*: what programs need, or what another row shows. */
interface MoreParts {
  readonly fields: RegExp;
  readonly links?: RegExp;
  /** Says what the row *More* is. */
  readonly tooltip: string;
}

/** What a person has at the service, the apps first. */
export function rowsOfUser(
  parent: UserNode,
  resource: Resource,
  plainRows: PlainRows,
): readonly TreeNode[] | undefined {
  const rows = withMore(parent, resource, plainRows, {
    // The row of the person shows the names.
    fields: /^(id|username|email|\w+_at)$/,
    // The row of the builder shows what it leads to.
    links: /^current_support$/,
    tooltip: vscode.l10n.t('Everything else that the service says of the account'),
  });
  const apps = rows.filter((row) => row instanceof AppsNode);
  const keys = rows.filter((row) => row instanceof KeysNode);
  const others = rows.filter((row) => !(row instanceof AppsNode || row instanceof KeysNode));
  return others.length === rows.length ? undefined : [...apps, ...keys, ...others];
}

export function rowsOfKey(parent: KeyNode, resource: Resource, plainRows: PlainRows): readonly TreeNode[] {
  const tooltip = vscode.l10n.t('Everything else that the service says of the key');
  return withMore(parent, resource, plainRows, { fields: /^(id|\w+_at)$/, tooltip });
}

/** The rows that every resource has, some of them in a group at the end. */
function withMore(
  parent: ResourceNode,
  resource: Resource,
  plainRows: PlainRows,
  { fields, links = /^$/, tooltip }: MoreParts,
): readonly TreeNode[] {
  const more = {
    fields: resource.fields.filter(({ name }) => fields.test(name)),
    links: resource.links.filter(({ rel }) => links.test(rel)),
  };
  const rows = plainRows({
    ...resource,
    fields: resource.fields.filter((field) => !more.fields.includes(field)),
    links: resource.links.filter((link) => !more.links.includes(link)),
  });
  const isEmpty = more.fields.length + more.links.length === 0;
  const rest = { ...resource, ...more, embedded: [], forms: [], skipped: [] };
  return isEmpty ? rows : [...rows, moreNode(parent, rest, tooltip)];
}

function moreNode(parent: ResourceNode, resource: Resource, tooltip: string): TreeNode {
  const label = vscode.l10n.t('More');
  const more = { label, notes: [], relation: MORE, resource, icon: 'ellipsis', tooltip };
  return new GroupNode(parent, '=more', more, parent.context);
}

export function isMore(parent: ExpandableNode): boolean {
  return parent instanceof GroupNode && parent.relation === MORE;
}
