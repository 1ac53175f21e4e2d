/** Resolves a reference against the URL of its document. Returns undefined when the result isn't a URL. */
export type ResolveUrl = (href: string, base: string) => URL | undefined;

/** Resolves a reference by RFC 3986 §5.2, as the URL standard implements it. */
export function resolveReference(href: string, base: string): URL | undefined {
  return URL.parse(href, base) ?? undefined;
}

/**
 * Reports whether a URL has one of the two protocols allowed for links. Check this before the origin: the origin of
 * `blob:https://api/…` is `https://api`.
 */
export function isHttp(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/**
 * Reports whether a URL contains user info, as in `https://user:password@host`. User info can make one host look like
 * another, and `fetch` rejects it.
 */
export function hasUserInfo(url: URL): boolean {
  return url.username !== '' || url.password !== '';
}

/**
 * Schemes for programs other than browsers, such as phone numbers, repositories, or names. The list has the schemes in
 * the IANA registry that APIs use. It excludes those that trigger an action in a program (`javascript:`, `command:`,
 * `vscode:`, `file:`).
 */
const NON_WEB_SCHEMES = new Set(
  (
    'acct arn bitcoin cid data did docker doi ftp ftps geo git git+http git+https git+ssh gs hdl info ipfs irc ircs ldap ' +
    'ldaps magnet mailto matrix mid news nfs oci pkg rsync rtmp rtsp s3 scp sftp sip sips sms smb spotify ssh steam svn ' +
    'svn+ssh tag tel urn webcal ws wss xmpp'
  ).split(' '),
);

/** Matches the short form of an SSH address, such as `git@example.com:team/app.git` (git-clone, "GIT URLS"). */
const SSH_PATH = /^[\w.-]{1,64}@[\w.-]{1,255}:(?!\/\/)/;

/** Reports whether an address is valid but not meant for a browser or this API. */
export function isNonWebAddress(address: string): boolean {
  if (SSH_PATH.test(address)) {
    return true;
  }
  const scheme = /^[a-z][a-z0-9+.-]{1,20}(?=:)/i.exec(address)?.[0];
  return scheme !== undefined && NON_WEB_SCHEMES.has(scheme.toLowerCase());
}
