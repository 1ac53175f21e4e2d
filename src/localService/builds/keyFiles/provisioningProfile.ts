/** Apple's provisioning profiles: a property list inside a signature, which is not verified here. */

/** When a profile expires; `undefined` for a file that is none. */
export function profileExpiry(bytes: Buffer): Date | undefined {
  const list = propertyList(bytes);
  const [, date = ''] = /<key>ExpirationDate<\/key>\s{0,100}<date>([\d:TZ-]{1,30})<\/date>/.exec(list) ?? [];
  const expiresAt = new Date(date);
  return Number.isNaN(expiresAt.getTime()) ? undefined : expiresAt;
}

/** The app that a profile is for, `com.example.app` or `com.example.*`, without its team; `undefined` when it does not say. */
export function profileAppId(bytes: Buffer): string | undefined {
  const [, name] =
    /<key>(?:com\.apple\.)?application-identifier<\/key>\s{0,100}<string>\s{0,100}([\w.*-]{1,200})\s{0,100}<\/string>/.exec(
      propertyList(bytes),
    ) ?? [];
  // The team stands in front, or a prefix that looks the same.
  return name?.replace(/^[A-Z0-9]{10}\./, '');
}

function propertyList(bytes: Buffer): string {
  const start = bytes.indexOf('<?xml');
  const end = bytes.indexOf('</plist>', start);
  return start < 0 || end < 0 ? '' : bytes.toString('utf8', start, end);
}
