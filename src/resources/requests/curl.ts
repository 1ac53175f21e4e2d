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
 * A command for a POSIX shell that sends the request with curl. It asks for the token first, unless APP_BUILD_TOKEN is set:
 * the token itself is in no text, no shell history and no list of processes. The parts are one compound command, so that
 * a terminal that runs pasted lines one by one does not read the second line as the token.
 */
export function curlCommand({ method, url, tokenParameter, contentType, body }: CurlRequest): string {
  const read = method === 'GET' && body === undefined;
  const options = [
    ...(read ? ['--get'] : ['--request', quote(method)]),
    ...(contentType === undefined ? [] : ['--header', quote(`Content-Type: ${contentType}`)]),
    ...(body === undefined ? [] : ['--data-raw', quote(body)]),
    // `name@-`: curl reads the value from its input and encodes it
    read ? '--data-urlencode' : '--url-query',
    `${tokenParameter}@-`,
    '--globoff',
    quote(url),
  ];
  const ask = `{ printf 'Token: ' >&2; stty -echo; IFS= read -r APP_BUILD_TOKEN; stty echo; echo >&2; }`;
  return [
    `[ -n "\${APP_BUILD_TOKEN:-}" ] || ${ask} &&`,
    `printf %s "$APP_BUILD_TOKEN" | curl ${options.join(' ')}`,
    '',
  ].join('\n');
}

/** One word for a POSIX shell, whatever it holds (XCU §2.2.2). */
export function quote(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
