import type { PackagePlan, SuspectFile } from './packageContents.ts';
import { byPath } from './paths.ts';
import { sizeOf, warningsAbout } from './planWarnings.ts';

/**
 * Whether an upload would miss a suspect that stays behind: somebody has asked for it, or its name is like that of any other
 * file. A secret by its name, such as `.env`, is left out without a question.
 */
export function isAskedAbout({ secret, isAskedFor }: SuspectFile): boolean {
  return isAskedFor || secret !== 'name';
}

/**
 * The plan with those of its suspects that are allowed among the files, and no other. What follows from the files is told
 * anew.
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
    totalBytes: sizeOf(files) + plan.made.reduce((sum, { bytes }) => sum + bytes.length, 0),
    leftOut: leftOut.sort(byPath),
    warnings: [...generated, ...warningsAbout(files, plan.layout)],
  };
}
