import type { Finding, FindingCode } from './finding.ts';
import type { FolderCheck } from './folderCheck.ts';

/** What only says that nobody has prepared a platform: the app is built for the others. */
const NOT_PREPARED: ReadonlySet<FindingCode> = new Set(['keyMissing', 'platformUnavailable']);

/**
 * The findings that a build is stopped for: those that make it fail, but for platforms that are not prepared, which nobody
 * asked for, as long as another one works.
 *
 * @param asked platforms that the person asked for; undefined for all that the app has.
 */
export function stoppingFindings(
  { findings, platforms = [] }: Pick<FolderCheck, 'findings' | 'platforms'>,
  asked: readonly string[] | undefined,
): readonly Finding[] {
  const failing = findings.filter(({ verdict }) => verdict === 'fails');
  const works = (platform: string) => !failing.some((finding) => finding.platform === platform);
  const isOneEnough = asked === undefined && platforms.some(works);
  return isOneEnough ? failing.filter(({ code }) => !NOT_PREPARED.has(code)) : failing;
}
