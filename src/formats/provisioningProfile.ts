/** Provisioning profiles of Apple. */
import { hash } from 'node:crypto';

import type { FileFacts } from './certificates.ts';

/** Reads the property list, which lies in the clear inside the signature. @returns undefined for a file without one. */
export function readProvisioningProfile(file: Buffer): FileFacts | undefined {
  const start = file.indexOf('<?xml');
  const end = file.indexOf('</plist>', Math.max(0, start));
  if (start < 0 || end < 0) {
    return undefined;
  }
  const list = file.toString('utf8', start, end);
  const expiresAt = new Date(valueOfKey(list, 'ExpirationDate', 'date') ?? '');
  return {
    subject: valueOfKey(list, 'Name', 'string'),
    team: valueOfKey(list, 'TeamName', 'string') ?? valueOfKey(list, 'TeamIdentifier', 'string'),
    expiresAt: Number.isNaN(expiresAt.getTime()) ? undefined : expiresAt,
    appId: appIdIn(list),
    certificates: certificatesIn(list),
  };
}

/** An app is named with its team, or with what the team had before there were teams, in front: `A1B2C3D4E5.com.example.app`. */
function appIdIn(list: string): string | undefined {
  const full =
    valueOfKey(list, 'application-identifier', 'string') ??
    valueOfKey(list, 'com.apple.application-identifier', 'string');
  const prefixes = ['ApplicationIdentifierPrefix', 'TeamIdentifier'].map((key) => valueOfKey(list, key, 'string'));
  const prefix = prefixes.find((each) => each !== undefined && full?.startsWith(`${each}.`));
  return prefix === undefined ? full?.replace(/^[A-Z0-9]{10}\./, '') : full?.slice(prefix.length + 1);
}

function certificatesIn(list: string): readonly string[] {
  const marker = '<key>DeveloperCertificates</key>';
  const start = list.indexOf(marker);
  const end = list.indexOf('</array>', Math.max(0, start));
  if (start < 0 || end < 0) {
    return [];
  }
  const data = list.slice(start + marker.length, end).matchAll(/<data>([^<]+)<\/data>/g);
  return Array.from(data, ([, text = '']) => hash('sha256', Buffer.from(text, 'base64')));
}

const VALUE = /^\s*(?:<array>\s*)?<(string|date)>([^<]+)<\//;

/** The value behind a key, also where it is the first of an array. */
function valueOfKey(list: string, key: string, type: 'string' | 'date'): string | undefined {
  const marker = `<key>${key}</key>`;
  const start = list.indexOf(marker);
  if (start < 0) {
    return undefined;
  }
  const [, found, value = ''] = VALUE.exec(list.slice(start + marker.length)) ?? [];
  return found === type ? unescapeXml(value.trim()) : undefined;
}

function unescapeXml(text: string): string {
  const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (entity, name: string) => characters[name] ?? entity);
}
