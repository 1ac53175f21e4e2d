/** Checks that the shell's `classes.dex` matches its Java source and works. */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { testJob } from '../support/buildJob.ts';
import {
  androidStubs,
  compileClasses,
  compileDex,
  compilePlugins,
  compileShell,
  javaClasses,
  javac,
  readOutput,
  pluginSources,
  shellFolder,
  type Compiled,
} from './shellSource.ts';
import type { Checks, Part } from './part.ts';
import { createBuiltinBuilder } from '../../src/build-service/builds/builtinBuilder.ts';

const DEX = path.join(shellFolder, 'classes.dex');
const PLUGINS = path.join(shellFolder, 'plugins');
/** Debian's own Python has enjarify; another Python on PATH doesn't. */
const PYTHON = '/usr/bin/python3';
/** Android's org.json. */
const JSON_JAR = '/usr/share/java/com.android.json.jar';

const { APP_BUILD_DX = '', APP_BUILD_ANDROID = '' } = process.env;

export const JDK = { file: 'javac', from: 'default-jdk-headless' };
/** Google's dx. Debian has no package for it. */
export const DX = { file: APP_BUILD_DX === '' ? 'dx (APP_BUILD_DX names it)' : path.resolve(APP_BUILD_DX) };
/** Android's classes, to compile the plugins against. */
const ANDROID = {
  file: APP_BUILD_ANDROID === '' ? 'android-all (APP_BUILD_ANDROID names its jar)' : path.resolve(APP_BUILD_ANDROID),
};
export const ENJARIFY = { file: 'enjarify', from: 'enjarify' };
export const JSON_OF_ANDROID = { file: JSON_JAR, from: 'libandroid-json-java' };
const DEXDUMP = { file: 'dexdump', from: 'dexdump' };

/** Files of the app that ShellTest requests. */
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
  { title: 'The dexes of the plugins are sound', tools: [DEXDUMP], run: soundPlugins },
  { title: 'The dex is what the source gives', tools: [JDK, ENJARIFY], run: sameReferences },
  { title: 'The shell in a JVM', tools: [JDK, ENJARIFY, JSON_OF_ANDROID], run: inJvm },
  { title: 'The dex is what dx makes', tools: [JDK, DX], run: sameBytes },
  { title: 'The dexes of the plugins are what dx makes', tools: [JDK, DX, ANDROID], run: samePlugins },
];

/**
 * Java packages that are complete on the oldest supported Android. Other packages lack some classes there. Code that uses a missing class
 * would fail only on old phones.
 */
const OLDEST_PACKAGES = 'java/io/,java/lang/,java/lang/reflect/,java/nio/charset/,java/util/';
const PLUGIN_PACKAGES: ReadonlySet<string> = new Set([
  ...OLDEST_PACKAGES.split(','),
  ...['java/net/', 'java/text/', 'java/util/concurrent/', 'java/util/regex/', 'java/util/zip/'],
  ...['java/security/', 'java/security/cert/', 'java/security/spec/'],
  ...['javax/crypto/', 'javax/crypto/spec/', 'javax/net/ssl/'],
]);
/** Packages that a plugin uses only after checking Android's version. */
const LATER_PACKAGES: ReadonlyMap<string, readonly string[]> = new Map([
  ['Filesystem', ['java/nio/file/', 'java/nio/file/attribute/']],
]);

async function soundDex(checks: Checks): Promise<void> {
  const { classes, packages } = await readDex(checks, DEX);
  checks.is(classes.includes('appbuild/shell/MainActivity'), 'the activity is missing');
  const isOurs = classes.every((name) => name.startsWith('appbuild/shell/'));
  checks.is(isOurs, `it contains third-party classes: ${classes.join(', ')}`);
  checks.is(packages.join() === OLDEST_PACKAGES, `it uses ${packages.join()}`);
}

/**
 * Checks that each dex contains only the classes of its own sources. If two contain the same class, Android silently
 * uses the first.
 */
async function soundPlugins(checks: Checks): Promise<void> {
  for (const [name, sources] of pluginSources()) {
    const { classes, packages } = await readDex(checks, path.join(PLUGINS, `${name}.dex`));
    const own = sources.map((source) => `appbuild/shell/${path.basename(source, '.java')}`);
    const others = classes.filter((found) => !own.includes(found.split('$')[0] ?? ''));
    const missing = own.filter((wanted) => !classes.includes(wanted));
    checks.is(others.length + missing.length === 0, `${name} has ${others.join()} and lacks ${missing.join()}`);
    const later = LATER_PACKAGES.get(name) ?? [];
    const unknown = packages.filter((found) => !PLUGIN_PACKAGES.has(found) && !later.includes(found));
    checks.is(unknown.length === 0, `${name} uses ${unknown.join()}`);
  }
}

/** Returns the classes in a dex, and the Java packages that it uses. */
async function readDex(
  checks: Checks,
  dex: string,
): Promise<Readonly<Record<'classes' | 'packages', readonly string[]>>> {
  const sum = await readOutput('dexdump', '-c', dex);
  checks.is(sum.includes('Checksum verified'), `the checksum is wrong: ${sum}`);
  const text = await readOutput('dexdump', '-d', dex);
  return {
    classes: distinct(text, /^ {2}Class descriptor {2}: 'L(.*);'$/gm),
    packages: distinct(text, /\bL(java\w*\/(?:\w+\/)*)/g),
  };
}

/**
 * Checks that each method in the dex uses the same methods, fields, and strings as the compiled source does, the same number of times. The
 * source is compiled only against stubs.txt, so the dex uses no other Android APIs.
 */
async function sameReferences(checks: Checks, folder: string): Promise<void> {
  const stubs = path.join(folder, 'stubs');
  const classes = path.join(folder, 'classes');
  await compileClasses(await androidStubs(), stubs);
  await compileShell(classes, stubs);
  const compiled = await getReferences(classes, globSync('**/*.class', { cwd: classes }));
  const jar = await translate(folder);
  const names = (await readOutput('jar', '--list', '--file', jar))
    .split('\n')
    .filter((name) => name.endsWith('.class'));
  const translated = await getReferences(jar, names);
  const methods = [...compiled.keys()].sort();
  checks.is(methods.join('\n') === [...translated.keys()].sort().join('\n'), 'its methods differ from the source');
  for (const method of methods) {
    const [expected, actual] = [compiled.get(method), translated.get(method)].map((list) =>
      [...(list ?? [])].sort().join('\n'),
    );
    checks.is(expected === actual, `${method} uses\n${actual ?? ''}\ninstead of\n${expected ?? ''}`);
  }
}

/** Checks that the same compilers create the same bytes. A different javac may create different ones. */
async function sameBytes(checks: Checks, folder: string): Promise<void> {
  const dex = path.join(folder, 'classes.dex');
  await compileDex(DX.file, dex, folder);
  const isSame = (await readFile(dex)).equals(await readFile(DEX));
  checks.is(isSame, `dx creates other bytes from the source${await compilerNote()}`);
}

async function samePlugins(checks: Checks, folder: string): Promise<void> {
  await compileDex(DX.file, path.join(folder, 'classes.dex'), folder);
  await compilePlugins(DX.file, ANDROID.file, folder, folder);
  for (const name of pluginSources().keys()) {
    const [made, committed] = await Promise.all(
      [folder, PLUGINS].map((place) => readFile(path.join(place, `${name}.dex`))),
    );
    const isSame = made?.equals(committed ?? Buffer.alloc(0)) === true;
    checks.is(isSame, `dx creates other bytes from ${name}${await compilerNote()}`);
  }
}

/** Different bytes usually come from another javac. */
async function compilerNote(): Promise<string> {
  const { javac: known } = JSON.parse(await readFile(path.join(shellFolder, 'compiled.json'), 'utf8')) as Compiled;
  const own = (await readOutput('javac', '-version')).trim();
  return own === known ? '' : `, with ${own}: the committed ones are of ${known}`;
}

/** Compiles the programs in `java/`. @returns a class path for them with enjarify's translation of the dex and fakes of Android */
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
    // Allows file names with non-ASCII letters.
    const options = ['-Dfile.encoding=UTF-8', '-Dsun.jnu.encoding=UTF-8'];
    const output = await readOutput('java', ...options, '-cp', classPath, `appbuild.shell.${name}`, apk);
    const lines = output.trim().split('\n');
    checks.passed += Number(/^\d+/.exec(lines.pop() ?? '')?.[0] ?? 0);
    checks.failures.push(...lines);
  }
}

/** Runs enjarify. @returns a jar of the dex */
async function translate(folder: string): Promise<string> {
  const jar = path.join(folder, 'dex.jar');
  const output = await readOutput(PYTHON, '-O', '-m', 'enjarify.main', '--force', '--output', jar, DEX);
  if (!output.includes(' 0 classes had errors')) {
    throw new Error(output);
  }
  return jar;
}

/** @returns the unique matches of an expression's group in a string */
function distinct(text: string, expression: RegExp): readonly string[] {
  return [...new Set(Array.from(text.matchAll(expression), ([, group]) => group ?? ''))].sort();
}

/** Returns the methods, fields, classes, and strings that each method of some classes uses, in javap's notation. */
async function getReferences(classPath: string, files: readonly string[]): Promise<Map<string, readonly string[]>> {
  const names = files.map((name) => name.slice(0, -'.class'.length).replaceAll(/[\\/]/g, '.'));
  const references = new Map<string, string[]>();
  let owner = '';
  let name: string | undefined;
  let method: string[] = [];
  for (const line of (await readOutput('javap', '-c', '-p', '-s', '-cp', classPath, ...names)).split('\n')) {
    owner = /^(?:\w+ )*(?:class|interface) ([\w.$]+)/.exec(line)?.[1] ?? owner;
    // `static {}` is the initializer of a class. A dex has no generic types, so the parameters are read from the descriptor in a later
    // line.
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
