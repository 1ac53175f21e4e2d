import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { BUILTIN_BUILDER } from '../../apps/model/builderSupport.ts';
import {
  type LeftOutReason,
  type PackagePlan,
  type PlanWarning,
  type SuspectFile,
  needsConsent,
} from '../packing/packageContents.ts';
import { PackingError } from '../packing/packingError.ts';
import { baseName } from '../paths.ts';
import { leftOutOf, warningOf } from '../packing/planSentences.ts';
import { fails, fine, firstOf, type FindingCode, lineIn, mayFail, type ProjectFinding } from './finding.ts';

/** Reasons to leave out files that the app may need. */
const UNWANTED: ReadonlySet<LeftOutReason['kind']> = new Set(['link', 'name', 'unreadable']);

/**
 * The plan with what matters to a builder: Android's own tools leave files out of an app by their names, the built-in builder packs
 * all of them.
 *
 * @param builder undefined when the service does not say what it builds with
 */
export function planFor(plan: PackagePlan, builder: string | undefined): PackagePlan {
  return builder === BUILTIN_BUILDER
    ? { ...plan, warnings: plan.warnings.filter(({ kind }) => kind !== 'fileNames') }
    : plan;
}

/**
 * The findings about what would be uploaded.
 *
 * @param isAnswered whether the user has decided about a file that may hold a secret
 * @param isLocalService true for the local service, whose limits are known
 */
export function packageFindings(
  plan: PackagePlan,
  isAnswered: (suspect: SuspectFile) => boolean,
  isLocalService: boolean,
): ProjectFinding[] {
  const { project, files, leftOut, suspects, warnings } = plan;
  if (files.length === 0) {
    return [packingFailure(PackingError.nothingToSend(baseName(project.uri)))];
  }
  const waiting = suspects.filter((suspect) => needsConsent(suspect) && !isAnswered(suspect));
  const warned = warnings.flatMap((warning) => warningFinding(warning, isLocalService) ?? []);
  const unwanted = leftOut.filter(({ reason }) => UNWANTED.has(reason.kind));
  return [
    ...warned,
    ...firstOf(waiting.map(suspectFinding), (count) => sentence('{0} more files may hold secrets.', count)),
    ...leftOutOf({ ...plan, leftOut: unwanted }).map((message) => mayFail('package', message)),
    ...(warned.some(({ verdict }) => verdict === 'fails') ? [] : [fine('package', sentCount(plan))]),
  ];
}

/** Why nothing can be sent. @throws any other error */
export function packingFailure(error: unknown): ProjectFinding {
  if (!(error instanceof PackingError)) {
    throw error;
  }
  const { code, what, next, place } = error;
  return fails(code, what, { next, place: place && lineIn(place.path, place.line) });
}

function sentCount({ files, made, totalBytes }: PackagePlan): Sentence {
  const count = files.length + made.length;
  return count === 1
    ? sentence('1 file is sent, {0}.', { bytes: totalBytes })
    : sentence('{0} files are sent, {1}.', count, { bytes: totalBytes });
}

function warningFinding(warning: PlanWarning, isLocalService: boolean): ProjectFinding | undefined {
  const code = WARNING_CODES[warning.kind];
  if (code === undefined) {
    return undefined;
  }
  const isRefused = isLocalService && (code === 'tooManyEntries' || code === 'packageTooLarge');
  const next =
    code === 'fileNames'
      ? sentence('Rename them, and what refers to them.')
      : sentence('Leave out what the app does not need with lines in .appbuildignore.');
  return { code, verdict: isRefused ? 'fails' : 'mayFail', message: warningOf(warning), next };
}

/** The finding of a warning; undefined for a warning that is no problem of a build. */
const WARNING_CODES: Readonly<Record<PlanWarning['kind'], FindingCode | undefined>> = {
  generatedContent: undefined,
  takenIn: undefined,
  tooLarge: 'packageTooLarge',
  tooManyEntries: 'tooManyEntries',
  largeFiles: 'largeFiles',
  sourceMaps: 'sourceMaps',
  fileNames: 'fileNames',
};

function suspectFinding({ file: { path }, line }: SuspectFile): ProjectFinding {
  return mayFail('secretWaiting', sentence('{0} may hold a secret, so it stays behind until you allow it.', path), {
    next: sentence('Take the secret out of it, or check the file in the view Before the Upload.'),
    place: lineIn(path, line),
  });
}
