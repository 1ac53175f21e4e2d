import * as vscode from 'vscode';
import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { NetworkError } from '../../api/errors/connectionErrors.ts';
import type { BodyTooLargeError } from '../../api/errors/responseErrors.ts';
import { ServiceError } from '../../api/errors/serviceError.ts';
import type { Field, Form, Link, LinkTarget, Skipped } from '../../api/hypermedia/resource.ts';
import { describe, localised } from '../../workbench/notifications.ts';
import { listText, numberText, sizeText, spokenText } from '../../workbench/texts.ts';
import { statusIcon } from './icons.ts';
import { type RowText, rowTooltip } from './rowText.ts';
import { hasUrl, type Presentation, TreeNode } from './treeNode.ts';

/** What a row with nothing below it shows, and what its commands act on. */
interface Leaf {
  readonly shown: Presentation;
  /** Absolute, on the service's origin, without credentials. */
  readonly url?: string | undefined;
  /** Of the app that it is about. */
  readonly appUrl?: string;
  /** On another host: opened in a browser after asking, never requested. */
  readonly externalUrl?: string;
  /** A request that a resource offers. A click prepares it; nothing is sent without asking. */
  readonly form?: Form;
  /** An address that lacks values, and what it is called; a click asks for them. */
  readonly template?: { readonly label: string; readonly target: TemplateTarget };
  /** The folder that it is about. */
  readonly uri?: vscode.Uri | undefined;
}

type TemplateTarget = Extract<LinkTarget, { readonly kind: 'template' }>;

export class LeafNode extends TreeNode<Leaf> {
  get url(): string | undefined {
    return this.value.url;
  }

  get appUrl(): string | undefined {
    return this.value.appUrl;
  }

  get form(): Form | undefined {
    return this.value.form;
  }

  get uri(): vscode.Uri | undefined {
    return this.value.uri;
  }

  present(): Presentation {
    return this.value.shown;
  }
}

export function fieldNode(parent: TreeNode, key: string, { name, text, value }: Field): LeafNode {
  const shown = {
    label: name,
    description: text,
    tooltip: `${name}: ${text}`,
    icon: statusIcon(value) ?? new vscode.ThemeIcon(value === null ? 'symbol-null' : `symbol-${typeof value}`),
    accessibilityLabel: `${name}: ${text}`,
    contextValue: 'field',
  };
  return new LeafNode(parent, key, { shown });
}

export function templateNode(
  parent: TreeNode,
  key: string,
  { label, notes }: RowText,
  { rel }: Link,
  target: TemplateTarget,
): LeafNode {
  const variables = listText(target.variables);
  const shown: Presentation = {
    label,
    description: [...notes, variables].join(' · '),
    tooltip: rowTooltip(label, rel, target.template),
    icon: new vscode.ThemeIcon('symbol-variable'),
    accessibilityLabel: vscode.l10n.t('{0}, a link that asks for {1}', [label, ...notes].join(', '), variables),
    contextValue: 'template',
  };
  return new LeafNode(parent, key, { shown, template: { label, target } });
}

/** @param hasValue the notes begin with the value that looks like a link, which shows the host. */
export function externalNode(
  parent: TreeNode,
  key: string,
  { label, notes }: RowText,
  relation: string,
  externalUrl: string,
  hasValue = false,
): LeafNode {
  const { host } = new URL(externalUrl);
  const shown: Presentation = {
    label,
    description: (hasValue ? notes : [...notes, vscode.l10n.t('on {0}', host)]).join(' · '),
    tooltip: rowTooltip(label, relation, externalUrl),
    icon: new vscode.ThemeIcon('link-external'),
    accessibilityLabel: vscode.l10n.t('{0}, a link to {1}', [label, ...notes].join(', '), host),
    contextValue: 'external',
  };
  return new LeafNode(parent, key, { shown, externalUrl });
}

export function formNode(parent: TreeNode, key: string, form: Form): LeafNode {
  const { name, title, method, target } = form;
  const label = title ?? name;
  const otherHost = target.kind === 'external' ? new URL(target.url).host : undefined;
  const description = otherHost === undefined ? method : vscode.l10n.t('{0} to {1}, not from here', method, otherHost);
  const shown: Presentation = {
    label,
    description,
    tooltip: `${label}\n${method} ${target.kind === 'template' ? target.template : target.url}`,
    icon: new vscode.ThemeIcon(method === 'DELETE' ? 'trash' : method === 'GET' ? 'search' : 'send'),
    accessibilityLabel: vscode.l10n.t('{0}, a request: {1}', label, description),
    contextValue: target.kind === 'template' ? 'template' : otherHost === undefined ? 'form' : 'externalForm',
  };
  return new LeafNode(parent, key, { shown, form, url: target.kind === 'internal' ? target.url : undefined });
}

/** A file: it is saved, or shown when it is an image, and never read as a resource. */
export function downloadNode(
  parent: TreeNode,
  key: string,
  { label, notes }: RowText,
  url: string,
  type: string | undefined,
  sizeBytes?: number,
): LeafNode {
  const size = sizeBytes === undefined ? undefined : sizeText(sizeBytes);
  const description = [...notes, type, size].filter((part) => part !== undefined).join(' · ');
  const isImage = type?.toLowerCase().startsWith('image/') ?? false;
  const shown: Presentation = {
    label,
    description,
    tooltip: `${label}\n${url}`,
    icon: new vscode.ThemeIcon(isImage ? 'file-media' : 'cloud-download'),
    accessibilityLabel: vscode.l10n.t('{0}, a file to download', spokenText([label, description])),
    contextValue: 'download',
    ...(isImage && { command: 'appBuild.openResource' as const }),
  };
  return new LeafNode(parent, key, { shown, url });
}

/** Stands for a response that is too large to be shown: it shows how large, and its button downloads it. */
export function tooLargeNode(parent: TreeNode, key: string, url: string, error: BodyTooLargeError): LeafNode {
  const reason = localised(error.what);
  const { sizeBytes, limitBytes } = error;
  const shown: Presentation = {
    label: sizeBytes === undefined ? vscode.l10n.t('More than {0}', sizeText(limitBytes)) : sizeText(sizeBytes),
    description: vscode.l10n.t('Too large to show'),
    tooltip: `${reason}\n${url}`,
    icon: new vscode.ThemeIcon('cloud-download'),
    accessibilityLabel: vscode.l10n.t('Too large: {0}', reason),
    contextValue: 'download',
  };
  return new LeafNode(parent, key, { shown, url });
}

export function loadMoreNode(list: TreeNode): LeafNode {
  const shown: Presentation = {
    label: vscode.l10n.t('Load More…'),
    tooltip: vscode.l10n.t('Show more of this list'),
    icon: new vscode.ThemeIcon('ellipsis'),
    contextValue: 'loadMore',
    command: 'appBuild.loadMore',
  };
  return new LeafNode(list, '+', { shown });
}

interface Note extends Omit<Presentation, 'label' | 'icon' | 'contextValue'> {
  readonly text: string;
  readonly icon?: string;
}

/** Says something about its parent, such as "empty", and what to do about it. A command on it acts on the parent, or the folder. */
export function noteNode(
  parent: TreeNode | undefined,
  key: string,
  { text, icon = 'info', ...shown }: Note,
  uri?: vscode.Uri,
): LeafNode {
  return new LeafNode(parent, key, {
    shown: { tooltip: text, ...shown, label: text, icon: new vscode.ThemeIcon(icon), contextValue: 'note' },
    url: hasUrl(parent) ? parent.url : undefined,
    uri,
  });
}

export function emptyNode(parent: TreeNode, isList: boolean): LeafNode {
  return noteNode(parent, '?empty', {
    text: isList ? vscode.l10n.t('The list is empty') : vscode.l10n.t('Nothing in here'),
    icon: 'circle-outline',
    tooltip: vscode.l10n.t('The service has nothing to show here. Refresh to look again.'),
  });
}

/** Stands above what the document embedded of a resource whose URL leads to nothing that can be shown. */
export function embeddedNode(parent: TreeNode): LeafNode {
  return noteNode(parent, '?embedded', {
    text: vscode.l10n.t('Shown as it came with “{0}”', parent.parent?.present().label ?? ''),
    description: vscode.l10n.t('Select to open its address in a browser'),
    tooltip: vscode.l10n.t('Its address leads to nothing that can be shown here. Select to open it in a browser.'),
    command: 'appBuild.openInBrowser',
  });
}

/** Stands behind rows of a list that may have more. */
export function limitedNode(parent: TreeNode, shown: number): LeafNode {
  const text = vscode.l10n.t('Only {0} are shown here. Open the resource as JSON.', numberText(shown));
  return noteNode(parent, '?limited', { text });
}

/** Parts that the reader could not use, with the first reasons. */
export function skippedNode(parent: TreeNode, skipped: readonly Skipped[]): LeafNode {
  const text =
    skipped.length === 1
      ? vscode.l10n.t('One part cannot be shown')
      : vscode.l10n.t('{0} parts cannot be shown', numberText(skipped.length));
  const reasons = skipped.slice(0, 10).map(({ pointer, reason }) => `${pointer}: ${localised(reason)}`);
  return noteNode(parent, '?skipped', { text, tooltip: [text, ...reasons].join('\n'), icon: 'question' });
}

/** A row in place of content that couldn't be loaded: it tells why, and a click tries again, or asks for another address. */
export function failureNode(parent: TreeNode | undefined, error: unknown): LeafNode {
  const reason = describe(error);
  const common = { label: reason, tooltip: reason, icon: failureIcon(error), contextValue: 'failure' };
  // Trying again does not help against a setting.
  const shown: Presentation =
    error instanceof BuildServiceError && error.remedy === 'connect'
      ? {
          ...common,
          description: vscode.l10n.t('Select to change it'),
          accessibilityLabel: vscode.l10n.t('Failed: {0} Select to change it.', reason),
          command: 'appBuild.connect',
        }
      : {
          ...common,
          description: vscode.l10n.t('Select to try again'),
          accessibilityLabel: vscode.l10n.t('Failed: {0} Select to try again.', reason),
          command: 'appBuild.retry',
        };
  return new LeafNode(parent, '!', { shown });
}

/** Different for no connection, no permission, other refusals, and failures of the service. */
function failureIcon(error: unknown): vscode.ThemeIcon {
  const warning = new vscode.ThemeColor('list.warningForeground');
  if (error instanceof NetworkError) {
    return new vscode.ThemeIcon('debug-disconnect', warning);
  }
  if (error instanceof ServiceError && error.kind === 'unauthorized') {
    return new vscode.ThemeIcon('lock', warning);
  }
  return error instanceof ServiceError && error.status < 500
    ? new vscode.ThemeIcon('circle-slash', warning)
    : new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.errorForeground'));
}
