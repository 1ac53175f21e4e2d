import * as z from 'zod/mini';
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

/** The user's answers about the files of a project that may hold a secret, by path. */
export const SECRET_ANSWERS = z.record(
  z.string(),
  z.object({
    secret: z.string(),
    fingerprint: z.optional(z.string()),
    answer: z.enum(['send', 'leaveOut']),
  }),
);

export type SecretAnswers = Readonly<z.infer<typeof SECRET_ANSWERS>>;
export type SecretAnswer = SecretAnswers[string]['answer'];

/** The answer about a file with this secret; undefined when there is none, or the file holds another secret since. */
export function answerOf(answers: SecretAnswers, { file, secret, fingerprint }: SuspectFile): SecretAnswer | undefined {
  const stored = Object.hasOwn(answers, file.path) ? answers[file.path] : undefined;
  return stored?.secret === secret && stored.fingerprint === fingerprint ? stored.answer : undefined;
}
