import { sentence, type Sentence, type SentenceValue, withArguments } from '../../errors/index.ts';
import type { FileNameProblem } from './fileNames.ts';
import { MAX_LISTED, MAX_PACKAGE_BYTES, MAX_PACKAGE_ENTRIES } from '../limits.ts';
import type { LeftOutReason, PackagePlan, PlanWarning, SuspectFile } from './packageContents.ts';

/** Returns the number and size of the files in a package. */
export function getPlanSummary({ files, made, totalBytes }: PackagePlan): Sentence {
  return countAndSize(files.length + made.length, totalBytes);
}

/** Formats a number of files and their size, such as `12 files, 3.4 MB`. */
export function countAndSize(files: number, bytes: number): Sentence {
  const size = { bytes: bytes };
  return files === 1 ? sentence('1 file, {0}', size) : sentence('{0} files, {1}', files, size);
}

/** Returns the largest files, the largest first. */
export function getBiggestFiles({ files }: PackagePlan): readonly Sentence[] {
  return files
    .toSorted((a, b) => b.sizeBytes - a.sizeBytes)
    .slice(0, MAX_LISTED)
    .map(({ path, sizeBytes }) => sentence('{0} ({1})', path, { bytes: sizeBytes }));
}

/** Returns a sentence for each reason why files are left out. The most important reasons come first. */
export function getLeftOutSentences({ leftOut }: PackagePlan): readonly Sentence[] {
  return LEFT_OUT.flatMap(([kind, text]) => {
    const entries = leftOut.filter(({ reason }) => reason.kind === kind);
    return entries.length === 0 ? [] : [withArguments(text, limitPaths(entries.map(({ path }) => path)))];
  });
}

const LEFT_OUT: readonly (readonly [kind: LeftOutReason['kind'], text: Sentence])[] = [
  ['secret', sentence('Left out because they may contain secrets: {0}')],
  ['link', sentence('Left out because they’re broken links, circular links, or links out of the folder: {0}')],
  ['name', sentence('Left out because some systems don’t allow their names: {0}')],
  ['unreadable', sentence('Left out because they can’t be read: {0}')],
  ['special', sentence('Left out because they aren’t files: {0}')],
  ['ignored', sentence('Left out by .gitignore or .appbuildignore: {0}')],
  ['outside', sentence('Left out because they’re outside the pages and not named in config.xml: {0}')],
  ['notPartOfApp', sentence('Left out because they aren’t part of an app: {0}')],
  ['appPackage', sentence('Left out because apps don’t contain app packages: {0}')],
];

/** The reasons why files are left out, the most important first. */
export const LEFT_OUT_KINDS = LEFT_OUT.map(([kind]) => kind);

/** Returns the reason why a file may contain a secret, such as *Private key in line 3*. */
export function getSuspicionSentence({ secret, line }: Pick<SuspectFile, 'secret' | 'line'>): Sentence {
  return withArguments(SUSPICIONS[secret], line ?? 1);
}

const SUSPICIONS: Readonly<Record<SuspectFile['secret'], Sentence>> = {
  name: sentence('Its name suggests a secret'),
  privateKey: sentence('Private key on line {0}'),
  signingPasswords: sentence('Signing key passwords on line {0}'),
  cloudKey: sentence('Cloud service key on line {0}'),
  accessToken: sentence('Access token on line {0}'),
};

function limitPaths(all: readonly string[]): SentenceValue {
  const paths = all.slice(0, MAX_LISTED);
  const others = all.length - paths.length;
  return others === 0 ? paths : `${paths.join(', ')} … (+${others.toLocaleString('en')})`;
}

/** Returns the text of a warning. */
export function getWarningSentence(warning: PlanWarning): Sentence {
  switch (warning.kind) {
    case 'tooManyEntries':
      return sentence('The package might be rejected. Services accept {0} files and folders.', MAX_PACKAGE_ENTRIES);
    case 'tooLarge':
      return sentence('The package might be rejected. Services accept {0}.', { bytes: MAX_PACKAGE_BYTES });
    case 'largeFiles':
      return sentence('Large files, which make the app slow to send and install: {0}', limitPaths(warning.paths));
    case 'sourceMaps':
      return sentence(
        'Source maps ({0}) show the app’s source code: {1}',
        { bytes: warning.bytes },
        limitPaths(warning.paths),
      );
    case 'fileNames':
      return withArguments(FILE_NAMES[warning.problem], limitPaths(warning.paths));
    case 'takenIn':
      return sentence(
        'Sent because the app needs them, although .gitignore leaves them out: {0}',
        limitPaths(warning.files.map(({ path, file, rule }) => `${path} (${file}: ${rule})`)),
      );
    case 'generatedContent':
      return warning.folder === ''
        ? sentence(
            'The folder is sent because it’s the app, although {0} leaves it out with “{1}”.',
            warning.file,
            warning.rule,
          )
        : sentence(
            '{0} is sent because it’s the app, although {1} leaves it out with “{2}”. To leave out parts of it, add lines to .appbuildignore.',
            warning.folder,
            warning.file,
            warning.rule,
          );
  }
}

const FILE_NAMES: Readonly<Record<FileNameProblem, Sentence>> = {
  leftOutByAndroid: sentence(
    'Left out by Android, because a name begins with a dot or a folder begins with an underscore: {0}',
  ),
  unpackedByAndroid: sentence('Unpacked by Android, which removes the extension .gz: {0}'),
  notAscii: sentence('Some services and phones don’t support names with letters such as ü or 日: {0}'),
};
