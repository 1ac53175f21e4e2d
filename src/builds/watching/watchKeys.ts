import { createHash } from 'node:crypto';

/** Identifies an app at the service in use, wherever that runs. */
export function keyOf(appUrl: string): string {
  const url = URL.parse(appUrl);
  return url === null ? appUrl : url.pathname + url.search;
}

/** A name for a file that tells nothing of the text: 32 hexadecimal digits. */
export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
