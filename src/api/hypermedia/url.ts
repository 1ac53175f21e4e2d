/** Resolves a reference against the URL of the document it came in; undefined when that gives no URL. */
export type Resolve = (href: string, base: string) => URL | undefined;

/** RFC 3986 §5.2, as the URL standard does it. */
export function resolveReference(href: string, base: string): URL | undefined {
  return URL.parse(href, base) ?? undefined;
}

/** True for the two protocols that a link may have. Ask before the origin: that of blob:https://api/… is https://api. */
export function isHttp(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/** True for https://user:password@host: a way to make one host look like another, and refused by fetch. */
export function hasUserInfo(url: URL): boolean {
  return url.username !== '' || url.password !== '';
}

/**
 * Schemes of addresses that are for other programs than a browser: a phone number, a repository, a name. The IANA registry
 * of URI schemes, as far as APIs use it. Schemes that make a program do something (`javascript:`, `command:`, `vscode:`,
 * `file:`) are none of them.
 */
const NON_WEB_SCHEMES = new Set(
  (
    'acct arn bitcoin cid data did docker doi ftp ftps geo git git+http git+https git+ssh gs hdl info ipfs irc ircs ldap ' +
    'ldaps magnet mailto matrix mid news nfs oci pkg rsync rtmp rtsp s3 scp sftp sip sips sms smb spotify ssh steam svn ' +
    'svn+ssh tag tel urn webcal ws wss xmpp'
  ).split(' '),
);

/** True for an address that is no fault, and that neither a browser nor this API has anything to do with. */
export function isNonWebAddress(address: string): boolean {
  const scheme = /^[a-z][a-z0-9+.-]{1,20}(?=:)/i.exec(address)?.[0];
  return scheme !== undefined && NON_WEB_SCHEMES.has(scheme.toLowerCase());
}
