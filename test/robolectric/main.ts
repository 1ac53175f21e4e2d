/**
 * `npm run test:robolectric`: runs a package of the built-in builder and the shell's Java on the framework of each Android version, in a
 * JVM. `-- 24 36` selects API levels, and `-- all` runs all of Robolectric's. The last line contains the totals.
 */
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { inflateSync } from 'node:zlib';

import { NATIVE_PLUGINS } from '../../src/android-package/plugins/nativePlugins.ts';
import { testApp, testJob } from '../support/buildJob.ts';
import { prepareProject } from './project.ts';
import { createBuiltinBuilder } from '../../src/build-service/builds/builtinBuilder.ts';

const ALL_LEVELS = Array.from({ length: 14 }, (_, index) => 24 + index);
/** The oldest level, the newest one, and those at which the shell or its package differs most. */
const USUAL_LEVELS = [24, 29, 33, 36, 37];
/** The Java version that the frameworks of API 36 and 37 require. */
const OLDEST_JAVA = 21;

const PROJECT = path.join(import.meta.dirname, '../../out/robolectric');

const CONFIG = `<widget id="com.example.plain" version="1.2.3">
  <name>日本 Plain</name>
  ${NATIVE_PLUGINS.map((name) => `<plugin name="${name}"/>`).join('')}
  <plugin name="cordova-plugin-customurlscheme"><variable name="URL_SCHEME" value="plain"/></plugin>
</widget>`;

/** An SQLite database whose table t contains the row “seed”. */
const SEED = inflateSync(
  Buffer.from(
    'eNoLDvTJLElVSMsvyk0sUTBmYGJgZGRwUFBgYAAyIRgGGIGYBY1PCDAx6CUz8oIUM95nAKJRQF8gz8gmzs/PqF+SmJSTWlLC5Bzk6hjiqhDi6OTj' +
      'qlCikagJiZsfDEA0CkYQYGNkEi1OTU0BAMLHE90=',
    'base64',
  ),
);

/** Files of the app that the tests use. */
const FILES = {
  'config.xml': CONFIG,
  'index.html': '<!doctype html><title>Plain</title><script src="a.js"></script>',
  'a.js': 'document.title = "ran"',
  'sub/index.html': '<!doctype html>sub',
  'dir/ü b.txt': 'b',
  'manual.pdf': '%PDF-1.4',
  'movie.mp4': Buffer.alloc(100_000),
  'table.csv': 'x'.repeat(100_000),
  'seed.db': SEED,
  'assets/databases/ready.db': SEED,
  'inject.js': 'window.injected = 1',
  'film.js': 'navigator.mediaDevices.getUserMedia({ audio: true, video: true })',
};

const run = promisify(execFile);

const levels = readLevels(process.argv.slice(2));
const missing = await findMissing();
if (missing === undefined) {
  const folder = await mkdtemp(path.join(tmpdir(), 'robolectric-'));
  try {
    await prepareProject(PROJECT, await buildApk(folder), 'com.example.plain');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

/** @returns a sentence about missing tools; `undefined` if all are installed */
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

/** Builds the app. @returns the path of the package */
async function buildApk(folder: string): Promise<string> {
  const job = await testJob(folder, { app: { ...testApp, package: 'com.example.plain' } }, FILES);
  return (await createBuiltinBuilder(undefined).build(job, () => undefined, new AbortController().signal)).path;
}

/** Maven's output and exit code. The exit code is also nonzero if a test in its reports fails. */
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

/** Prints the results for each level. @returns true if all levels ran and all tests passed */
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
