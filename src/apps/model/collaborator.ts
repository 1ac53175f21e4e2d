import type { Resource } from '../../api/hypermedia/resource.ts';

/** Somebody who works on an app. */
export interface Collaborator {
  /** Undefined for one who is invited only. */
  readonly url: string | undefined;
  /** E-mail address. */
  readonly person: string;
  /** As the service sent it. */
  readonly role: string;
  readonly pending: boolean;
  readonly resource: Resource;
}

/** Reads the collaborators of an app: the active ones, then the invited ones. */
export function readCollaborators(_app: Resource): readonly Collaborator[] {
  throw new Error('Not written yet.');
}
