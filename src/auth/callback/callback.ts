import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { MAX_QUERY_LENGTH } from '../limits.ts';

/**
 * The answer that the browser brings to the Callback Url (contract, OAuth web application flow). It's untrusted, because every web
 * page can open such a URL.
 */
export type Callback =
  | { readonly kind: 'code'; readonly code: string; readonly state: string | undefined }
  | { readonly kind: 'denied'; readonly state: string | undefined }
  | { readonly kind: 'failed'; readonly error: string; readonly state: string | undefined }
  /** Not an answer from the service. The reason never repeats the received text. */
  | { readonly kind: 'invalid'; readonly reason: Sentence };

/** Pasted by a person in place of a callback that could not reach this window. */
export type PastedCallback =
  /** A whole callback URL: its query is checked like that of any other callback. */
  | { readonly kind: 'url'; readonly query: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'unusable' };

export const CALLBACK_PATH = '/auth/callback';

// RFC 6749 Appendix A.11 allows more in a code; the service's own are letters and digits, and no service needs spaces or
// controls. What was encoded twice holds a percent sign and fails here.
const CODE = /^[\w.~+/=:@!$*,;()'-]{1,512}$/;
const ERROR = /^[\x20\x21\x23-\x5B\x5D-\x7E]{1,128}$/; // RFC 6749 Appendix A.7

/** @param query the query of the callback URL, without the question mark. */
export function readCallback(query: string): Callback {
  if (query.length > MAX_QUERY_LENGTH) {
    return invalid(sentence('It is too long.'));
  }
  const parameters = new URLSearchParams(query);
  const names = ['code', 'error', 'state'];
  if (names.some((name) => parameters.getAll(name).length > 1)) {
    return invalid(sentence('A parameter stands in it twice.'));
  }
  const [code, error, state] = names.map((name) => parameters.get(name) ?? undefined);
  if (code !== undefined && error !== undefined) {
    return invalid(sentence('It has both a code and an error.'));
  }
  if (error !== undefined) {
    if (error === 'authorization_refused' || error === 'access_denied') {
      return { kind: 'denied', state };
    }
    return ERROR.test(error) ? { kind: 'failed', error, state } : invalid(sentence('Its error is not readable.'));
  }
  if (code === undefined) {
    return invalid(sentence('It has neither a code nor an error.'));
  }
  return CODE.test(code)
    ? { kind: 'code', code, state }
    : invalid(sentence('Its code has characters that no code has.'));
}

/** Reads a callback URL, its query alone, or a bare code. */
export function readPastedCallback(text: string): PastedCallback {
  const trimmed = text.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) {
    return URL.canParse(trimmed) ? { kind: 'url', query: new URL(trimmed).search.slice(1) } : { kind: 'unusable' };
  }
  if (/^\??(code|error|state)=/.test(trimmed)) {
    return { kind: 'url', query: trimmed.replace(/^\?/, '') };
  }
  return /^[\w.~+/-]{4,512}={0,2}$/.test(trimmed) ? { kind: 'code', code: trimmed } : { kind: 'unusable' };
}

function invalid(reason: Sentence): Callback {
  return { kind: 'invalid', reason };
}
