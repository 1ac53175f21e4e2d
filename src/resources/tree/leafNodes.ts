import * as vscode from 'vscode';

import type { BodyTooLargeError } from '../../api/errors/responseErrors.ts';
import type { Field, Link, LinkTarget, Form } from '../../api/hypermedia/resource.ts';
import { localised } from '../../workbench/notifications.ts';
import { spokenText, listText, sizeText } from '../../workbench/texts.ts';
import type { ExpandableNode } from './expandableNode.ts';
import { statusIcon } from './icons.ts';
import { rowTooltip } from './rowText.ts';
import { type LinkedNode, type Presentation, TreeNode } from './treeNode.ts';

export class FieldNode extends TreeNode<Field> {
  present(): Presentation {
    const { name, text, value } = this.value;
    return {
      label: name,
      description: text,
      tooltip: `${name}: ${text}`,
      icon: statusIcon(value) ?? new vscode.ThemeIcon(value === null ? 'symbol-null' : `symbol-${typeof value}`),
      accessibilityLabel: `${name}: ${text}`,
      contextValue: 'field',
    };
  }
}

interface TemplatedLink {
  readonly label: string;
  /** Shown beside the label, the most important first. */
  readonly notes: readonly string[];
  readonly link: Link;
  readonly target: Extract<LinkTarget, { readonly kind: 'template' }>;
}

/** A link that needs values before it leads anywhere; a click asks for them. */
export class TemplateNode extends TreeNode<TemplatedLink> {
  present(): Presentation {
    const { label, notes, link, target } = this.value;
    const variables = listText(target.variables);
    return {
      label,
      description: [...notes, variables].join(' · '),
      tooltip: rowTooltip(label, link.rel, target.template),
      icon: new vscode.ThemeIcon('symbol-variable'),
      accessibilityLabel: vscode.l10n.t('{0}, a link that asks for {1}', [label, ...notes].join(', '), variables),
      contextValue: 'template',
      command: 'appBuild.openTemplate',
    };
  }
}

interface ExternalLink {
  readonly label: string;
  /** Shown beside the label, the most important first. */
  readonly notes: readonly string[];
  readonly relation: string;
  readonly url: string;
  /** The notes begin with the value that looks like a link, which shows the host. */
  readonly hasValue?: boolean;
}

/** A link to another host: opened in a browser after asking, never requested. */
export class ExternalNode extends TreeNode<ExternalLink> {
  get externalUrl(): string {
    return this.value.url;
  }

  present(): Presentation {
    const { label, notes, relation, url, hasValue } = this.value;
    const { host } = new URL(url);
    return {
      label,
      description: (hasValue ? notes : [...notes, vscode.l10n.t('on {0}', host)]).join(' · '),
      tooltip: rowTooltip(label, relation, url),
      icon: new vscode.ThemeIcon('link-external'),
      accessibilityLabel: vscode.l10n.t('{0}, a link to {1}', [label, ...notes].join(', '), host),
      contextValue: 'external',
      command: 'appBuild.openInBrowser',
    };
  }
}

/** A request that a resource offers. A click prepares it; nothing is sent without asking. */
export class FormNode extends TreeNode<Form> {
  get form(): Form {
    return this.value;
  }

  /** Where it is sent; undefined for another host, and for a template. */
  get url(): string | undefined {
    return this.value.target.kind === 'internal' ? this.value.target.url : undefined;
  }

  present(): Presentation {
    const { name, title, method, target } = this.value;
    const label = title ?? name;
    const otherHost = target.kind === 'external' ? new URL(target.url).host : undefined;
    const description =
      otherHost === undefined ? method : vscode.l10n.t('{0} to {1}, not from here', method, otherHost);
    return {
      label,
      description,
      tooltip: `${label}\n${method} ${target.kind === 'template' ? target.template : target.url}`,
      icon: new vscode.ThemeIcon(method === 'DELETE' ? 'trash' : method === 'GET' ? 'search' : 'send'),
      accessibilityLabel: vscode.l10n.t('{0}, a request: {1}', label, description),
      contextValue: otherHost === undefined ? 'form' : 'externalForm',
      command:
        otherHost !== undefined
          ? undefined
          : target.kind === 'template'
            ? 'appBuild.openTemplate'
            : 'appBuild.sendRequest',
    };
  }
}

interface LinkedFile {
  readonly label: string;
  /** Shown beside the label, the most important first. */
  readonly notes?: readonly string[];
  /** Absolute, on the service's origin. */
  readonly url: string;
  readonly type: string | undefined;
  readonly sizeBytes?: number;
}

/** A file: it is saved, or shown when it is an image, and never read as a resource. */
export class DownloadNode extends TreeNode<LinkedFile> implements LinkedNode {
  get url(): string {
    return this.value.url;
  }

  present(): Presentation {
    const { label, notes = [], url, type, sizeBytes } = this.value;
    const description = [...notes, type, sizeBytes === undefined ? undefined : sizeText(sizeBytes)]
      .filter((part) => part !== undefined)
      .join(' · ');
    const isImage = type?.toLowerCase().startsWith('image/') ?? false;
    return {
      label,
      description,
      tooltip: `${label}\n${url}`,
      icon: new vscode.ThemeIcon(isImage ? 'file-media' : 'cloud-download'),
      accessibilityLabel: vscode.l10n.t('{0}, a file to download', spokenText([label, description])),
      contextValue: 'download',
      command: isImage ? 'appBuild.openResource' : 'appBuild.download',
    };
  }
}

/** Stands for a response that is too large to be shown: it says how large, and a click downloads it. */
export class TooLargeNode
  extends TreeNode<{ readonly url: string; readonly error: BodyTooLargeError }>
  implements LinkedNode
{
  get url(): string {
    return this.value.url;
  }

  present(): Presentation {
    const reason = localised(this.value.error.what);
    const { sizeBytes, limitBytes } = this.value.error;
    return {
      label: sizeBytes === undefined ? vscode.l10n.t('More than {0}', sizeText(limitBytes)) : sizeText(sizeBytes),
      description: vscode.l10n.t('Too large to show. Select to download'),
      tooltip: `${reason}\n${this.url}`,
      icon: new vscode.ThemeIcon('cloud-download'),
      accessibilityLabel: vscode.l10n.t('Too large: {0} Select to download it.', reason),
      contextValue: 'download',
      command: 'appBuild.download',
    };
  }
}

export class LoadMoreNode extends TreeNode<ExpandableNode> {
  constructor(list: ExpandableNode) {
    super(list, '+', list);
  }

  present(): Presentation {
    return {
      label: vscode.l10n.t('Load More…'),
      tooltip: vscode.l10n.t('Show more of this list'),
      icon: new vscode.ThemeIcon('ellipsis'),
      contextValue: 'loadMore',
      command: 'appBuild.loadMore',
    };
  }
}
