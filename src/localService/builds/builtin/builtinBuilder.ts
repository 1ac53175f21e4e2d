/** Builds Android apps from Node alone: the web files of an app, a shell that was compiled once, and what is written for each app. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { PageScan } from '../../../formats/pageScan.ts';
import { mayHaveScripts } from '../../../formats/pageScripts.ts';
import {
  artifactName,
  BuildError,
  type Builder,
  type BuildJob,
  type BuildKey,
  type BuildResult,
  type Log,
} from '../builder.ts';
import { openSigner, type Signer } from '../buildKeys.ts';
import { COMPRESSED } from '../packages/zipArchive.ts';
import type { AppFiles } from '../packages/appFiles.ts';
import { MIN_SDK, readAndroidApp, type AndroidApp } from './androidApp.ts';
import { encodeManifest } from './androidManifest.ts';
import { writeAndroidPackage, type ZipEntry } from './androidPackage.ts';
import { encodeResourceTable, ICON_FILE, type Themes, type Value } from './compiledResources.ts';
import { findIcon } from './icon.ts';
import { SUPPORTED_PLUGINS } from './plugins.ts';
import { testKeyOf } from './testKey.ts';

const UNAVAILABLE = {
  ios: 'iOS apps need a Mac with Xcode, and the Cordova engine: run “Install Build Engine…” there.',
  winphone: 'Windows Phone apps cannot be built any more: Microsoft has given up the system and its tools.',
  browser: 'Browser apps need the Cordova engine: run “Install Build Engine…” for it.',
} as const;

/** Themes of the framework without a title bar, and their attributes (`android.R`). */
const DARK_THEME = 0x0103022e;
const LIGHT_THEME = 0x01030241;
const WINDOW_BACKGROUND = 0x01010054;
const STATUS_BAR_COLOUR = 0x01010451;
const LIGHT_STATUS_BAR = 0x010104e0;

/** Where the shell is: beside this file, and beside the bundle. */
const SHELL_FOLDER = path.join(import.meta.dirname, 'shell');
/** Scripts that pages load, and that the builder adds where the app has none. */
const CORDOVA_SCRIPTS = ['cordova.js', 'phonegap.js'];

/** @param dataFolder keeps the test key; `undefined`: it is in memory */
export function createBuiltinBuilder(dataFolder: string | undefined): Builder {
  const testKey = testKeyOf(dataFolder);
  return {
    name: 'builtin',
    platforms: () => Promise.resolve(UNAVAILABLE),
    plugins: SUPPORTED_PLUGINS.map((name) => ({ name, version: '*', variables: [] })),
    build: (job, log, signal) => build(job, testKey, log, signal),
  };
}

async function build(
  job: BuildJob,
  testKey: () => Promise<Signer>,
  log: Log,
  signal: AbortSignal,
): Promise<BuildResult> {
  if (job.platform !== 'android') {
    throw new BuildError(UNAVAILABLE[job.platform]);
  }
  log('── Configure');
  const key = keyToSignWith(job, log);
  const files = job.source;
  const scan = await scanPages(files, signal);
  const app = readAndroidApp(job.app, files, scan, key !== undefined, log);
  log(`${app.label} ${app.versionName}, version code ${app.versionCode}, ID ${app.packageName}`);
  const icon = await findIcon(files, job.icon, log);
  // A key that cannot sign is reported before files are packed.
  const signer = key === undefined ? await testKey() : await openSigner(key, signal);
  log('── Pack and sign');
  const entries = await entriesOf(app, files, icon);
  const target = path.join(job.workFolder, 'app.apk');
  await writeAndroidPackage(target, entries, signer, signal);
  const count = files.webFiles.length;
  const oldest = app.minSdk === MIN_SDK ? 'Android 7' : `Android with API level ${app.minSdk}`;
  log(`${count} ${count === 1 ? 'file is' : 'files are'} packed, for ${oldest} and later.`);
  log(
    key === undefined
      ? 'The package is signed with the test key of this service: it is for your own phones, not for shops.'
      : `The package is signed with the key “${key.key.title}”.`,
  );
  log(`Certificate SHA-256 ${new X509Certificate(signer.certificates[0] ?? '').fingerprint256}`);
  const name = artifactName(app.label, app.versionName);
  return {
    path: target,
    fileName: `${name}${key === undefined ? '-test' : ''}.apk`,
    signedWith: key === undefined ? 'test key' : 'signing key',
  };
}

/** The key of the person; `undefined` for the test key. */
function keyToSignWith({ key }: BuildJob, log: Log): BuildKey | undefined {
  if (key !== undefined && !key.key.locked && Object.keys(key.files).length === 0) {
    log(`The key “${key.key.title}” is one of the demo data, and has no file.`);
    return undefined;
  }
  return key;
}

/** All that is in a package, in the order in which Android's own tools have it. */
async function entriesOf(
  app: AndroidApp,
  { webRoot, webFiles }: AppFiles,
  icon: Buffer | undefined,
): Promise<readonly ZipEntry[]> {
  const shellFile = (name: string): string => path.join(SHELL_FOLDER, name);
  const present = new Set(webFiles);
  const scripts = CORDOVA_SCRIPTS.filter((name) => !present.has(name));
  return [
    { name: 'AndroidManifest.xml', content: encodeManifest(app) },
    { name: 'classes.dex', content: shellFile('classes.dex') },
    // Android reads it where it is in the file.
    { name: 'resources.arsc', content: encodeResourceTable(app.packageName, themesOf(app)), isStored: true },
    { name: ICON_FILE, content: icon ?? (await readFile(shellFile('icon.png'))), isStored: true },
    { name: 'assets/shell.json', content: Buffer.from(JSON.stringify(app.shell)) },
    ...webFiles.map((file) => ({
      name: `assets/www/${file}`,
      content: path.join(webRoot, file),
      isStored: COMPRESSED.test(file),
    })),
    ...scripts.map((name) => ({ name: `assets/www/${name}`, content: shellFile('cordova.js') })),
  ];
}

async function scanPages({ config, webRoot, webFiles }: AppFiles, signal: AbortSignal): Promise<PageScan> {
  const scan = new PageScan(config.plugins);
  for (const file of webFiles.filter(mayHaveScripts)) {
    signal.throwIfAborted();
    scan.read(file, await readFile(path.join(webRoot, file), 'utf8'));
  }
  return scan;
}

/**
 * The themes that show before the page does. WebView tells pages `prefers-color-scheme` by whether the theme is a light one, so there is
 * one of each kind. Their colors are the same: the app's own.
 */
function themesOf({ windowBackground, shell: { statusBar, darkStatusText } }: AndroidApp): Themes {
  const items = new Map<number, Value>([
    [WINDOW_BACKGROUND, { colour: windowBackground }],
    [STATUS_BAR_COLOUR, { colour: statusBar }],
    [LIGHT_STATUS_BAR, darkStatusText],
  ]);
  return { day: { parent: LIGHT_THEME, items }, night: { parent: DARK_THEME, items } };
}
