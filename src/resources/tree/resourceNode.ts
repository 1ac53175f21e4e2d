import * as vscode from 'vscode';
import { RedirectError } from '../../api/errors/redirectError.ts';
import type { ServiceResponse } from '../../api/http/response.ts';
import { relationIcon, statusIcon } from './icons.ts';
import { Branch, type Content } from './branch.ts';
import type { Collection } from './collection.ts';
import { DownloadNode } from './downloadNode.ts';
import { ExternalNode } from './externalNode.ts';
import { membersOf } from './members.ts';
import type { Linked, Node } from './node.ts';
import { NoteNode } from './noteNode.ts';
import type { Look } from './row.ts';

/** A link, or an embedded resource that names itself. */
interface Target {
  /** Absolute, on the service's origin, without credentials. */
  readonly url: string;
  readonly label: string;
  /** The relation that led here; decides the icon. */
  readonly relation: string;
  /** Shown beside a label that does not say what the thing is. */
  readonly kind?: string;
  readonly role?: string | undefined;
  readonly status?: string | undefined;
  readonly deprecated?: boolean;
  /** It only looks like a link. */
  readonly inferred?: boolean;
  /** Icon for a relation that has none of its own. */
  readonly icon?: string;
  readonly expanded?: boolean;
  /** Why nothing is shown below. */
  readonly leaf?: 'above' | 'tooDeep' | undefined;
}

/** Something with a URL that loads when it is opened. */
export class ResourceNode extends Branch<Target> implements Linked {
  get url(): string {
    return this.value.url;
  }

  get relation(): string {
    return this.value.relation;
  }

  look(): Look {
    const {
      label,
      relation,
      kind,
      role,
      status,
      deprecated,
      inferred,
      icon = 'symbol-object',
      expanded,
      leaf,
    } = this.value;
    const knownStatus = status === undefined ? undefined : statusIcon(status);
    const notes = [
      kind,
      role,
      knownStatus && status,
      deprecated ? vscode.l10n.t('deprecated') : undefined,
      inferred ? vscode.l10n.t('looks like a link') : undefined,
      leaf === 'above'
        ? vscode.l10n.t('shown above')
        : leaf === 'tooDeep'
          ? vscode.l10n.t('too deep to open here')
          : undefined,
    ];
    return {
      label,
      description: notes.filter((note) => note !== undefined).join(' · '),
      tooltip: `${label}\n${this.url}`,
      icon: leaf === 'above' ? new vscode.ThemeIcon('references') : (knownStatus ?? relationIcon(relation, icon)),
      ...(leaf === undefined && { opens: expanded ? 'expanded' : 'collapsed' }),
      context: 'resource',
    };
  }

  protected async read(): Promise<Content> {
    try {
      const response = await this.scope.client.get(this.url);
      this.scope.seen([{ url: this.url, title: this.value.label }]);
      return this.#contentOf(response);
    } catch (error) {
      const target = error instanceof RedirectError ? error.target : undefined;
      return target === undefined
        ? { kind: 'failure', error }
        : {
            kind: 'rows',
            rows: [
              new ExternalNode(this, '>redirect', {
                label: vscode.l10n.t('Leads to another server'),
                relation: 'redirect',
                url: target,
              }),
            ],
          };
    }
  }

  protected members(collection: Collection, limit: number, more: boolean): readonly Node[] {
    return membersOf(this, collection, limit, more);
  }

  #contentOf({ body, mediaType }: ServiceResponse): Content {
    switch (body.kind) {
      case 'json':
        return {
          kind: 'collection',
          collection: { resource: body.resource, isArray: Array.isArray(body.value), pages: [] },
        };
      case 'text':
        return { kind: 'rows', rows: [NoteNode.text(this, body.text.length)] };
      case 'binary': {
        const label = mediaType.startsWith('image/')
          ? vscode.l10n.t('An image. Select to open it.')
          : vscode.l10n.t('A file. Select to download it.');
        return {
          kind: 'rows',
          rows: [
            new DownloadNode(this, '>file', { label, url: this.url, type: mediaType, bytes: body.bytes.byteLength }),
          ],
        };
      }
      case 'none':
        return { kind: 'rows', rows: [NoteNode.noContent(this)] };
    }
  }
}
