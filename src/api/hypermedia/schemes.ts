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
