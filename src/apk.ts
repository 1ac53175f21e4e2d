/**
 * `npm run apk`: builds a signed Android app from a folder, without VS Code (docs/ci.md). Exits with 0 on success, 1 if the folder or a key
 * can't be used, and 2 for invalid arguments.
 */
import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { URI } from 'vscode-uri';

import {
  type AndroidPackage,
  buildAndroidPackage,
  BuildError,
  createTemporaryFolder,
  createTestKeyLoader,
  getAliases,
  openKeystore,
  PackageError,
  type PackageKey,
  readAppFiles,
  readKeyFile,
  UnsupportedPluginError,
} from './android-package/index.ts';
import { proposedId } from './config-xml/index.ts';
import { BuildServiceError, formatSentence, sentence } from './errors/index.ts';
import {
  findWebProjects,
  getLeftOutSentences,
  getWarningSentence,
  planPackage,
  writePackageFolder,
} from './web-project/index.ts';

const USAGE = `Usage: npm run apk -- FOLDER [--key FILE] [--aab] [--json]

  FOLDER       the folder with the web project. Build its pages first.
  --key FILE   the keystore to sign with (PKCS#12 or JKS). Its password is in APP_BUILD_KEY_PASSWORD, and the alias of
               the key in APP_BUILD_KEY_ALIAS if the file contains several keys. Without it, a test key signs the app.
  --aab        also makes a bundle for Google Play. Requires --key.
  --json       prints one JSON object.`;

/** A problem that the user can solve. */
class Problem extends Error {}

interface Options {
  readonly folder: string;
  readonly key: string | undefined;
  readonly aab: boolean;
  readonly json: boolean;
}

/** The result that `--json` prints. */
interface Report {
  /** Absolute path of the package. */
  readonly file: string;
  /** Absolute path of the bundle, with `--aab`. */
  readonly bundle?: string;
  readonly id: string;
  readonly version: string;
  /** SHA-256 of the package, in hexadecimal. */
  readonly sha256: string;
  readonly warnings: readonly string[];
}

/** The user's current folder. npm runs scripts in package.json's folder instead. */
const CURRENT_FOLDER = process.env.INIT_CWD ?? process.cwd();

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    options: { key: { type: 'string' }, aab: { type: 'boolean' }, json: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [folder, ...others] = positionals;
  const { key, aab = false, json = false } = values;
  if (folder === undefined || others.length > 0) {
    throw new Problem('Name one folder.');
  }
  if (aab && key === undefined) {
    throw new Problem('--aab requires --key: Google Play rejects the test key.');
  }
  return { folder: path.resolve(CURRENT_FOLDER, folder), key: key && path.resolve(CURRENT_FOLDER, key), aab, json };
}

async function makeApp({ folder, key: keyFile, aab }: Options, log: (line: string) => void): Promise<Report> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    throw new Problem(`${folder} isn’t a folder. Check the path.`);
  }
  const projects = await findWebProjects(URI.file(folder));
  const [project] = projects;
  if (project === undefined) {
    throw new Problem(`${folder} has no web project: no index.html, config.xml, or configuration of a build tool.`);
  }
  if (projects.length > 1) {
    const names = projects.map(({ path: name }) => (name === '' ? '.' : name)).join(', ');
    throw new Problem(`${folder} has several web projects: ${names}. Name the folder of one of them.`);
  }
  const title = project.name ?? path.basename(project.uri.fsPath);
  const id = { value: proposedId(undefined, title), from: sentence('Proposed') };
  const known = { id, title: { value: title, from: sentence('The name of the folder') }, version: undefined };
  const plan = await planPackage(project, { known: { ...known, hasIcon: false } });
  const warnings = [
    ...(plan.config !== undefined && project.facts.id === undefined
      ? [`No file sets the app ID, so it is ${id.value}. Set it in a config.xml before you publish the app.`]
      : []),
    ...[...plan.warnings.map(getWarningSentence), ...getLeftOutSentences(plan)].map(formatSentence),
  ];
  const key = keyFile === undefined ? undefined : await readKey(keyFile);
  const temporary = await createTemporaryFolder();
  try {
    const [source, workFolder] = [path.join(temporary, 'source'), path.join(temporary, 'work')];
    await Promise.all([mkdir(source), mkdir(workFolder)]);
    await writePackageFolder(plan, source);
    const files = await readAppFiles(source, 'android');
    const app = { title, package: id.value, version: '1.0.0' };
    const result = await buildAndroidPackage(
      { app, files, workFolder, icon: undefined, key, testKey: createTestKeyLoader(undefined) },
      (line) => {
        log(line);
        if (/^(?:Warning|config\.xml): /.test(line)) {
          warnings.push(line.replace(/^Warning: /, ''));
        }
      },
      new AbortController().signal,
    );
    return await copyResults(result, aab, warnings);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function readKey(file: string): Promise<PackageKey> {
  const password = process.env.APP_BUILD_KEY_PASSWORD;
  if (password === undefined) {
    throw new Problem(`Put the password of ${file} into the environment variable APP_BUILD_KEY_PASSWORD.`);
  }
  const keystore = await readFile(file).catch(() => {
    throw new Problem(`${file} can’t be read. Check the path after --key.`);
  });
  const aliases = getAliases(await readKeyFile(keystore));
  const alias = process.env.APP_BUILD_KEY_ALIAS;
  if (alias === undefined && aliases.length > 1) {
    throw new Problem(`${file} contains several keys: ${aliases.join(', ')}. Set APP_BUILD_KEY_ALIAS to one of them.`);
  }
  const signer = await openKeystore(keystore, { password, keyPassword: undefined, alias });
  return { title: path.basename(file), open: () => Promise.resolve(signer) };
}

/** Copies the results into the current folder. */
async function copyResults(
  { path: file, fileName, id, version, bundle }: AndroidPackage,
  aab: boolean,
  warnings: readonly string[],
): Promise<Report> {
  const target = await copyResult(file, fileName);
  const hash = createHash('sha256');
  await pipeline(createReadStream(target), hash);
  const report = { file: target, id, version, sha256: hash.digest('hex'), warnings };
  if (!aab) {
    return report;
  }
  if (bundle === undefined) {
    throw new Problem(`${target} was made, but no bundle: Google Play rejects “#” in names of folders. Rename them.`);
  }
  return { ...report, bundle: await copyResult(bundle.path, bundle.fileName) };
}

/**
 * Copies a file into the current folder under a temporary name, and renames the copy. Renaming replaces an existing file or
 * link, where writing would follow the link.
 *
 * @returns the absolute path of the copy
 */
async function copyResult(file: string, fileName: string): Promise<string> {
  const target = path.resolve(CURRENT_FOLDER, fileName);
  const partial = path.resolve(CURRENT_FOLDER, `.${fileName}.${randomUUID()}.part`);
  try {
    await copyFile(file, partial, constants.COPYFILE_EXCL);
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    throw new Problem(`${target} can’t be written: ${error instanceof Error ? error.message : String(error)}`);
  }
  return target;
}

/** Returns the message of a problem that the user can solve. Rethrows any other error. */
function getMessage(error: unknown): string {
  if (error instanceof UnsupportedPluginError) {
    const plugins = [...error.plugins.values()].join(', ');
    return `Plugin not supported: ${plugins}. Remove it and its calls from the app, or build the app with Cordova.`;
  }
  if (error instanceof BuildServiceError) {
    return [error.what, ...(error.next === undefined ? [] : [error.next])].map(formatSentence).join(' ');
  }
  const isExpected = error instanceof Problem || error instanceof BuildError || error instanceof PackageError;
  // System errors, such as the one for a full disk, have a `syscall` property.
  if (isExpected || (error instanceof Error && 'syscall' in error)) {
    return error.message;
  }
  throw error;
}

let options: Options | undefined;
try {
  options = readOptions();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 2;
}
if (options !== undefined) {
  const { json } = options;
  try {
    const report = await makeApp(options, json ? () => undefined : console.log);
    console.log(
      json
        ? JSON.stringify(report)
        : [...report.warnings.map((text) => `Warning: ${text}`), report.file, report.bundle ?? ''].join('\n').trimEnd(),
    );
  } catch (error) {
    const message = getMessage(error);
    if (json) {
      console.log(JSON.stringify({ error: message }));
    } else {
      console.error(message);
    }
    process.exitCode = 1;
  }
}
