/** The shell of Android packages: is `classes.dex` what its Java source gives, and does it do what it should? */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { createBuiltinBuilder } from '../../src/localService/builds/builtin/builtinBuilder.ts';
import { testJob } from '../support/buildJob.ts';
import {
  androidStubs,
  compileClasses,
  compileDex,
  compileShell,
  javaClasses,
  javac,
  outputOf,
  shellFolder,
} from './shellSource.ts';
import type { Checks, Part } from './part.ts';

const DEX = path.join(shellFolder, 'classes.dex');
/** Debian's own Python has enjarify; another one on the path has not. */
const PYTHON = '/usr/bin/python3';
/** Android's org.json. */
const JSON_JAR = '/usr/share/java/com.android.json.jar';

const { APP_BUILD_DX = '' } = process.env;

export const JDK = { file: 'javac', from: 'default-jdk-headless' };
/** Google's dx, which Debian doesn't have. */
export const DX = { file: APP_BUILD_DX === '' ? 'dx (APP_BUILD_DX names it)' : path.resolve(APP_BUILD_DX) };
export const ENJARIFY = { file: 'enjarify', from: 'enjarify' };
export const JSON_OF_ANDROID = { file: JSON_JAR, from: 'libandroid-json-java' };
const DEXDUMP = { file: 'dexdump', from: 'dexdump' };

/** The files of the app that ShellTest asks for. */
const SERVED = {
  'index.html': 'start!',
  'a b/ü.js': 'x',
  '100%+1.js': 'x',
  'movie.mp4': Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251)),
  'text.txt': 'abcdefghi\n'.repeat(500),
  'empty.json': '',
  'a.js': '1',
  'dir/b.js': '2',
  'dir/index.html': 'dir',
  'sub/index.html': 's',
  '😀.json': '{}',
  'e\u0301-nfd.txt': 'x',
  'a;b=c.txt': 'x',
  'p+q.txt': 'x',
  'm.wasm': 'x',
  'b.epub': 'e',
  'b.xyz': 'e',
  'doc.pdf': 'pdf',
  LICENSE: 'free',
};

export const shellParts: readonly Part[] = [
  { title: 'The dex is sound', tools: [DEXDUMP], run: soundDex },
  { title: 'The dex is what the source gives', tools: [JDK, ENJARIFY], run: sameReferences },
  { title: 'The shell in a JVM', tools: [JDK, ENJARIFY, JSON_OF_ANDROID], run: inJvm },
  { title: 'The dex is what dx makes', tools: [JDK, DX], run: sameBytes },
];

async function soundDex(checks: Checks): Promise<void> {
  const sum = await outputOf('dexdump', '-c', DEX);
  checks.is(sum.includes('Checksum verified'), `its checksum is wrong: ${sum}`);
  const text = await outputOf('dexdump', '-d', DEX);
  const classes = distinct(text, /^ {2}Class descriptor {2}: 'L(.*);'$/gm);
  checks.is(classes.includes('appbuild/shell/MainActivity'), 'there is no activity');
  const isOurs = classes.every((name) => name.startsWith('appbuild/shell/'));
  checks.is(isOurs, `there are classes of others: ${classes.join(', ')}`);
  // The oldest Android has these packages of Java; of others it may lack classes, which shows on old phones only.
  const packages = distinct(text, /\bL(java\w*\/(?:\w+\/)*)/g).join();
  checks.is(packages === 'java/io/,java/lang/,java/nio/charset/,java/util/', `it uses ${packages}`);
}

/**
 * Each method of the dex calls, reads and says what the compiled source does, as often. The compiler has seen nothing of Android but
 * stubs.txt, so the dex uses nothing else either.
 */
async function sameReferences(checks: Checks, folder: string): Promise<void> {
  const stubs = path.join(folder, 'stubs');
  const classes = path.join(folder, 'classes');
  await compileClasses(await androidStubs(), stubs);
  await compileShell(classes, stubs);
  const compiled = await referencesOf(classes, globSync('**/*.class', { cwd: classes }));
  const jar = await translate(folder);
  const names = (await outputOf('jar', '--list', '--file', jar)).split('\n').filter((name) => name.endsWith('.class'));
  const translated = await referencesOf(jar, names);
  const methods = [...compiled.keys()].sort();
  checks.is(methods.join('\n') === [...translated.keys()].sort().join('\n'), 'it has other methods than the source');
  for (const method of methods) {
    const [expected, actual] = [compiled.get(method), translated.get(method)].map((list) =>
      [...(list ?? [])].sort().join('\n'),
    );
    checks.is(expected === actual, `${method} uses\n${actual ?? ''}\ninstead of\n${expected ?? ''}`);
  }
}

/** The same compilers give the same bytes; another javac need not. */
async function sameBytes(checks: Checks, folder: string): Promise<void> {
  const dex = path.join(folder, 'classes.dex');
  await compileDex(DX.file, dex, folder);
  checks.is((await readFile(dex)).equals(await readFile(DEX)), 'dx makes other bytes of the source');
}

/** Compiles the programs of `java/`. @returns a class path for them: what enjarify makes of the dex, and fakes of Android */
export async function jvmClassPath(folder: string): Promise<string> {
  const stubs = path.join(folder, 'stubs');
  const classes = path.join(folder, 'classes');
  const fakes = path.join(folder, 'fakes');
  const tests = path.join(folder, 'tests');
  const stubClasses = await androidStubs();
  await compileClasses(stubClasses, stubs);
  await compileShell(classes, stubs);
  const fakeClasses = javaClasses(await readFile(path.join(import.meta.dirname, 'fakes.txt'), 'utf8'));
  const all = [...stubClasses, ...fakeClasses].filter(([name]) => !name.startsWith('org.json.'));
  await compileClasses(new Map(all), fakes, JSON_JAR);
  const sources = globSync('java/*.java', { cwd: import.meta.dirname });
  await javac(
    tests,
    [fakes, classes, JSON_JAR],
    sources.map((source) => path.join(import.meta.dirname, source)),
  );
  return [tests, await translate(folder), fakes, JSON_JAR].join(path.delimiter);
}

async function inJvm(checks: Checks, folder: string): Promise<void> {
  const classPath = await jvmClassPath(folder);
  const job = await testJob(folder, {}, SERVED);
  const { path: apk } = await createBuiltinBuilder(undefined).build(job, () => undefined, new AbortController().signal);
  for (const name of ['LogicTest', 'ShellTest']) {
    // Names of files with letters that are not ASCII.
    const options = ['-Dfile.encoding=UTF-8', '-Dsun.jnu.encoding=UTF-8'];
    const output = await outputOf('java', ...options, '-cp', classPath, `appbuild.shell.${name}`, apk);
    const lines = output.trim().split('\n');
    checks.passed += Number(/^\d+/.exec(lines.pop() ?? '')?.[0] ?? 0);
    checks.failures.push(...lines);
  }
}

/** @returns a jar of the dex */
async function translate(folder: string): Promise<string> {
  const jar = path.join(folder, 'dex.jar');
  const output = await outputOf(PYTHON, '-O', '-m', 'enjarify.main', '--force', '--output', jar, DEX);
  if (!output.includes(' 0 classes had errors')) {
    throw new Error(output);
  }
  return jar;
}

/** @returns what the group of an expression matches in a text */
function distinct(text: string, expression: RegExp): readonly string[] {
  return [...new Set(Array.from(text.matchAll(expression), ([, group]) => group ?? ''))].sort();
}

/** What each method of some classes uses: methods, fields, classes and texts, as javap names them. */
async function referencesOf(classPath: string, files: readonly string[]): Promise<Map<string, readonly string[]>> {
  const names = files.map((name) => name.slice(0, -'.class'.length).replaceAll(/[\\/]/g, '.'));
  const references = new Map<string, string[]>();
  let owner = '';
  let name: string | undefined;
  let method: string[] = [];
  for (const line of (await outputOf('javap', '-c', '-p', '-s', '-cp', classPath, ...names)).split('\n')) {
    owner = /^(?:\w+ )*(?:class|interface) ([\w.$]+)/.exec(line)?.[1] ?? owner;
    // `static {}` is the initializer of a class. A dex has no generic types, so the descriptor below names the parameters.
    name = /^ {2}(?:\S.* )?([^ (]+)\(.*;$/.exec(line)?.[1] ?? /^ {2}static \{\};$/.exec(line)?.[0].trim() ?? name;
    const descriptor = /^ {4}descriptor: (\(.*)$/.exec(line)?.[1];
    if (descriptor !== undefined) {
      method = [];
      references.set(`${owner}: ${name ?? ''}${descriptor}`, method);
    }
    const reference = /\/\/ ((?:Method|InterfaceMethod|Field|String|class) .*)$/.exec(line)?.[1];
    if (reference !== undefined) {
      method.push(reference);
    }
  }
  return references;
}
