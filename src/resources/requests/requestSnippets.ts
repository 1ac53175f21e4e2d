import { escapeUTF8 } from 'entities/escape';
import { InvalidInputError } from '../../api/errors/buildServiceError.ts';
import { sentence } from '../../api/errors/sentence.ts';

/** Characters that a terminal obeys as keys, also between quotes, and those that change how a line looks. */
const CONTROL_CHARACTER = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

export interface CurlRequest {
  readonly method: string;
  /** Absolute, without credentials. */
  readonly url: string;
  /** The query parameter that carries the token (contract, Authentication). */
  readonly tokenParameter: 'access_token' | 'auth_token';
  readonly contentType?: string;
  readonly body?: string;
}

/**
 * A command for a POSIX shell that sends the request with curl. Neither the command nor the shell's history contains the token: the
 * shell reads it from APP_BUILD_TOKEN. The command is one line, so nothing runs before the user presses Enter.
 *
 * @throws InvalidInputError when the request holds a control character: quotes keep it from the shell, but not from the
 * terminal.
 */
export function curlCommand({ method, url, tokenParameter, contentType, body }: CurlRequest): string {
  const isPlainGet = method === 'GET' && body === undefined;
  const command = [
    'curl',
    isPlainGet ? '-G' : `-X ${quote(method)}`,
    // Otherwise curl expands brackets and braces to ranges and lists.
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    /^[\w.:/?=&%@+,;~-]+$/.test(url) ? `"${url}"` : quote(url),
    ...(contentType === undefined ? [] : ['-H', quote(`Content-Type: ${contentType}`)]),
    ...(body === undefined ? [] : ['--data-raw', quote(body)]),
    isPlainGet ? '--data-urlencode' : '--url-query',
    `"${tokenParameter}=$APP_BUILD_TOKEN"`,
  ].join(' ');
  if (CONTROL_CHARACTER.test(command)) {
    throw new InvalidInputError(
      sentence('This request holds control characters, which a terminal would run as keys.'),
      sentence('Send it from here instead.'),
    );
  }
  return command;
}

/** Quotes a text as one word of a POSIX shell (XCU §2.2.2). */
function quote(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * A script tag that calls a resource by JSONP (contract, General behaviours 2), with placeholders for the function's name
 * and for the token, because the source of a page is public. It is made for a token also where the session is one of user name and
 * password: a browser that remembers these would send them for every website.
 *
 * @param url absolute; credentials in it are left out, and a `callback` in its query is replaced.
 */
export function jsonpTag(url: string, tokenParameter: 'access_token' | 'auth_token'): string {
  const target = new URL(url);
  target.hash = '';
  target.username = '';
  target.password = '';
  target.searchParams.delete('access_token');
  target.searchParams.delete('auth_token');
  target.searchParams.set(tokenParameter, 'YOUR_TOKEN');
  target.searchParams.set('callback', 'yourFunction');
  return `<script src="${escapeUTF8(target.href)}"></script>`;
}
