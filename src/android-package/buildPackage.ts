/**
 * Builds Android apps using only Node. A package contains an app's web files, a precompiled shell, and files that are
 * generated for the app.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { PageScan } from './pages/pageScan.ts';
import { mayHaveScripts } from './pages/pageScripts.ts';
import { removeUnsafeCharacters, artifactName } from './config/appValues.ts';
import type { AppFiles } from './config/appFiles.ts';
import { MIN_SDK, readAndroidApp, TARGET_SDK, type AndroidApp } from './androidApp.ts';
import { createContent } from './androidContent.ts';
import { writeArchive, type ZipEntry } from './archive/androidPackage.ts';
import { findRefusedFolder, writeAppBundle } from './archive/appBundle.ts';
import { readIcon } from './config/icon.ts';
import { apkEntries, isCompressed } from './archive/packageContent.ts';
import { type WriteLog, type BuiltFile } from './buildError.ts';
import { getFingerprints, type Signer } from './keys/signer.ts';
import type { AppFields, Fingerprints, SignedWith } from './model.ts';

/** Minimum size of an RSA key for Google Play, in bits. */
const MIN_RSA_BITS = 2048;

/** Folder of the shell, which is next to this file and next to the bundle. */
const SHELL_FOLDER = path.join(import.meta.dirname, 'shell');
/** Cordova's script, under both names that pages use. Added to apps that don't contain it. */
const CORDOVA_SCRIPTS = ['cordova.js', 'phonegap.js'];
/** Cordova's list of the JavaScript files of plugins. */
const CORDOVA_PLUGINS = 'cordova_plugins.js';
/**
 * Script that's added to pages for Capacitor plugins, for `openDatabase`, and, if no page loads cordova.js, for Cordova
 * plugins.
 */
const PAGE_SCRIPT = 'capacitor-native.js';
const PAGE = /\.html?$/i;
/** Matches a UTF-16 byte order mark, read as Latin-1. */
const UTF_16 = /^(?:\xff\xfe|\xfe\xff)/;

/** The key that signs a package. It's opened only after the app's values have been validated. */
export interface PackageKey {
  readonly title: string;
  /**
   * Opens the key.
   *
   * @throws BuildError if it can't sign
   */
  open(): Promise<Signer>;
}

/** The input for one Android package. Paths are absolute. */
interface AndroidJob {
  readonly app: AppFields;
  readonly files: AppFiles;
  /** An empty folder for the results. */
  readonly workFolder: string;
  /** A PNG file that replaces the icon in config.xml. */
  readonly icon: string | undefined;
  /** The user's signing key. `undefined` to use the test key. */
  readonly key: PackageKey | undefined;
  readonly testKey: () => Promise<Signer>;
  /** The highest version code among the app's releases. */
  readonly lastVersionCode?: number | undefined;
  /** Lines from the caller to write at the beginning of the log. */
  readonly notes?: readonly string[];
}

/** A signed package. */
export interface AndroidPackage extends BuiltFile {
  /** The app ID. */
  readonly id: string;
  /** Version, such as `1.0.0`. */
  readonly version: string;
  readonly signedWith: SignedWith;
  /** The fingerprints of the signing certificate. */
  readonly fingerprints: Fingerprints;
  /** Version code. Absent for a package that's signed with the test key. */
  readonly versionCode?: number;
  /** The app bundle for Google Play. Absent for a package that's signed with the test key. */
  readonly bundle?: BuiltFile;
}

/**
 * Builds an app's package, and its bundle if the app has a signing key.
 *
 * @param log receives each line of the log immediately
 * @throws BuildError if the app can't be built, or the signal's reason when it's aborted
 */
export async function buildAndroidPackage(
  job: AndroidJob,
  log: WriteLog,
  signal: AbortSignal,
): Promise<AndroidPackage> {
  log('── Configure');
  const { key, files, notes = [] } = job;
  notes.forEach(log);
  const scan = await scanPages(files, signal);
  const app = readAndroidApp(job.app, files, scan, key !== undefined, job.lastVersionCode, log);
  log(`${app.label} ${app.versionName}, ID ${app.packageName}`);
  const icon = await readIcon(files, job.icon, shellFile('icon.png'), app.shell.background, log);
  // Open the key before packing files, to report early if it can't sign.
  const signer = await (key?.open() ?? job.testKey());
  log('── Pack and sign');
  const content = createContent(app, icon, await packagedFiles(app, files, log));
  const target = path.join(job.workFolder, 'app.apk');
  const written = await writeArchive(target, apkEntries(content), signer, signal, key !== undefined);
  const count = files.webFiles.length;
  const oldest = app.minSdk === MIN_SDK ? 'Android 7' : `Android with API level ${app.minSdk}`;
  log(`${count} ${count === 1 ? 'file' : 'files'} packed. The app runs on ${oldest} and later.`);
  log(
    key === undefined
      ? 'Signed with a test key. Fine for your own phones, not for app stores. For Google Play, build with your own key.'
      : `Signed with the key “${key.title}”.`,
  );
  const fingerprints = getFingerprints(signer.certificates[0] ?? Buffer.alloc(0));
  log(`Certificate SHA-256 ${fingerprints.sha256}`);
  const name = artifactName(app.label, app.versionName);
  const made = { path: target, fingerprints, id: app.packageName, version: app.versionName };
  if (key === undefined) {
    return { ...made, fileName: `${name}-test.apk`, signedWith: 'test key' };
  }
  const { versionCode } = app;
  const release: AndroidPackage = { ...made, fileName: `${name}.apk`, signedWith: 'signing key', versionCode };
  const refused = findRefusedFolder(content);
  if (refused !== undefined) {
    log(`Google Play doesn’t accept a bundle with “#” in a folder’s name. Rename ${removeUnsafeCharacters(refused)}.`);
    return release;
  }
  const bundle = { path: path.join(job.workFolder, 'app.aab'), fileName: `${name}.aab` };
  await writeAppBundle(bundle.path, content, { path: target, written }, signer, signal);
  log(`${bundle.fileName} is the app bundle for Google Play.`);
  noteRefusals(app, signer, log);
  return { ...release, bundle };
}

/** Logs a line for each reason why Google Play would reject a bundle of the app. */
function noteRefusals({ targetSdk }: AndroidApp, { privateKey }: Signer, log: WriteLog): void {
  if (targetSdk < TARGET_SDK) {
    log(
      `The package targets API level ${targetSdk}. Google Play requires ${TARGET_SDK} or later. Remove android-targetSdkVersion.`,
    );
  }
  // Elliptic-curve keys don't have a modulus.
  if ((privateKey.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS) {
    log('Google Play requires an RSA key of at least 2,048 bits. Use another key for Google Play.');
  }
}

/** Returns the dex files and the assets. */
async function packagedFiles(
  app: AndroidApp,
  { webRoot, webFiles }: AppFiles,
  log: WriteLog,
): Promise<readonly ZipEntry[]> {
  const present = new Set(webFiles);
  const hasModules = present.has(CORDOVA_PLUGINS);
  const start = Buffer.from(`cordova.start(${app.shell.plugins.length > 0}, ${hasModules});\n`);
  const cordova = Buffer.concat([await readFile(shellFile('cordova.js')), start]);
  // Keep an app's own script unless the package contains plugins. The app's script calls native code differently.
  const scripts = CORDOVA_SCRIPTS.filter((name) => !present.has(name) || app.shell.plugins.length > 0);
  const pages = webFiles.filter((file) => PAGE.test(file));
  // Capacitor apps don't load Cordova's script themselves. Capacitor adds it to their pages.
  const lacksCordova =
    hasModules && app.shell.plugins.length > 0 && !(await loadCordova(pages.map((file) => path.join(webRoot, file))));
  const pageScript = [
    ...(lacksCordova || app.methods.size > 0 || app.usesWebSql ? [cordova] : []),
    ...(app.methods.size === 0 ? [] : [await readFile(shellFile('capacitor.js')), toHeaders(app.methods)]),
    ...(app.usesWebSql ? [await readFile(shellFile('openDatabase.js'))] : []),
  ];
  const changed = pageScript.length === 0 ? [] : pages;
  return [
    { name: 'classes.dex', content: shellFile('classes.dex') },
    ...app.dexes.map((name, index) => ({
      name: `classes${index + 2}.dex`,
      content: shellFile(`plugins/${name}.dex`),
    })),
    { name: 'assets/shell.json', content: Buffer.from(JSON.stringify(app.shell)) },
    { name: 'assets/shell.js', content: shellFile('shell.js') },
    ...webFiles
      .filter((file) => !scripts.includes(file) && !changed.includes(file))
      .map((file) => ({
        name: `assets/www/${file}`,
        content: path.join(webRoot, file),
        isStored: isCompressed(file),
      })),
    ...scripts.map((name) => ({ name: `assets/www/${name}`, content: cordova })),
    ...(pageScript.length === 0 ? [] : [{ name: `assets/www/${PAGE_SCRIPT}`, content: Buffer.concat(pageScript) }]),
    ...(await Promise.all(
      changed.map(async (file) => ({
        name: `assets/www/${file}`,
        content: withScript(file, await readFile(path.join(webRoot, file)), log),
      })),
    )),
  ];
}

/** Reports whether any of the pages contains the name of a Cordova script. */
async function loadCordova(files: readonly string[]): Promise<boolean> {
  const pages = await Promise.all(files.map((file) => readFile(file, 'latin1')));
  return pages.some((page) => CORDOVA_SCRIPTS.some((name) => page.includes(name)));
}

/**
 * Returns the line of script that tells Capacitor's own script which plugins have native code. Other plugins use their
 * web code.
 */
function toHeaders(methods: ReadonlyMap<string, readonly string[]>): Buffer {
  return Buffer.from(`appBuildCapacitor(${JSON.stringify(Object.fromEntries(methods))});\n`);
}

/**
 * Returns a page with a tag that loads the script before the page's own scripts.
 *
 * @param log receives a line if the tag can't be added
 */
function withScript(file: string, page: Buffer, log: WriteLog): Buffer {
  if (UTF_16.test(page.toString('latin1', 0, 2))) {
    log(
      `Warning: www/${removeUnsafeCharacters(file)} is in UTF-16, so it can’t use the native code of plugins. Save it as UTF-8.`,
    );
    return page;
  }
  const tag = `<script src="/${PAGE_SCRIPT}"></script>`;
  // Work on bytes, because the page can have any encoding that's a superset of ASCII.
  const text = page.toString('latin1');
  const found = /<head(?:\s[^<>]{0,1000})?>/i.exec(text) ?? /<!doctype[^<>]{0,200}>/i.exec(text);
  const at = found === null ? 0 : found.index + found[0].length;
  return Buffer.from(text.slice(0, at) + tag + text.slice(at), 'latin1');
}

function shellFile(name: string): string {
  return path.join(SHELL_FOLDER, name);
}

async function scanPages({ config, webRoot, webFiles }: AppFiles, signal: AbortSignal): Promise<PageScan> {
  const scan = new PageScan(config.plugins);
  for (const file of webFiles.filter(mayHaveScripts)) {
    await nextTurn();
    signal.throwIfAborted();
    // Synchronous, because reading a small file in another thread is slower.
    scan.read(file, readFileSync(path.join(webRoot, file), 'utf8'));
  }
  return scan;
}
