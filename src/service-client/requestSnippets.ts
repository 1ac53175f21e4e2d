import { escapeUTF8 } from 'entities/escape';
import { InvalidInputError, sentence } from '../errors/index.ts';

/**
 * Matches characters that a terminal treats as keys, even between quotes, and characters that change how a line looks.
 */
const CONTROL_CHARACTER = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Request for a curl command. */
export interface CurlRequest {
  readonly method: string;
  /** Absolute URL without credentials. */
  readonly url: string;
  /** Query parameter that carries the token (contract, Authentication). */
  readonly tokenParameter: 'access_token' | 'auth_token';
  readonly contentType?: string;
  readonly body?: string;
}

/**
 * Returns a command for a POSIX shell that sends the request with curl. Neither the command nor the shell's history
 * contains the token: the shell reads it from APP_BUILD_TOKEN. The command is one line, so it runs only when the user
 * presses Enter.
 *
 * @throws {@link InvalidInputError} when the request contains a control character. Quotes protect the shell from such a
 * character, but not the terminal.
 */
export function curlCommand({ method, url, tokenParameter, contentType, body }: CurlRequest): string {
  const isPlainGet = method === 'GET' && body === undefined;
  const command = [
    'curl',
    isPlainGet ? '-G' : `-X ${quote(method)}`,
    // Without this option, curl expands brackets and braces to ranges and lists.
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    /^[\w.:/?=&%@+,;~-]+$/.test(url) ? `"${url}"` : quote(url),
    ...(contentType === undefined ? [] : ['-H', quote(`Content-Type: ${contentType}`)]),
    ...(body === undefined ? [] : ['--data-raw', quote(body)]),
    isPlainGet ? '--data-urlencode' : '--url-query',
    `"${tokenParameter}=$APP_BUILD_TOKEN"`,
  ].join(' ');
  if (CONTROL_CHARACTER.test(command)) {
    throw new InvalidInputError(
      sentence('This request contains control characters, which a terminal would treat as key presses.'),
      sentence('Send it from here instead.'),
    );
  }
  return command;
}

/** Quotes a string as a single POSIX shell word (XCU §2.2.2). */
function quote(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns a script tag that requests a resource with JSONP (contract, General behaviours 2). The function name and the
 * token are placeholders, because the source of a page is public. The tag always uses a token, even if the session has
 * a user name and password: a browser that remembers those would send them for every website.
 *
 * @param url absolute URL. Its credentials are removed, and `callback` in its query is replaced.
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
