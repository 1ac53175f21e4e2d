/**
 * `npm run test:robolectric`: a package of the built-in builder and the shell's Java, on the framework of each Android, in a JVM.
 * `-- 24 36` chooses API levels, `-- all` takes each that Robolectric has. The last line counts.
 */
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { createBuiltinBuilder } from '../../src/localService/builds/builtin/builtinBuilder.ts';
import { javaClasses, shellFolder, writeClasses } from '../android/shellSource.ts';
import { testApp, testJob } from '../support/buildJob.ts';

const ALL_LEVELS = Array.from({ length: 14 }, (_, index) => 24 + index);
/** The oldest, the newest, and those around which the shell or its package differs most. */
const USUAL_LEVELS = [24, 29, 33, 36, 37];
/** What the frameworks of API 36 and 37 are compiled for. */
const OLDEST_JAVA = 21;

const PROJECT = path.join(import.meta.dirname, '../../out/robolectric');

const CONFIG = `<widget id="com.example.plain" version="1.2.3">
  <name>日本 Plain</name>
  <plugin name="cordova-plugin-media-capture"/>
  <plugin name="cordova-plugin-geolocation"/>
  <plugin name="cordova-plugin-customurlscheme"><variable name="URL_SCHEME" value="plain"/></plugin>
</widget>`;

/** What ShellOnAndroidTest asks for. */
const FILES = {
  'config.xml': CONFIG,
  'index.html': '<!doctype html><title>Plain</title><script src="a.js"></script>',
  'a.js': 'document.title = "ran"',
  'sub/index.html': '<!doctype html>sub',
  'dir/ü b.txt': 'b',
  'manual.pdf': '%PDF-1.4',
  'movie.mp4': Buffer.alloc(100_000),
  'table.csv': 'x'.repeat(100_000),
};

const run = promisify(execFile);

const levels = readLevels(process.argv.slice(2));
const missing = await findMissing();
if (missing === undefined) {
  await prepare();
  const maven = await runMaven(levels);
  process.exitCode = (await report(levels, maven)) ? 0 : 1;
} else {
  console.log(`Not run: ${missing}\n\n0 passed, 1 failed`);
  process.exitCode = 1;
}

function readLevels(given: readonly string[]): readonly number[] {
  const chosen = given.includes('all') ? ALL_LEVELS : given.map(Number);
  const unknown = chosen.filter((level) => !ALL_LEVELS.includes(level));
  if (unknown.length > 0) {
    throw new Error(`API levels are from ${ALL_LEVELS[0]} to ${ALL_LEVELS.at(-1)}, or “all”.`);
  }
  return chosen.length === 0 ? USUAL_LEVELS : chosen;
}

/** @returns a sentence for what isn't installed; `undefined` where all is */
async function findMissing(): Promise<string | undefined> {
  const { stdout } = await run('mvn', ['-v']).catch(() => ({ stdout: '' }));
  const java = /^Java version: (\d+)/m.exec(stdout)?.[1];
  if (java === undefined) {
    return `this needs Maven, a JDK from ${OLDEST_JAVA} on, and Maven Central.`;
  }
  return Number(java) < OLDEST_JAVA
    ? `Maven uses Java ${java}. Set JAVA_HOME to a JDK from ${OLDEST_JAVA} on.`
    : undefined;
}

/** Lays out a Maven project: the shell's source, its tests, and a package. */
async function prepare(): Promise<void> {
  await rm(PROJECT, { recursive: true, force: true });
  await mkdir(PROJECT, { recursive: true });
  await copyFile(path.join(import.meta.dirname, 'pom.xml'), path.join(PROJECT, 'pom.xml'));
  const main = path.join(PROJECT, 'src/main/java');
  await cp(path.join(shellFolder, 'src'), main, { recursive: true });
  await writeClasses(javaClasses(await readFile(path.join(import.meta.dirname, 'monitor.txt'), 'utf8')), main);
  await cp(path.join(import.meta.dirname, 'java'), path.join(PROJECT, 'src/test/java/appbuild/shell'), {
    recursive: true,
  });
  const job = await testJob(PROJECT, { app: { ...testApp, package: 'com.example.plain' } }, FILES);
  const { path: apk } = await createBuiltinBuilder(undefined).build(job, () => undefined, new AbortController().signal);
  await copyFile(apk, path.join(PROJECT, 'app.apk'));
  const resources = path.join(PROJECT, 'src/test/resources/com/android/tools');
  await mkdir(resources, { recursive: true });
  // Robolectric takes what the app targets from a manifest that is text; everything else is in the package.
  await writeFile(
    path.join(PROJECT, 'AndroidManifest.xml'),
    `<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.plain">
  <uses-sdk android:minSdkVersion="24" android:targetSdkVersion="36"/>
  <application/>
</manifest>
`,
  );
  await writeFile(
    path.join(resources, 'test_config.properties'),
    `android_resource_apk=${PROJECT}/app.apk\nandroid_merged_manifest=${PROJECT}/AndroidManifest.xml\n`,
  );
}

/** Maven's output, and its exit code, which isn't 0 either when a test in its reports fails. */
interface MavenRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | string;
}

async function runMaven(chosen: readonly number[]): Promise<MavenRun> {
  const args = ['-B', '-q', 'test', `-Dsdks=${chosen.join(',')}`];
  return run('mvn', args, { cwd: PROJECT, maxBuffer: 64 * 1024 * 1024 }).then(
    (output) => ({ ...output, code: 0 }),
    (error: unknown) => error as MavenRun,
  );
}

/** Prints what passed and failed on each level. @returns whether each level ran, and all of it passed */
async function report(chosen: readonly number[], { stdout, stderr, code }: MavenRun): Promise<boolean> {
  const results: { readonly level: number; readonly failure: string | undefined }[] = [];
  for (const file of globSync('target/surefire-reports/TEST-*.xml', { cwd: PROJECT })) {
    const xml = await readFile(path.join(PROJECT, file), 'utf8');
    for (const [, name, level, rest = ''] of xml.matchAll(
      /<testcase name="(\w+)\[(\d+)\]"[^>]*?(?:\/>|>([^]*?)<\/testcase>)/g,
    )) {
      const said = /<(?:failure|error)(?: message="([^"]*)")?(?: type="([^"]*)")?/.exec(rest);
      const failure = said === null ? undefined : `${name}: ${decode(`${said[2] ?? ''}: ${said[1] ?? ''}`)}`;
      results.push({ level: Number(level), failure });
    }
  }
  let [passed, failed] = [0, 0];
  for (const level of chosen) {
    const failures = results.flatMap((each) => (each.level === level ? (each.failure ?? []) : []));
    const count = results.filter((each) => each.level === level).length;
    const notRun = count === 0 ? ['nothing ran'] : [];
    passed += count - failures.length;
    failed += failures.length + notRun.length;
    console.log([`API ${level}: ${count - failures.length} passed`, ...notRun, ...failures].join('\n  '));
  }
  if (code !== 0 && failed === 0) {
    failed = 1;
    console.log(`Maven failed: ${code}`);
  }
  if (!results.some(({ failure }) => failure !== undefined) && failed > 0) {
    console.log(stdout + stderr);
  }
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0;
}

function decode(text: string): string {
  const letters: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', apos: "'", amp: '&', '#10': '\n' };
  return text.replaceAll(/&([\w#]+);/g, (entity, name: string) => letters[name] ?? entity);
}
