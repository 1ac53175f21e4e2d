import { type ConfigProblem, NOT_READABLE, NOT_WELL_FORMED, type ProblemCode } from '../../configXml/configProblem.ts';
import type { Verdict } from './finding.ts';

/** What services refuse with “Malformed config.xml”. */
const UNREADABLE: ReadonlySet<ProblemCode> = new Set(
  // The parser of the service knows no namespaces.
  [...NOT_WELL_FORMED, ...NOT_READABLE].filter((code) => code !== 'undeclaredPrefix'),
);

/** What builders refuse. */
const REFUSED_BY_BUILDERS: ReadonlySet<ProblemCode> = new Set(['idMalformed', 'versionMalformed']);

/**
 * What a problem of config.xml does to a build.
 *
 * @param hasPage whether a service finds a page that the app begins with.
 * @returns undefined for what is right as it is.
 */
export function verdictOf(
  { code, severity }: Pick<ConfigProblem, 'code' | 'severity'>,
  hasPage: boolean,
): Exclude<Verdict, 'fine'> | undefined {
  if (UNREADABLE.has(code)) {
    return 'fails';
  }
  if (severity === 'information') {
    return undefined;
  }
  if (severity === 'error' && REFUSED_BY_BUILDERS.has(code)) {
    return 'fails';
  }
  return code === 'startPageMissing' && severity === 'error' && !hasPage ? 'fails' : 'mayFail';
}
