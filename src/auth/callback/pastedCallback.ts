/** What a person pasted in place of a callback that could not reach this window. */
export type Pasted =
  /** A whole callback URL: its query is judged like any other callback. */
  | { readonly kind: 'url'; readonly query: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'unusable' };

/** Reads a callback URL, its query alone, or a bare code. */
export function readPasted(text: string): Pasted {
  const trimmed = text.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) {
    return URL.canParse(trimmed) ? { kind: 'url', query: new URL(trimmed).search.slice(1) } : { kind: 'unusable' };
  }
  if (/^\??(code|error|state)=/.test(trimmed)) {
    return { kind: 'url', query: trimmed.replace(/^\?/, '') };
  }
  return /^[\w.~+/-]{4,512}={0,2}$/.test(trimmed) ? { kind: 'code', code: trimmed } : { kind: 'unusable' };
}
