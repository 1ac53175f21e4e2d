/** What a provisioning profile of Apple says. Its signature is not verified. */
export interface ProvisioningProfile {
  readonly name: string | undefined;
  readonly team: string | undefined;
  readonly expiresAt: Date | undefined;
}

/** Characters of a value that are read. */
const MAX_VALUE_LENGTH = 200;
/** A profile lists devices and certificates, rarely more than some ten kilobytes of them. */
const MAX_LIST_BYTES = 1024 * 1024;

/** Reads the property list, which lies in the clear inside the signature. @returns undefined for a file without one. */
export function readProvisioningProfile(file: Buffer): ProvisioningProfile | undefined {
  const start = file.indexOf('<?xml');
  const end = file.indexOf('</plist>', Math.max(0, start));
  if (start < 0 || end < 0 || end - start > MAX_LIST_BYTES) {
    return undefined;
  }
  const list = file.toString('utf8', start, end);
  const expiresAt = new Date(valueOf(list, 'ExpirationDate', 'date') ?? '');
  return {
    name: valueOf(list, 'Name', 'string'),
    team: valueOf(list, 'TeamName', 'string') ?? valueOf(list, 'TeamIdentifier', 'string'),
    expiresAt: Number.isNaN(expiresAt.getTime()) ? undefined : expiresAt,
  };
}

/** The value behind a key, also where it is the first of an array. */
function valueOf(list: string, key: string, type: 'string' | 'date'): string | undefined {
  const marker = `<key>${key}</key>`;
  const start = list.indexOf(marker);
  if (start < 0) {
    return undefined;
  }
  const rest = list.slice(start + marker.length, start + marker.length + 2 * MAX_VALUE_LENGTH);
  const found = new RegExp(`^\\s*(?:<array>\\s*)?<${type}>([^<]{1,${MAX_VALUE_LENGTH}})</${type}>`).exec(rest)?.[1];
  return found === undefined ? undefined : unescapeXml(found.trim());
}

function unescapeXml(text: string): string {
  const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (entity, name: string) => characters[name] ?? entity);
}
