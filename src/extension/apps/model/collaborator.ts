import type { Resource } from '../../../service-client/index.ts';
import { MAX_ROWS } from '../../workbench/limits.ts';
import { getBoolean, selfUrl, textMember } from './members.ts';

/** A user who works on an app or has been invited to it. */
export interface Collaborator {
  /** Address of the collaborator. Undefined for an invitation. */
  readonly url: string | undefined;
  readonly person: string;
  readonly role: string;
  readonly pending: boolean;
  readonly resource: Resource;
}

/**
 * Reads the collaborators of an app, active ones first. Accepts an app with its two lists of collaborators, the
 * response to a change with a single list, or the collaborators resource itself. Never throws.
 */
export function readCollaborators(resource: Resource): readonly Collaborator[] {
  const own = resource.embedded.filter(({ rel }) => rel === 'collaborators');
  const lists =
    own.length === 0
      ? resource.embedded
      : own.flatMap((one) => (one.index === undefined ? one.resource.embedded : [one]));
  const people = lists
    .slice(0, MAX_ROWS)
    .flatMap(({ rel, index, resource: item }) =>
      index !== undefined && /^(collaborators|active|pending)$/.test(rel) ? (read(item, rel === 'pending') ?? []) : [],
    );
  return [...people.filter(({ pending }) => !pending), ...people.filter(({ pending }) => pending)];
}

function read(resource: Resource, isInvited: boolean): Collaborator | undefined {
  const person = textMember(resource, 'person') ?? textMember(resource, 'email') ?? textMember(resource, 'username');
  return person === undefined
    ? undefined
    : {
        url: selfUrl(resource),
        person,
        role: textMember(resource, 'role') ?? '',
        pending: isInvited || getBoolean(resource, 'pending') === true,
        resource,
      };
}
