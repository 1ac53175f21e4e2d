import type { Resource } from '../../api/hypermedia/resource.ts';
import { ResourceNode } from '../../resources/tree/resourceNode.ts';
import type { Presentation } from '../../resources/tree/treeNode.ts';
import { findOperation } from '../model/operation.ts';
import { contextValue } from './rowContext.ts';

/** The list of the user's apps. */
export class AppsNode extends ResourceNode {
  /** It stands for what a filter searches. */
  override staysVisible(): boolean {
    return true;
  }

  /** Its own name would fit all of its apps. */
  override get searchText(): string {
    return '';
  }

  override present(): Presentation {
    const resource = resourceOf(this);
    const create =
      resource === undefined ||
      findOperation(resource, 'create-from-file', undefined, this.url) !== undefined ||
      findOperation(resource, 'create-from-repository', undefined, this.url) !== undefined;
    return { ...super.present(), contextValue: contextValue('apps', { create }) };
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
    return { ...super.present(), contextValue: contextValue('keys', { add }) };
  }
}

/** What the list says of itself; what the document above says of it, before it is loaded. */
function resourceOf({ content, value }: ResourceNode): Resource | undefined {
  return content?.kind === 'resource' ? content.paged.resource : value.embedded;
}
