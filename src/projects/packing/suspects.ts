import { type PackagePlan, sizeOfFiles, type SuspectFile, warningsAbout } from './packageContents.ts';
import { byPath } from './paths.ts';

/**
 * Whether an upload would miss a suspect that stays behind: it was asked for, or its name is like that of any other
 * file. A secret by its name, such as `.env`, is left out without a question.
 */
export function needsConsent({ secret, isRequested }: SuspectFile): boolean {
  return isRequested || secret !== 'name';
}

/**
 * The plan with those of its suspects that are allowed among the files, and no other. Warnings and sums are those of
 * the files that are left.
 */
export function withSuspects(plan: PackagePlan, isAllowed: (suspect: SuspectFile) => boolean): PackagePlan {
  const paths = new Set(plan.suspects.map(({ file }) => file.path));
  const sent = new Set(plan.suspects.filter(isAllowed));
  const kept = plan.suspects.filter((suspect) => !sent.has(suspect));
  const files = [...plan.files.filter(({ path }) => !paths.has(path)), ...[...sent].map(({ file }) => file)];
  const leftOut = [
    ...plan.leftOut.filter(({ path }) => !paths.has(path)),
    ...kept.map(({ file: { path } }) => ({ path, reason: { kind: 'secret' } as const })),
  ];
  const generated = plan.warnings.filter(({ kind }) => kind === 'generatedContent');
  return {
    ...plan,
    files: files.sort(byPath),
    totalBytes: sizeOfFiles(files) + plan.made.reduce((sum, { bytes }) => sum + bytes.length, 0),
    leftOut: leftOut.sort(byPath),
    warnings: [...generated, ...warningsAbout(files, plan.layout)],
  };
}

/** A person's answer about a file that may hold a secret. */
export type SecretAnswer = 'send' | 'leaveOut';

interface StoredAnswer {
  readonly secret: string;
  readonly fingerprint?: string | undefined;
  readonly answer: SecretAnswer;
}

/** The answers about the files of one project, by path. */
export type SecretAnswers = Readonly<Record<string, StoredAnswer>>;

/** Answers of a project; the oldest are forgotten. */
const MAX_ANSWERS = 1_000;

/** The answer about a file with this secret; undefined when there is none, or the file holds another secret since. */
export function answerOf(answers: SecretAnswers, { file, secret, fingerprint }: SuspectFile): SecretAnswer | undefined {
  const stored = Object.hasOwn(answers, file.path) ? answers[file.path] : undefined;
  return stored?.secret === secret && stored.fingerprint === fingerprint ? stored.answer : undefined;
}

export function withAnswer(
  answers: SecretAnswers,
  { file, secret, fingerprint }: SuspectFile,
  answer: SecretAnswer,
): SecretAnswers {
  const stored: StoredAnswer = { secret, ...(fingerprint !== undefined && { fingerprint }), answer };
  const others = Object.entries(answers).filter(([path]) => path !== file.path);
  return Object.fromEntries([...others, [file.path, stored] as const].slice(-MAX_ANSWERS));
}

/** Reads what was stored, which may be anything: what is not understood is no answer. */
export function readAnswers(stored: unknown): SecretAnswers {
  return isRecord(stored) ? Object.fromEntries(Object.entries(stored).filter(isAnswer)) : {};
}

function isAnswer(entry: [string, unknown]): entry is [string, StoredAnswer] {
  const [, stored] = entry;
  return (
    isRecord(stored) &&
    typeof stored.secret === 'string' &&
    (stored.fingerprint === undefined || typeof stored.fingerprint === 'string') &&
    (stored.answer === 'send' || stored.answer === 'leaveOut')
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
