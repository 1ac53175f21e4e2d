import * as vscode from 'vscode';
import {
  BodyTooLargeError,
  RedirectError,
  type Resource,
  type ServiceResponse,
} from '../../../service-client/index.ts';
import { numberText } from '../../workbench/texts.ts';
import { ROWS_TAKEN_MS } from '../limits.ts';
import {
  ExpandableNode,
  type GetResource,
  type LinkedResource,
  type NodeContent,
  selfRelationsText,
} from './expandableNode.ts';
import { relationIcon, statusIcon } from './icons.ts';
import { downloadNode, externalNode, noteNode, tooLargeNode } from './leafNodes.ts';
import { withoutWrapper } from './paging.ts';
import { rowTooltip } from './rowText.ts';
import type { Presentation, TreeNode } from './treeNode.ts';

/** Resource with a URL, which is loaded when the node is expanded. */
export class ResourceNode<Value extends LinkedResource = LinkedResource> extends ExpandableNode<Value> {
  #lastRead: Resource | undefined = this.value.embedded;

  get url(): string {
    return this.value.url;
  }

  get relation(): string {
    return this.value.relation;
  }

  /** The resource as loaded from its own URL, or its embedded copy, which may lack the forms. */
  protected get wholeResource(): Resource | undefined {
    return this.resource ?? this.value.embedded;
  }

  /** The most recently read version, loaded from its URL or from a list. */
  protected get latestResource(): Resource | undefined {
    return this.#lastRead;
  }

  /** Returns the child nodes. Redraws the row if the first load returns more details than the enclosing document. */
  override async getChildren(get?: GetResource): Promise<readonly TreeNode[]> {
    const isFirstLoad = this.content === undefined;
    const nodes = await super.getChildren(get);
    if (isFirstLoad) {
      setTimeout(() => {
        if (this.hasChanged()) {
          this.context.redraw(this);
        }
      }, ROWS_TAKEN_MS);
    }
    return nodes;
  }

  present(): Presentation {
    const { label, notes = [], relation, role, status, deprecated, inferred, icon, expanded } = this.value;
    const { isShownAbove = false } = this.value;
    const buildStatusIcon = status === undefined ? undefined : statusIcon(status);
    const description = [
      ...notes,
      role,
      buildStatusIcon && status,
      deprecated ? vscode.l10n.t('deprecated') : undefined,
      inferred ? vscode.l10n.t('looks like a link') : undefined,
      isShownAbove ? vscode.l10n.t('shown above') : undefined,
    ];
    return {
      label,
      description: description.filter((note) => note !== undefined).join(' · '),
      tooltip: rowTooltip(label, relation, this.url, selfRelationsText(this.wholeResource)),
      icon: isShownAbove
        ? new vscode.ThemeIcon('references')
        : (buildStatusIcon ?? relationIcon(relation, icon ?? 'symbol-object')),
      ...(!isShownAbove && { collapsibleState: expanded ? 'expanded' : 'collapsed' }),
      contextValue: 'resource',
    };
  }

  protected override get embedded(): Resource | undefined {
    return this.value.embedded;
  }

  protected override followValue(): readonly TreeNode[] {
    this.#lastRead = this.value.embedded ?? this.#lastRead;
    return [];
  }

  protected async loadContent(get: GetResource): Promise<NodeContent> {
    try {
      const response = await get(this.url);
      this.context.addRecent([{ url: this.url, title: this.value.label }]);
      const content = this.#toContent(response);
      this.#lastRead = content.kind === 'resource' ? content.paged.resource : this.#lastRead;
      return content;
    } catch (error) {
      if (error instanceof BodyTooLargeError) {
        return { kind: 'nodes', nodes: [tooLargeNode(this, '>tooLarge', this.url, error)] };
      }
      if (error instanceof RedirectError && error.target !== undefined) {
        const text = { label: vscode.l10n.t('Leads to another server'), notes: [] };
        return { kind: 'nodes', nodes: [externalNode(this, '>redirect', text, 'redirect', error.target)] };
      }
      return { kind: 'failure', error };
    }
  }

  #toContent({ url, body, mediaType }: ServiceResponse): NodeContent {
    switch (body.kind) {
      case 'json':
        return {
          kind: 'resource',
          paged: { resource: withoutWrapper(body.resource, this.relation, url), laterPages: [] },
        };
      case 'text': {
        const text = vscode.l10n.t('Text, {0} characters. Select to open it.', numberText(body.text.length));
        return {
          kind: 'nodes',
          nodes: [noteNode(this, '?text', { text, icon: 'file', command: 'appBuild.openResource' })],
        };
      }
      case 'binary': {
        const label = mediaType.startsWith('image/')
          ? vscode.l10n.t('An image. Select to open it.')
          : vscode.l10n.t('A file. Select to download it.');
        const { byteLength } = body.bytes;
        return {
          kind: 'nodes',
          nodes: [downloadNode(this, '>file', { label, notes: [] }, this.url, mediaType, byteLength)],
        };
      }
      case 'none': {
        const text = vscode.l10n.t('The service returned no content');
        return { kind: 'nodes', nodes: [noteNode(this, '?none', { text, icon: 'circle-outline' })] };
      }
    }
  }
}

/** Node of the signed-in user: the API home (contract, endpoints 1 and 2). */
export class UserNode extends ResourceNode {
  override present(): Presentation {
    const presentation = super.present();
    const text = (name: string) => this.wholeResource?.fields.find((field) => field.name === name)?.text;
    return { ...presentation, label: text('username') ?? presentation.label, description: text('email') };
  }
}

interface ResourceGroup {
  readonly label: string;
  /** Notes after the label, most important first. */
  readonly notes: readonly string[];
  readonly relation: string;
  readonly resource: Resource;
  /** Icon ID for a relation without its own icon. */
  readonly icon: string;
  /** Tooltip. Defaults to the label and the relation. */
  readonly tooltip?: string;
}

/** Node for an embedded resource without a URL, such as the statuses of an app. */
export class GroupNode extends ExpandableNode<ResourceGroup> {
  get relation(): string {
    return this.value.relation;
  }

  present(): Presentation {
    const { label, notes, relation, resource, icon, tooltip } = this.value;
    return {
      label,
      description: notes.join(' · '),
      tooltip: tooltip ?? rowTooltip(label, relation, selfRelationsText(resource)),
      icon: relationIcon(relation, icon),
      collapsibleState: 'collapsed',
      contextValue: 'group',
    };
  }

  protected override followValue(): readonly TreeNode[] {
    return this.showContent(this.#currentContent());
  }

  protected loadContent(): Promise<NodeContent> {
    return Promise.resolve(this.#currentContent());
  }

  #currentContent(): NodeContent {
    return { kind: 'resource', paged: { resource: this.value.resource, laterPages: [] } };
  }
}
