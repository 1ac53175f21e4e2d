/** Runs ART 11's own verifier, from Debian, on the shell's dex. */
import { globSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import type { Checks, Part } from './part.ts';
import { DX } from './shell.ts';
import { androidStubs, dx, javaClasses, readOutput, shellFolder, writeClasses } from './shellSource.ts';

const SHELL = path.join(shellFolder, 'classes.dex');
const ART = path.join(import.meta.dirname, 'art');
const [LIBRARIES = ''] = globSync('/usr/lib/*/android');
/** libart and its indirect dependencies. */
const NAMES = [
  'art',
  'backtrace',
  'ziparchive',
  'base',
  'log',
  'nativebridge',
  'nativeloader',
  'sigchain',
  'dexfile_support',
  ':liblz4.so.1',
];

const TOOLS = [
  { file: 'g++', from: 'g++' },
  { file: 'javac', from: 'default-jdk-headless' },
  { file: 'dexdump', from: 'dexdump' },
  { file: path.join(LIBRARIES, 'libart.so'), from: 'android-libart' },
  // Builds a dex of the replacements for Android's Java.
  DX,
];

/** Classes, and lines with classes, that the shell uses and Android 7 lacks. */
const LATER_CLASSES = new Set([
  'RenderProcessGoneDetail',
  'Insets',
  'OnBackInvokedCallback',
  'OnBackInvokedDispatcher',
]);
const LATER_LINES =
  /onRenderProcessGone|layoutInDisplayCutoutMode|class Downloads|OnBackInvokedDispatcher|\bInsets\b|CONSUMED|systemBars|displayCutout|\bime\(/;
/**
 * Verdicts about classes with methods that the verifier can't decide on Android 7. They're resolved at run time, and the shell checks the
 * version first. Android 7 never loads `Back`. Any worse verdict means that a class uses more from later versions.
 */
const UNDECIDED: ReadonlyMap<string, string> = new Map([
  ['appbuild/shell/Back', 'not loaded'],
  ['appbuild/shell/Download', 'access checks'],
  ['appbuild/shell/Edges', 'soft'],
  ['appbuild/shell/MainActivity', 'access checks'],
]);

export const artParts: readonly Part[] = [{ title: 'The dex in ART’s verifier', tools: TOOLS, run: verify }];

async function verify(checks: Checks, folder: string): Promise<void> {
  const program = await compileVerifier(folder);
  const core = (await readFile(path.join(ART, 'core.txt'), 'utf8')).replaceAll(/PADS\((\d+)\)/g, (_, count: string) =>
    Array.from({ length: Number(count) }, (_pad, index) => `public void pad${index}() {}`).join(' '),
  );
  const newest = new Map([...javaClasses(core), ...(await androidStubs())]);
  const oldest = new Map(
    [...newest]
      .filter(([name]) => !LATER_CLASSES.has(name.slice(name.lastIndexOf('.') + 1)))
      .map(([name, text]) => [
        name,
        text
          .split('\n')
          .filter((line) => !LATER_LINES.test(line))
          .join('\n'),
      ]),
  );
  const listed = await readOutput('dexdump', SHELL);
  const names = Array.from(listed.matchAll(/^ {2}Class descriptor {2}: 'L(.*);'$/gm), ([, name = '']) => name);
  checks.is(names.length > 0, 'the dex has no classes');
  for (const [title, classes, undecided] of [
    ['newest', newest, new Map<string, string>()],
    ['oldest', oldest, UNDECIDED],
  ] as const) {
    const said = await readOutput(program, await compileBoot(classes, path.join(folder, title)), SHELL, ...names);
    const verdicts = new Map(
      Array.from(said.matchAll(/^(\S+): (.*?) *$/gm), ([, name = '', verdict = '']) => [name, verdict]),
    );
    for (const name of names) {
      const verdict = verdicts.get(name);
      checks.is(verdict === (undecided.get(name) ?? 'good'), `${title}: ${name}: ${verdict ?? said}`);
    }
  }
}

async function compileVerifier(folder: string): Promise<string> {
  const program = path.join(folder, 'verify');
  const settings = await readOutput('java', '-XshowSettings:properties', '-version');
  const headers = path.join(/^ *java\.home = (.*)$/m.exec(settings)?.[1] ?? '', 'include');
  await readOutput(
    'g++',
    ...['-std=c++17', `-I${headers}`, `-I${headers}/linux`, path.join(ART, 'verify.cpp'), '-o', program],
    ...[`-L${LIBRARIES}`, `-Wl,-rpath,${LIBRARIES},--no-as-needed,--allow-shlib-undefined`],
    ...NAMES.map((name) => `-l${name}`),
  );
  return program;
}

/** Compiles the classes. @returns a dex for the boot class path */
async function compileBoot(classes: ReadonlyMap<string, string>, work: string): Promise<string> {
  const empty = path.join(work, 'empty');
  const output = path.join(work, 'classes');
  const dex = path.join(work, 'boot.dex');
  await mkdir(empty, { recursive: true });
  await mkdir(output);
  const files = await writeClasses(classes, path.join(work, 'source'));
  const old = ['-source', '8', '-target', '8', '-bootclasspath', empty, '-extdirs', empty, '-classpath', empty];
  await readOutput('javac', '-nowarn', '-proc:none', '-XDstringConcat=inline', ...old, '-d', output, ...files);
  await dx(DX.file, '--dex', '--core-library', `--output=${dex}`, output);
  return dex;
}
