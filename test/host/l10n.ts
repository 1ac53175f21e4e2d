/**
 * `npm run l10n`: updates the translations to match the sources. It removes translations of deleted strings and writes untranslated strings
 * to out/l10n/, one file per incomplete translation. Fill in the values and run it with `-- --merge` to merge them.
 * out/l10n/bundle.l10n.json contains all English strings in the code.
 * `npm run l10n:check`, a part of `npm run check`: fails if a string in the sources can't be found, or if a translation loses an argument
 * or a link. It only counts untranslated strings. With `-- --complete`, as `npm run package` calls it, it fails on these too.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exportTexts } from '../support/localizedTexts.ts';
import { repositoryRoot } from '../support/repository.ts';
import {
  outdatedKeys,
  getProblems,
  readTexts,
  type Texts,
  type Translation,
  translations,
} from '../support/translations.ts';

const OUT = 'out/l10n';

const { texts, problems: unknown } = await exportTexts();
const problems = [...unknown];
const all = await translations(texts);
if (process.argv.includes('--check')) {
  for (const translation of all) {
    const translated = await readTexts(translation.file);
    problems.push(...getProblems(translation, translated));
    const outdated = outdatedKeys(translation, translated).length;
    if (outdated > 0) {
      const line = `${translation.file}: ${outdated} texts are out of date: npm run l10n`;
      console.warn(line);
      problems.push(...(process.argv.includes('--complete') ? [line] : []));
    }
  }
  report(problems);
} else {
  await write(`${OUT}/bundle.l10n.json`, Object.fromEntries(texts.map((text) => [text, text])));
  for (const translation of all) {
    await update(translation);
  }
  report(problems);
}

/** Removes unused strings, sorts the rest like the English strings, and writes the missing ones to a separate file. */
async function update({ file, english }: Translation): Promise<void> {
  const missingFile = `${OUT}/missing.${path.basename(file)}`;
  const filledIn = process.argv.includes('--merge') ? await readTexts(missingFile) : {};
  const known = { ...(await readTexts(file)), ...withoutEmpty(filledIn) };
  const keys = Object.keys(english);
  await write(file, Object.fromEntries(keys.flatMap((key) => (key in known ? [[key, known[key] ?? '']] : []))));
  const missing = keys.filter((key) => !(key in known));
  await rm(path.join(repositoryRoot, missingFile), { force: true });
  if (missing.length > 0) {
    // The keys in package.json don't explain the strings, so the English text is written next to each.
    const lines = missing.flatMap((key) =>
      english[key] === key
        ? [[key, '']]
        : [
            [`# ${key}`, english[key]],
            [key, ''],
          ],
    );
    await write(missingFile, Object.fromEntries(lines) as Texts);
    console.log(`${file}: ${missing.length} are missing: ${missingFile}`);
  }
}

function withoutEmpty(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

async function write(file: string, texts: Texts): Promise<void> {
  const whole = path.join(repositoryRoot, file);
  await mkdir(path.dirname(whole), { recursive: true });
  await writeFile(whole, `${JSON.stringify(texts, undefined, 2)}\n`);
}

function report(lines: readonly string[]): void {
  for (const line of lines) {
    console.error(line);
  }
  process.exitCode = lines.length === 0 ? 0 : 1;
}
