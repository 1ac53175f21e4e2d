import * as vscode from 'vscode';
import type { Resource } from '../../api/hypermedia/resource.ts';
import type { GetResource, NodeContent } from '../../resources/tree/expandableNode.ts';
import { NoteNode } from '../../resources/tree/noteNode.ts';
import { ResourceNode } from '../../resources/tree/resourceNode.ts';
import type { Presentation } from '../../resources/tree/treeNode.ts';
import { findOperation, type OperationName } from '../model/operation.ts';
import { contextValue } from './rowContext.ts';

/** The forms by which apps are created. */
const CREATION_FORMS: readonly OperationName[] = ['create-from-file', 'create-from-repository'];

/** The list of the user's apps. */
export class AppsNode extends ResourceNode {
  /** What the service said of the list, with its forms. */
  #latest: Resource | undefined;

  /** It stands for what a filter searches. */
  override staysVisible(): boolean {
    return true;
  }

  /** Its own name would fit all of its apps. */
  override get searchText(): string {
    return '';
  }

  override present(): Presentation {
    const resource = this.#latest ?? this.value.embedded;
    const create =
      resource === undefined ||
      CREATION_FORMS.some((name) => findOperation(resource, name, undefined, this.url) !== undefined);
    return { ...named(this, super.present(), vscode.l10n.t('Apps')), contextValue: contextValue('apps', { create }) };
  }

  /** One row above the apps stands for the forms that create one, which would be found below the last of them. */
  protected override async loadContent(get: GetResource): Promise<NodeContent> {
    const content = await super.loadContent(get);
    if (content.kind !== 'resource') {
      return content;
    }
    const { resource } = content.paged;
    this.#latest = resource;
    const forms = resource.forms.filter(({ name }) => !CREATION_FORMS.some((each) => each === name));
    if (forms.length === resource.forms.length) {
      return content;
    }
    const text = vscode.l10n.t('Create App…');
    const create = new NoteNode(this, '+create', { text, icon: 'add', command: 'appBuild.createApp' });
    // Where the list is empty, that row says enough.
    const fields = resource.fields.filter(({ text: value }) => value !== '[]');
    return { ...content, paged: { ...content.paged, resource: { ...resource, forms, fields } }, notes: [create] };
  }
}

/** The user's signing keys, of all platforms or of one. */
export class KeysNode extends ResourceNode {
  /** Undefined for the list of all platforms. */
  get platform(): string | undefined {
    return this.parent instanceof KeysNode ? this.relation : undefined;
  }

  override staysVisible(): boolean {
    return true;
  }

  /** The keys of a platform fit its name. */
  override get searchText(): string {
    return this.platform ?? '';
  }

  override present(): Presentation {
    const resource = resourceOf(this);
    // The list of all platforms leads to where keys are added.
    const add =
      this.platform === undefined ||
      resource === undefined ||
      findOperation(resource, 'add-key', undefined, this.url) !== undefined;
    const presentation = super.present();
    const shown = this.platform === undefined ? named(this, presentation, vscode.l10n.t('Signing Keys')) : presentation;
    return { ...shown, contextValue: contextValue('keys', { add }) };
  }
}

/** The list by the name that people know it by, the service's word in the tooltip; one that the service itself names keeps that. */
function named({ relation, url }: ResourceNode, shown: Presentation, name: string): Presentation {
  return shown.label === relation ? { ...shown, label: name, tooltip: `${name}\n${relation}\n${url}` } : shown;
}

/** What the list says of itself; what the document above says of it, before it is loaded. */
function resourceOf({ content, value }: ResourceNode): Resource | undefined {
  return content?.kind === 'resource' ? content.paged.resource : value.embedded;
}
