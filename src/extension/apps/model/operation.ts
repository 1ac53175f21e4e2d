import type { FormField, Resource } from '../../../service-client/index.ts';
import { OperationNotOfferedError } from '../appErrors.ts';
import type { App } from './app.ts';
import { selfUrl, textMember } from './members.ts';

/** Operations on an app, a key, a collaborator, or a list of these. */
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
  | 'set-default'
  | 'delete-key';

/** A request that changes something, with the encoding of its values. */
export interface Operation {
  readonly method: string;
  /** Absolute address on the service's origin. */
  readonly url: string;
  /**
   * `form`: the fields and media type of a form that the resource offers. `data`: a `data` field with JSON, next to the files, as PhoneGap
   * Build requires.
   */
  readonly encoding:
    | { readonly kind: 'form'; readonly contentType: string; readonly fields: readonly FormField[] }
    | { readonly kind: 'data' };
}

interface OperationDefinition {
  /** Names of forms and link relations, by precedence. For a single platform, `-PLATFORM` is appended. */
  readonly names: readonly string[];
  /** PhoneGap Build's request. Undefined if it didn't have this operation. */
  readonly documented?: { readonly method: 'POST' | 'PUT' | 'DELETE'; readonly below?: string };
  /** The role that PhoneGap Build required. Undefined if the operation isn't on an app. */
  readonly role?: 'developer' | 'owner';
}

const DEFINITIONS: Readonly<Record<OperationName, OperationDefinition>> = {
  'create-from-file': { names: ['create-from-file', 'create'], documented: { method: 'POST' } },
  'create-from-repository': { names: ['create-from-repository', 'create'], documented: { method: 'POST' } },
  update: { names: ['update', 'edit'], documented: { method: 'PUT' }, role: 'developer' },
  upload: { names: ['upload', 'update'], documented: { method: 'PUT' }, role: 'developer' },
  pull: { names: ['pull'], documented: { method: 'PUT' }, role: 'developer' },
  build: { names: ['build'], documented: { method: 'POST', below: '/build' }, role: 'developer' },
  cancel: { names: ['cancel'], role: 'developer' },
  'upload-icon': { names: ['upload-icon', 'icon'], documented: { method: 'POST', below: '/icon' }, role: 'developer' },
  delete: { names: ['delete'], documented: { method: 'DELETE' }, role: 'owner' },
  'add-collaborator': {
    names: ['add-collaborator'],
    documented: { method: 'POST', below: '/collaborators' },
    role: 'owner',
  },
  'change-role': { names: ['change-role'], documented: { method: 'PUT' } },
  'remove-collaborator': { names: ['remove-collaborator', 'remove', 'leave'], documented: { method: 'DELETE' } },
  'add-key': { names: ['add', 'add-key'], documented: { method: 'POST' } },
  unlock: { names: ['unlock'], documented: { method: 'PUT' } },
  lock: { names: ['lock'], documented: { method: 'PUT' } },
  'set-default': { names: ['make-default', 'set-default'], documented: { method: 'PUT' } },
  'delete-key': { names: ['delete'], documented: { method: 'DELETE' } },
};

/** Operations that need a form with a file field. A form with the same name but no file field does something else. */
const WITH_FILE: ReadonlySet<OperationName> = new Set(['create-from-file', 'upload', 'upload-icon']);

/**
 * Finds the request for an operation. Looks first for a form on the resource, then for a link that has a matching relation and specifies a
 * method. If the resource has no forms, falls back to PhoneGap Build's documented path under the resource's address, provided that the
 * account's role allows the operation. List items have no forms, so read the item itself first.
 * @param platform the platform, for `build` and `cancel` on a single platform.
 * @param url the resource's address, in case it has no self link.
 * @returns undefined if the service doesn't offer the operation.
 */
export function findOperation(
  resource: Resource,
  name: OperationName,
  platform?: string,
  url: string | undefined = selfUrl(resource),
): Operation | undefined {
  const { names } = DEFINITIONS[name];
  const requested = platform === undefined ? names : names.map((each) => `${each}-${platform}`);
  return (
    formOperation(resource, name, requested) ??
    linkOperation(resource, requested) ??
    documentedOperation(resource, name, platform, url)
  );
}

/** Like {@link findOperation}, but throws if the service doesn't offer the operation. @throws OperationNotOfferedError */
export function requireOperation(
  { resource, url, title }: Pick<App, 'resource' | 'title'> & { readonly url: string | undefined },
  name: OperationName,
  platform?: string,
): Operation {
  const operation = findOperation(resource, name, platform, url);
  if (operation === undefined) {
    throw new OperationNotOfferedError(title);
  }
  return operation;
}

/** Reports whether the service describes the operations on the resource with forms. An empty list of forms counts. */
export function offersForms({ forms, fields }: Resource): boolean {
  return forms.length > 0 || fields.some(({ name }) => name === 'actions');
}

function formOperation({ forms }: Resource, name: OperationName, requested: readonly string[]): Operation | undefined {
  for (const each of requested) {
    const form = forms.find(
      (candidate) =>
        candidate.name === each && (!WITH_FILE.has(name) || candidate.fields.some(({ type }) => type === 'file')),
    );
    if (form?.target.kind === 'internal') {
      const { method, target, contentType, fields } = form;
      return { method, url: target.url, encoding: { kind: 'form', contentType, fields } };
    }
  }
  return undefined;
}

function linkOperation({ links }: Resource, requested: readonly string[]): Operation | undefined {
  const link = links.find(
    ({ rel, method = 'GET' }) => requested.includes(rel) && method !== 'GET' && method !== 'HEAD',
  );
  return link?.method !== undefined && link.target.kind === 'internal'
    ? { method: link.method, url: link.target.url, encoding: { kind: 'data' } }
    : undefined;
}

function documentedOperation(
  resource: Resource,
  name: OperationName,
  platform: string | undefined,
  url: string | undefined,
): Operation | undefined {
  const { documented, role } = DEFINITIONS[name];
  if (documented === undefined || url === undefined || offersForms(resource) || !isAllowed(resource, name, role)) {
    return undefined;
  }
  const address = url.replace(/[?#].*$/s, '').replace(/\/$/, '');
  const below = documented.below ?? '';
  const step = platform === undefined ? '' : `/${encodeURIComponent(platform)}`;
  return { method: documented.method, url: address + below + step, encoding: { kind: 'data' } };
}

function isAllowed(resource: Resource, name: OperationName, needed: 'developer' | 'owner' | undefined): boolean {
  const role = textMember(resource, 'role');
  const isOwner = role === undefined || role === 'admin' || role === 'owner';
  if (name === 'change-role' || name === 'remove-collaborator') {
    // Here, `role` is the role of the collaborator.
    return role !== 'admin' && role !== 'owner';
  }
  if (name === 'pull' && textMember(resource, 'repo') === undefined) {
    return false;
  }
  return needed === undefined || isOwner || (needed === 'developer' && role !== 'tester');
}
