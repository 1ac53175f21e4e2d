import { userInfo } from 'node:os';

const FALLBACK = 'owner';
/** Characters. */
const MAX_LENGTH = 64;

/** What is not seen, so that the name can look like somebody else's. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** An e-mail address takes no spaces, basic authentication no colon (RFC 7617 §2). Letters have marks. */
const REFUSED = /[^\p{L}\p{M}\p{N}._-]+/gu;

/** A name for the owner of the service, from that of the system's user. */
export function ownerName(): string {
  let name = '';
  try {
    name = userInfo().username;
  } catch {
    // The system does not know the user, as in a container with a user ID of its own.
  }
  return usableName(name);
}

/** The user name that a name of the system becomes; `owner` where nothing of it can be used. */
export function usableName(name: string): string {
  const usable = name.replace(INVISIBLE, '').normalize('NFC').replace(REFUSED, '-');
  // First cut, then trimmed: what ends in the middle of a name may be a hyphen or a dot.
  const cut = Array.from(usable.replace(/^[\p{M}._-]+/u, ''))
    .slice(0, MAX_LENGTH)
    .join('');
  return cut.replace(/[._-]+$/, '') || FALLBACK;
}
