import type { FindingCode } from './finding.ts';

/**
 * The findings that a failed build is about, by its message: of the local service, of Cordova, and the titles that the original
 * service had.
 *
 * @returns empty for a message that nobody knows.
 */
export function findingCodesOf(message: string): readonly FindingCode[] {
  return message === '' ? ['config'] : [];
}
