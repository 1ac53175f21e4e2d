import { sentence } from '../../errors/index.ts';
import {
  type LeftOutReason,
  type PackagePlan,
  type PlanWarning,
  type SuspectFile,
  needsConsent,
} from '../packing/packageContents.ts';
import { PackingError } from '../packing/packingError.ts';
import { baseName } from '../paths.ts';
import { countAndSize, getLeftOutSentences, getWarningSentence } from '../packing/planSentences.ts';
import {
  fails,
  fine,
  limitFindings,
  type FindingCode,
  lineIn,
  mayFail,
  type ProjectFinding,
} from './projectFinding.ts';
import { BUILTIN_BUILDER } from './builderSupport.ts';

/** Reasons for leaving out files that the user should know about, because the app may need the files. */
const UNWANTED: ReadonlySet<LeftOutReason['kind']> = new Set(['link', 'name', 'unreadable']);

/**
 * Returns the plan without the warnings that don't apply to a builder. The built-in builder packages all files, while
 * Android's own tools leave out files with certain names.
 *
 * @param builder the service's builder for Android. Undefined if unknown
 */
export function planFor(plan: PackagePlan, builder: string | undefined): PackagePlan {
  return builder === BUILTIN_BUILDER
    ? { ...plan, warnings: plan.warnings.filter(({ kind }) => kind !== 'fileNames') }
    : plan;
}

/**
 * Returns the findings about the package that would be uploaded.
 *
 * @param isAnswered reports whether the user has already decided about a file that may contain a secret
 * @param isLocalService whether the service is the local service, whose limits are known
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
    ...limitFindings(waiting.map(suspectFinding), (count) => sentence('{0} more files may contain secrets.', count)),
    ...getLeftOutSentences({ ...plan, leftOut: unwanted }).map((message) => mayFail('package', message)),
    ...(warned.some(({ verdict }) => verdict === 'fails') ? [] : [sentFinding(plan)]),
  ];
}

/** Returns the finding for an error that prevents sending. Rethrows any error that isn't a PackingError. */
export function packingFailure(error: unknown): ProjectFinding {
  if (!(error instanceof PackingError)) {
    throw error;
  }
  const { code, what, next, location, remedies } = error;
  return fails(code, what, { next, location: location && lineIn(location.path, location.line), remedies });
}

function sentFinding({ files, made, totalBytes }: PackagePlan): ProjectFinding {
  const count = files.length + made.length;
  const bytes = { bytes: totalBytes };
  const message =
    count === 1
      ? sentence('The package has 1 file, {0}.', bytes)
      : sentence('The package has {0} files, {1}.', count, bytes);
  return fine('package', message, { short: countAndSize(count, totalBytes) });
}

function warningFinding(warning: PlanWarning, isLocalService: boolean): ProjectFinding | undefined {
  const code = WARNING_CODES[warning.kind];
  if (code === undefined) {
    return undefined;
  }
  const isRefused = isLocalService && (code === 'tooManyEntries' || code === 'packageTooLarge');
  const next =
    code === 'fileNames'
      ? sentence('Rename them, and update the references to them.')
      : sentence('In .appbuildignore, list the files that the app doesn’t need.');
  return { code, verdict: isRefused ? 'fails' : 'mayFail', message: getWarningSentence(warning), next };
}

/** Codes of the findings for warnings. Undefined for warnings that don't affect a build. */
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
  return mayFail('secretWaiting', sentence('{0} may contain a secret. It’s left out until you allow it.', path), {
    next: sentence('Remove the secret, or check the file in the Check view.'),
    location: lineIn(path, line),
  });
}
