import * as vscode from 'vscode';

import { BodyTooLargeError, RedirectError } from '../../api/errors/responseErrors.ts';
import type { Resource } from '../../api/hypermedia/resource.ts';
import type { ServiceResponse } from '../../api/http/response.ts';
import { ROWS_TAKEN_MS } from '../limits.ts';
import {
  type EmbeddedContent,
  ExpandableNode,
  type GetResource,
  type LinkedResource,
  type NodeContent,
  selfRelationsText,
} from './expandableNode.ts';
import { relationIcon, statusIcon } from './icons.ts';
import { DownloadNode, ExternalNode, TooLargeNode } from './leafNodes.ts';
import { NoteNode } from './noteNode.ts';
import { withoutWrapper } from './paging.ts';
import { rowTooltip } from './rowText.ts';
import type { LinkedNode, Presentation, TreeNode } from './treeNode.ts';

/** A resource with a URL, which is loaded when the node is expanded. */
export class ResourceNode extends ExpandableNode<LinkedResource> implements LinkedNode {
  get url(): string {
    return this.value.url;
  }

  get relation(): string {
    return this.value.relation;
  }

  /** What it says of itself, or else what the document says that it stands in. */
  protected get latestResource(): Resource | undefined {
    return this.content?.kind === 'resource' ? this.content.paged.resource : this.value.embedded;
  }

  /** Draws the row again when its first load says more than the document that it stands in. */
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
    const { label, notes = [], relation, role, status, deprecated, inferred, icon, expanded, leaf } = this.value;
    const buildStatusIcon = status === undefined ? undefined : statusIcon(status);
    const description = [
      ...notes,
      role,
      buildStatusIcon && status,
      deprecated ? vscode.l10n.t('deprecated') : undefined,
      inferred ? vscode.l10n.t('looks like a link') : undefined,
      leaf === 'shownAbove' ? vscode.l10n.t('shown above') : undefined,
      leaf === 'tooDeep' ? vscode.l10n.t('too deep to open here') : undefined,
    ];
    return {
      label,
      description: description.filter((note) => note !== undefined).join(' · '),
      tooltip: rowTooltip(label, relation, this.url, selfRelationsText(this.latestResource)),
      icon:
        leaf === 'shownAbove'
          ? new vscode.ThemeIcon('references')
          : (buildStatusIcon ?? relationIcon(relation, icon ?? 'symbol-object')),
      ...(leaf === undefined && { collapsibleState: expanded ? 'expanded' : 'collapsed' }),
      contextValue: 'resource',
    };
  }

  protected override get embedded(): EmbeddedContent | undefined {
    const { embedded: resource } = this.value;
    return resource === undefined ? undefined : { resource, note: NoteNode.embedded(this) };
  }

  protected async loadContent(get: GetResource): Promise<NodeContent> {
    try {
      const response = await get(this.url);
      this.context.addRecent([{ url: this.url, title: this.value.label }]);
      return this.#contentOf(response);
    } catch (error) {
      if (error instanceof BodyTooLargeError) {
        return { kind: 'nodes', nodes: [new TooLargeNode(this, '>tooLarge', { url: this.url, error })] };
      }
      if (error instanceof RedirectError && error.target !== undefined) {
        const label = vscode.l10n.t('Leads to another server');
        const link = { label, notes: [], relation: 'redirect', url: error.target };
        const external = new ExternalNode(this, '>redirect', link);
        return { kind: 'nodes', nodes: [external] };
      }
      return { kind: 'failure', error };
    }
  }

  #contentOf({ url, body, mediaType }: ServiceResponse): NodeContent {
    switch (body.kind) {
      case 'json':
        return {
          kind: 'resource',
          paged: { resource: withoutWrapper(body.resource, this.relation, url), laterPages: [] },
        };
      case 'text':
        return { kind: 'nodes', nodes: [NoteNode.text(this, body.text.length)] };
      case 'binary': {
        const label = mediaType.startsWith('image/')
          ? vscode.l10n.t('An image. Select to open it.')
          : vscode.l10n.t('A file. Select to download it.');
        const file = { label, url: this.url, type: mediaType, sizeBytes: body.bytes.byteLength };
        return { kind: 'nodes', nodes: [new DownloadNode(this, '>file', file)] };
      }
      case 'none':
        return { kind: 'nodes', nodes: [NoteNode.noContent(this)] };
    }
  }
}

/** The signed-in user: the API's home (contract, endpoints 1 and 2), as it describes itself. */
export class UserNode extends ResourceNode {
  override present(): Presentation {
    const presentation = super.present();
    const text = (name: string) => this.latestResource?.fields.find((field) => field.name === name)?.text;
    return { ...presentation, label: text('username') ?? presentation.label, description: text('email') };
  }
}
