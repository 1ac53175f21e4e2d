import { unescape } from 'node:querystring';

/** Query parameters that carry credentials (contract, Authentication): never part of an address that is kept or shown. */
const CREDENTIAL_PARAMETERS: readonly string[] = ['access_token', 'auth_token'];

/** `name=value` after its separator; the value may hold expressions of a URI template. */
const PARAMETER = /([?#&;])([^?#&;={}]*)=([^&;#{]*(?:\{(?![?#&;])[^{}]*\}[^&;#{]*)*)/g;

/**
 * Removes user info, and credentials in query and fragment, whatever the case and encoding of their names and whether `&` or `;`
 * separates them. The rest stays as it was: a query may be signed.
 *
 * @returns the given URL.
 */
export function removeCredentials(url: URL): URL {
  if (url.username !== '' || url.password !== '') {
    url.username = '';
    url.password = '';
  }
  const search = withoutCredentialPairs(url.search);
  if (search !== url.search) {
    url.search = search;
  }
  const hash = withoutCredentialPairs(url.hash);
  if (hash !== url.hash) {
    url.hash = hash;
  }
  return url;
}

/** A URI template without the values of credentials. Their names and all expressions stay: what follows builds on them. */
export function withoutCredentialValues(template: string): string {
  return template.replace(PARAMETER, (parameter, separator: string, name: string, value: string) =>
    isCredential(name) ? `${separator}${name}=${(value.match(/\{[^{}]*\}/g) ?? []).join('')}` : parameter,
  );
}

/** @param part a query or a fragment, with the character that begins it; or empty. */
function withoutCredentialPairs(part: string): string {
  if (part === '') {
    return part;
  }
  // Pairs and, between them, their separators.
  const pieces = part.slice(1).split(/([&;])/);
  let rest = '';
  for (let index = 0; index < pieces.length; index += 2) {
    const pair = pieces[index] ?? '';
    if (!isCredential(pair.split('=', 1)[0] ?? '')) {
      rest += (rest === '' ? part.charAt(0) : (pieces[index - 1] ?? '&')) + pair;
    }
  }
  return rest.length === part.length ? part : rest;
}

/** @param name as written in a query. */
function isCredential(name: string): boolean {
  return CREDENTIAL_PARAMETERS.includes(unescape(name.replaceAll('+', ' ')).trim().toLowerCase());
}
