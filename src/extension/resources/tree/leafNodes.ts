import * as vscode from 'vscode';
import { BuildServiceError } from '../../../errors/index.ts';
import {
  type BodyTooLargeError,
  type Link,
  type LinkTarget,
  NetworkError,
  type ResourceField,
  type ResourceForm,
  ServiceError,
  type SkippedValue,
} from '../../../service-client/index.ts';
import { describeFailure, localize } from '../../workbench/notifications.ts';
import { listText, numberText, sizeText, toSpokenText } from '../../workbench/texts.ts';
import { statusIcon } from './icons.ts';
import { type ResourceRowText, rowTooltip } from './rowText.ts';
import { hasUrl, type Presentation, TreeNode } from './treeNode.ts';

/** Presentation of a row without children, and the data for its commands. */
interface LeafValue {
  readonly shown: Presentation;
  /** Absolute URL on the service's origin, without credentials. */
  readonly url?: string | undefined;
  /** URL of the app that the row belongs to. */
  readonly appUrl?: string;
  /** URL on another host. It's opened in a browser after a confirmation and never requested. */
  readonly externalUrl?: string;
  /** Request that a resource offers. A click prepares it, and it's sent only after a confirmation. */
  readonly form?: ResourceForm;
  /** Template target and its label. A click asks for the missing values. */
  readonly template?: { readonly label: string; readonly target: LeafTemplate };
  /** Folder that the row belongs to. */
  readonly uri?: vscode.Uri | undefined;
}

type LeafTemplate = Extract<LinkTarget, { readonly kind: 'template' }>;

/** Node without children. */
export class LeafNode extends TreeNode<LeafValue> {
  get url(): string | undefined {
    return this.value.url;
  }

  get appUrl(): string | undefined {
    return this.value.appUrl;
  }

  get form(): ResourceForm | undefined {
    return this.value.form;
  }

  get uri(): vscode.Uri | undefined {
    return this.value.uri;
  }

  present(): Presentation {
    return this.value.shown;
  }
}

/** Creates the node for a field. */
export function fieldNode(parent: TreeNode, key: string, { name, text, value }: ResourceField): LeafNode {
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

/** Creates the node for a template link. A click asks for its values. */
export function templateNode(
  parent: TreeNode,
  key: string,
  { label, notes }: ResourceRowText,
  { rel }: Link,
  target: LeafTemplate,
): LeafNode {
  const variables = listText(target.variables);
  const shown: Presentation = {
    label,
    description: [...notes, variables].join(' · '),
    tooltip: rowTooltip(label, rel, target.template),
    icon: new vscode.ThemeIcon('symbol-variable'),
    accessibilityLabel: vscode.l10n.t('{0}, a link that requires {1}', [label, ...notes].join(', '), variables),
    contextValue: 'template',
  };
  return new LeafNode(parent, key, { shown, template: { label, target } });
}

/**
 * Creates the node for a link to another host.
 *
 * @param hasValue whether the notes begin with a value that looks like a link and therefore already shows the host.
 */
export function externalNode(
  parent: TreeNode,
  key: string,
  { label, notes }: ResourceRowText,
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

/** Creates the node for a form. */
export function formNode(parent: TreeNode, key: string, form: ResourceForm): LeafNode {
  const { name, title, method, target } = form;
  const label = title ?? name;
  const otherHost = target.kind === 'external' ? new URL(target.url).host : undefined;
  const description =
    otherHost === undefined ? method : vscode.l10n.t('{0} to {1}, not available here', method, otherHost);
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

/** Creates the node for a file. It's saved, or shown if it's an image, and never read as a resource. */
export function downloadNode(
  parent: TreeNode,
  key: string,
  { label, notes }: ResourceRowText,
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
    accessibilityLabel: vscode.l10n.t('{0}, a file to download', toSpokenText([label, description])),
    contextValue: 'download',
    ...(isImage && { command: 'appBuild.openResource' as const }),
  };
  return new LeafNode(parent, key, { shown, url });
}

/**
 * Creates the node for a response that is too large to show. It shows the size, and its button downloads the response.
 */
export function tooLargeNode(parent: TreeNode, key: string, url: string, error: BodyTooLargeError): LeafNode {
  const reason = localize(error.what);
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

/** Creates the “Load More…” node of a list. */
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

interface NoteRow extends Omit<Presentation, 'label' | 'icon' | 'contextValue'> {
  readonly text: string;
  readonly icon?: string;
}

/**
 * Creates a node with a note about its parent, such as "empty", and a suggested action. Its command acts on the parent
 * or the folder.
 */
export function noteNode(
  parent: TreeNode | undefined,
  key: string,
  { text, icon = 'info', ...shown }: NoteRow,
  uri?: vscode.Uri,
): LeafNode {
  return new LeafNode(parent, key, {
    shown: { tooltip: text, ...shown, label: text, icon: new vscode.ThemeIcon(icon), contextValue: 'note' },
    url: hasUrl(parent) ? parent.url : undefined,
    uri,
  });
}

/** Creates the node for an empty list or resource. */
export function emptyNode(parent: TreeNode, isList: boolean): LeafNode {
  return noteNode(parent, '?empty', {
    text: isList ? vscode.l10n.t('The list is empty') : vscode.l10n.t('Nothing here'),
    icon: 'circle-outline',
    tooltip: vscode.l10n.t('The service has nothing to show here. Refresh to check again.'),
  });
}

/** Creates the note above an embedded copy of a resource whose URL can't be shown. */
export function embeddedNode(parent: TreeNode): LeafNode {
  return noteNode(parent, '?embedded', {
    text: vscode.l10n.t('Embedded in “{0}”', parent.parent?.present().label ?? ''),
    description: vscode.l10n.t('Select to open it in a browser'),
    tooltip: vscode.l10n.t('Its address can’t be shown here. Select to open it in a browser.'),
    command: 'appBuild.openInBrowser',
  });
}

/** Creates the note that follows the rows of a list if there may be more. */
export function limitedNode(parent: TreeNode, shown: number): LeafNode {
  const text = vscode.l10n.t('Only {0} are shown here. Open the resource as JSON.', numberText(shown));
  return noteNode(parent, '?limited', { text });
}

/** Creates the node for parts that the reader couldn't use, with the first few reasons. */
export function skippedNode(parent: TreeNode, skipped: readonly SkippedValue[]): LeafNode {
  const text =
    skipped.length === 1
      ? vscode.l10n.t('One part can’t be shown')
      : vscode.l10n.t('{0} parts can’t be shown', numberText(skipped.length));
  const reasons = skipped.slice(0, 10).map(({ pointer, reason }) => `${pointer}: ${localize(reason)}`);
  return noteNode(parent, '?skipped', { text, tooltip: [text, ...reasons].join('\n'), icon: 'question' });
}

/**
 * Creates the node for content that couldn't be loaded. It shows the reason. A click tries again or asks for another
 * address.
 */
export function failureNode(parent: TreeNode | undefined, error: unknown): LeafNode {
  const reason = describeFailure(error);
  const common = { label: reason, tooltip: reason, icon: failureIcon(error), contextValue: 'failure' };
  // Retrying doesn't fix an invalid setting.
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

/**
 * Returns the icon of a failure. Connection failures, missing permissions, other rejections, and service failures have
 * different icons.
 */
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
