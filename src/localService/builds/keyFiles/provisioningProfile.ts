/** Apple's provisioning profiles: a property list inside a signature, which is not verified here. */

/** When a profile expires; `undefined` for a file that is none. */
export function profileExpiry(bytes: Buffer): Date | undefined {
  const start = bytes.indexOf('<?xml');
  const end = bytes.indexOf('</plist>', start);
  const list = start < 0 || end < 0 ? '' : bytes.toString('utf8', start, end);
  const [, date = ''] = /<key>ExpirationDate<\/key>\s{0,100}<date>([\d:TZ-]{1,30})<\/date>/.exec(list) ?? [];
  const expiresAt = new Date(date);
  return Number.isNaN(expiresAt.getTime()) ? undefined : expiresAt;
}
