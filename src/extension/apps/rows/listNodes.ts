import * as vscode from 'vscode';
import type { Resource } from '../../../service-client/index.ts';
import { type ExpandableNode, isEmpty, type PlainRows } from '../../resources/tree/expandableNode.ts';
import { LeafNode, noteNode } from '../../resources/tree/leafNodes.ts';
import { GroupNode, ResourceNode, type UserNode } from '../../resources/tree/resourceNode.ts';
import type { Presentation, TreeNode } from '../../resources/tree/treeNode.ts';
import { findOperation, type OperationName } from '../model/operation.ts';
import type { KeyNode } from './keyNode.ts';
import { contextValue } from './rowTexts.ts';
import { platformName } from '../../../web-project/index.ts';

const CREATION_FORMS: readonly OperationName[] = ['create-from-file', 'create-from-repository'];

/** The list of apps. */
export class AppsNode extends ResourceNode {
  override present(): Presentation {
    const { wholeResource } = this;
    const create =
      wholeResource === undefined ||
      CREATION_FORMS.some((name) => findOperation(wholeResource, name, undefined, this.url) !== undefined);
    return { ...named(this, super.present(), vscode.l10n.t('Apps')), contextValue: contextValue('apps', { create }) };
  }
}

/** The list of all signing keys, or the keys of one platform. */
export class KeysNode extends ResourceNode {
  get platform(): string | undefined {
    return this.parent instanceof KeysNode ? this.relation : undefined;
  }

  override present(): Presentation {
    // *Add Key* is also available on the list of all platforms, which itself has no form.
    const add =
      this.platform === undefined ||
      this.wholeResource === undefined ||
      findOperation(this.wholeResource, 'add-key', undefined, this.url) !== undefined;
    const presentation = super.present();
    const name = this.platform === undefined ? vscode.l10n.t('Signing Keys') : platformName(this.platform);
    return { ...named(this, presentation, name), contextValue: contextValue('keys', { add }) };
  }
}

/** Labels the list with its usual name and keeps the service's name in the tooltip. A title from the service takes precedence. */
function named({ relation }: ResourceNode, shown: Presentation, name: string): Presentation {
  return shown.label === relation ? { ...shown, label: name, tooltip: `${name}\n${shown.tooltip}` } : shown;
}

const MORE = 'more';

/**
 * Creates the *More* row with the parts of an app that no other row shows.
 *
 * @param hasBundle whether another row shows the app bundle of a build.
 */
export function createAppMoreNode(parent: ExpandableNode, resource: Resource, hasBundle: boolean): TreeNode {
  const shown = ['keys', 'collaborators', ...(hasBundle ? ['bundle'] : [])];
  const embedded = resource.embedded.filter(({ rel }) => !shown.includes(rel));
  // Empty values are visible in *Open as JSON*.
  const fields = resource.fields.filter(({ text }) => !['', 'null', '{}', '[]'].includes(text));
  const tooltip = vscode.l10n.t('Everything else about the app, and the requests that the service offers');
  return moreNode(parent, { ...resource, fields, embedded }, tooltip);
}

/** The parts of a resource that move to *More*: data for programs, and data that another row shows. */
interface MoreParts {
  readonly fields: RegExp;
  readonly links?: RegExp;
  readonly tooltip: string;
}

/**
 * Returns the rows of the app list. Leaves out the apps that are shown above the list, and the forms for creating apps, because
 * the list has a button for them.
 *
 * @param hasFolder whether the window has a folder to build.
 */
export function getAppsRows(
  parent: AppsNode,
  resource: Resource,
  plainRows: PlainRows,
  { isAbove, hasFolder }: { readonly isAbove: (node: TreeNode) => boolean; readonly hasFolder: boolean },
): readonly TreeNode[] {
  const apps = {
    ...resource,
    fields: resource.fields.filter(({ text }) => text !== '[]'),
    links: resource.links.filter(({ rel }) => rel !== 'self'),
    forms: resource.forms.filter(({ name }) => !CREATION_FORMS.some((each) => each === name)),
  };
  if (isEmpty(apps) && apps.skipped.length === 0) {
    const description = hasFolder ? undefined : vscode.l10n.t('Open the folder of a web app to build it');
    return [noteNode(parent, '?noApps', { text: vscode.l10n.t('No apps yet'), icon: 'circle-outline', description })];
  }
  const rows = plainRows(apps).filter((node) => !isAbove(node));
  return rows.length > 0
    ? rows
    : [noteNode(parent, '?noApps', { text: vscode.l10n.t('No other apps'), icon: 'circle-outline' })];
}

/** Returns the user's rows: apps first, then keys, then everything else. Returns undefined if there are neither apps nor keys. */
export function getUserRows(
  parent: UserNode,
  resource: Resource,
  plainRows: PlainRows,
): readonly TreeNode[] | undefined {
  const rows = withMore(parent, resource, plainRows, {
    // The user's row shows the names.
    fields: /^(id|username|email|\w+_at)$/,
    // The builder's row shows this resource.
    links: /^current_support$/,
    tooltip: vscode.l10n.t('Everything else about the account'),
  });
  const apps = rows.filter((row) => row instanceof AppsNode);
  const keys = rows.filter((row) => row instanceof KeysNode);
  const others = rows.filter((row) => !(row instanceof AppsNode || row instanceof KeysNode));
  return others.length === rows.length ? undefined : [...apps, ...keys, ...others];
}

export function getKeyRows(parent: KeyNode, resource: Resource, plainRows: PlainRows): readonly TreeNode[] {
  const tooltip = vscode.l10n.t('Everything else about the key');
  return withMore(parent, resource, plainRows, { fields: /^(id|\w+_at)$/, tooltip });
}

function withMore(
  parent: ExpandableNode,
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

function moreNode(parent: ExpandableNode, resource: Resource, tooltip: string): TreeNode {
  const label = vscode.l10n.t('More');
  const more = { label, notes: [], relation: MORE, resource, icon: 'ellipsis', tooltip };
  return new GroupNode(parent, '=more', more, parent.context);
}

/** Reports whether a row is a *More* row. */
export function isMore(parent: ExpandableNode): boolean {
  return parent instanceof GroupNode && parent.relation === MORE;
}

/**
 * Creates the row for one of the service's web pages. A button opens it in the browser. Clicking the row doesn't, because VS Code would
 * then ask the user about the address.
 */
export function webPageNode(parent: TreeNode, key: string, label: string, url: string): LeafNode {
  const shown: Presentation = {
    label,
    description: vscode.l10n.t('web page'),
    tooltip: `${label}\n${url}`,
    icon: new vscode.ThemeIcon('globe'),
    contextValue: 'external',
  };
  return new LeafNode(parent, key, { shown, url });
}
