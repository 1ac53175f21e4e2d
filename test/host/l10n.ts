/**
 * `npm run l10n`: brings the translations in line with the sources. It removes translations of deleted texts; texts that aren't
 * translated yet are written to out/l10n/, a file for each that lacks something: fill in the values, and run it again with
 * `-- --merge`, which takes what is filled in. All English texts of the code are in out/l10n/bundle.l10n.json.
 *
 * `npm run l10n:check`, a part of `npm run check`: fails where a text of the sources cannot be found, or a translation loses an argument or
 * a link. It only counts the texts that are not translated yet; with `-- --complete`, as `npm run package` calls it, it fails on these too.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exportTexts } from '../support/localisedTexts.ts';
import { repositoryRoot } from '../support/repository.ts';
import {
  outdatedKeys,
  problemsOf,
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
    problems.push(...problemsOf(translation, translated));
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

/** Removes what is not used, sorts like the English texts, and writes what is missing beside. */
async function update({ file, english }: Translation): Promise<void> {
  const missingFile = `${OUT}/missing.${path.basename(file)}`;
  const filledIn = process.argv.includes('--merge') ? await readTexts(missingFile) : {};
  const known = { ...(await readTexts(file)), ...withoutEmpty(filledIn) };
  const keys = Object.keys(english);
  await write(file, Object.fromEntries(keys.flatMap((key) => (key in known ? [[key, known[key] ?? '']] : []))));
  const missing = keys.filter((key) => !(key in known));
  await rm(path.join(repositoryRoot, missingFile), { force: true });
  if (missing.length > 0) {
    // The texts of package.json have keys that say little: the English text stands beside.
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
