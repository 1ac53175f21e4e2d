import type { Resource } from '../../api/hypermedia/resource.ts';

/** What can be done with an app, a key, a collaborator, or a list of these. */
export type OperationName =
  // a list of apps
  | 'create-from-file'
  | 'create-from-repository'
  // an app
  | 'update'
  | 'upload'
  | 'pull'
  | 'build'
  | 'cancel'
  | 'share'
  | 'upload-icon'
  | 'delete'
  | 'add-collaborator'
  // a collaborator
  | 'change-role'
  | 'remove-collaborator'
  // keys
  | 'add-key'
  | 'unlock'
  | 'lock'
  | 'edit-key'
  | 'set-default'
  | 'delete-key';

/** A request that does something: how it is sent, and how its values are encoded. */
export interface Operation {
  readonly name: OperationName;
  readonly method: string;
  /** Absolute, on the service's origin. */
  readonly url: string;
  /**
   * `form`: the fields and the type of a form that the resource offers. `data`: as the original takes it, a part or parameter
   * `data` with JSON, and files beside it (client-writes).
   */
  readonly encoding:
    | { readonly kind: 'form'; readonly contentType: string; readonly fields: readonly string[] }
    | { readonly kind: 'data' };
}

/**
 * How an operation is reached: by a form that the resource offers, else by a link of that relation; where a resource offers no
 * forms at all, by the original's documented path under the resource's own link, as far as the user's role allows it.
 *
 * @param platform of `build` and `cancel` for one platform, and of `add-key`.
 * @returns undefined when the service does not offer it.
 */
export function findOperation(_resource: Resource, _name: OperationName, _platform?: string): Operation | undefined {
  throw new Error('Not written yet.');
}
