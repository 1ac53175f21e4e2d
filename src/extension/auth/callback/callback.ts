import { sentence, type Sentence } from '../../../errors/index.ts';
import { MAX_QUERY_LENGTH } from '../limits.ts';

/**
 * Response that the browser passes to the callback URL (contract, OAuth web application flow). It's untrusted, because any web page can
 * open such a URL.
 */
export type Callback =
  | { readonly kind: 'code'; readonly code: string; readonly state: string | undefined }
  | { readonly kind: 'denied'; readonly state: string | undefined }
  | { readonly kind: 'failed'; readonly error: string; readonly state: string | undefined }
  /** A query that isn't a response from the service. The reason never repeats the received text. */
  | { readonly kind: 'invalid'; readonly reason: Sentence };

/** Text that the user pasted in place of a callback that couldn't reach this window. */
export type PastedCallback =
  /** Complete callback URL. Its query is checked like that of any callback. */
  | { readonly kind: 'url'; readonly query: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'unusable' };

/** Path of the callback URL. */
export const CALLBACK_PATH = '/auth/callback';

// RFC 6749 Appendix A.11 allows more characters in a code. The service's codes consist of letters and digits, and no
// service needs spaces or control characters. A double-encoded code contains a percent sign, so it doesn't match.
const CODE = /^[\w.~+/=:@!$*,;()'-]{1,512}$/;
const ERROR = /^[\x20\x21\x23-\x5B\x5D-\x7E]{1,128}$/; // RFC 6749 Appendix A.7.

/** Reads the query of a callback URL. @param query query without the question mark. */
export function readCallback(query: string): Callback {
  if (query.length > MAX_QUERY_LENGTH) {
    return invalid(sentence('It’s too long.'));
  }
  const parameters = new URLSearchParams(query);
  const names = ['code', 'error', 'state'];
  if (names.some((name) => parameters.getAll(name).length > 1)) {
    return invalid(sentence('It contains a parameter twice.'));
  }
  const [code, error, state] = names.map((name) => parameters.get(name) ?? undefined);
  if (code !== undefined && error !== undefined) {
    return invalid(sentence('It has both a code and an error.'));
  }
  if (error !== undefined) {
    if (error === 'authorization_refused' || error === 'access_denied') {
      return { kind: 'denied', state };
    }
    return ERROR.test(error) ? { kind: 'failed', error, state } : invalid(sentence('Its error can’t be read.'));
  }
  if (code === undefined) {
    return invalid(sentence('It has neither a code nor an error.'));
  }
  return CODE.test(code) ? { kind: 'code', code, state } : invalid(sentence('Its code contains invalid characters.'));
}

/** Reads pasted text: a callback URL, only its query, or only a code. */
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
