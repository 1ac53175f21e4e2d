/** Compiles the shell's Java into class files with only a JDK. The local service doesn't use this code. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

export const shellFolder = path.join(import.meta.dirname, '../../src/android-package/shell');

/** Content of `compiled.json`. */
export interface Compiled {
  /** SHA-256 of classes.dex. */
  readonly dex: string;
  /** Result of {@link computeSourcesDigest} for the compiled source. */
  readonly sources: string;
  /** Digests of each dex in `plugins/` and its sources, by name. */
  readonly plugins: Readonly<Record<string, Readonly<Record<'dex' | 'sources', string>>>>;
  readonly javac: string;
  readonly dx: string;
}

const run = promisify(execFile);

/** Runs a program. @returns its output on both channels */
export async function readOutput(command: string, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(command, args, { maxBuffer: 64 * 1024 * 1024 });
  return stdout + stderr;
}

/**
 * Reads a file of Java classes, each after a line `== its.full.Name`.
 * @returns the source texts by name, without their package declarations
 */
export function javaClasses(text: string): Map<string, string> {
  return new Map(
    text
      .split(/^== /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf('\n');
        return [part.slice(0, end), part.slice(end + 1)];
      }),
  );
}

/** Returns the parts of Android that the shell uses: signatures only. */
export async function androidStubs(): Promise<Map<string, string>> {
  return javaClasses(await readFile(path.join(shellFolder, 'stubs.txt'), 'utf8'));
}

/** Writes classes from {@link javaClasses} as a source tree. @returns the files */
export async function writeClasses(classes: ReadonlyMap<string, string>, folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const [name, text] of classes) {
    const file = path.join(folder, `${name.replaceAll('.', '/')}.java`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `package ${name.slice(0, name.lastIndexOf('.'))};\n${text}`);
    files.push(file);
  }
  return files;
}

/** Compiles classes from {@link javaClasses}. */
export async function compileClasses(
  classes: ReadonlyMap<string, string>,
  output: string,
  ...classPath: readonly string[]
): Promise<void> {
  await javac(output, classPath, await writeClasses(classes, `${output}-source`));
}

/** Compiles the shell. Every JDK from 8 on supports `--release 8`. dx rejects lambdas in it. */
export async function compileShell(output: string, stubs: string): Promise<void> {
  await javac(output, [stubs], shellSources(), '--release', '8', '-g:source,lines');
}

/** Runs Google's dx from a jar or a folder of classes. @returns its output */
export async function dx(place: string, ...args: readonly string[]): Promise<string> {
  return readOutput('java', '-classpath', place, 'com.android.dx.command.Main', ...args);
}

/** Creates a dex of the shell. */
export async function compileDex(place: string, dex: string, work: string): Promise<void> {
  const stubs = path.join(work, 'stubs');
  const classes = path.join(work, 'classes');
  await compileClasses(await androidStubs(), stubs);
  await compileShell(classes, stubs);
  await dx(place, '--dex', `--output=${path.resolve(dex)}`, classes);
}

/**
 * Returns the sources of each dex in `plugins/`: a family's own file, and for `Bridge` the folder that all families
 * need.
 */
export function pluginSources(): ReadonlyMap<string, readonly string[]> {
  const find = (pattern: string): string[] => globSync(pattern, { cwd: shellFolder }).sort();
  return new Map([
    ['Bridge', find('plugins/bridge/*.java')],
    ...find('plugins/*.java').map((file): [string, readonly string[]] => [path.basename(file, '.java'), [file]]),
  ]);
}

/**
 * Creates the dex files of `plugins/`.
 * @param androidJar the classes of Android, because plugins are compiled without stubs
 * @param work folder with the shell's classes in `classes`
 */
export async function compilePlugins(place: string, androidJar: string, folder: string, work: string): Promise<void> {
  const shell = path.join(work, 'classes');
  const output = path.join(work, 'plugin-classes');
  const sources = pluginSources();
  const files = [...sources.values()].flat().map((file) => path.join(shellFolder, file));
  await javac(output, [shell, androidJar], files, '--release', '8', '-g:source,lines');
  for (const [name, ownFiles] of sources) {
    const own = path.join(work, name);
    await mkdir(path.join(own, 'appbuild/shell'), { recursive: true });
    const names = ownFiles.map((file) => path.basename(file, '.java'));
    for (const file of globSync(`appbuild/shell/{${names.join()},}{,$*}.class`, { cwd: output }).sort()) {
      await copyFile(path.join(output, file), path.join(own, file));
    }
    await dx(place, '--dex', `--output=${path.resolve(folder, `${name}.dex`)}`, own);
  }
}

/** Compiles Java files. */
export async function javac(
  output: string,
  classPath: readonly string[],
  files: readonly string[],
  ...options: readonly string[]
): Promise<void> {
  await mkdir(output, { recursive: true });
  const paths = ['-classpath', [output, ...classPath].join(path.delimiter), '-d', output];
  await readOutput('javac', '-encoding', 'UTF-8', '-Xlint:-options', ...options, ...paths, ...files);
}

/** Returns one digest of all sources of classes.dex. */
export async function computeSourcesDigest(): Promise<string> {
  return computeDigest([...shellSources().map((file) => path.relative(shellFolder, file)), 'stubs.txt']);
}

/** Returns one digest of files in the shell's folder. */
export async function computeDigest(files: readonly string[]): Promise<string> {
  const digest = createHash('sha256');
  for (const file of files) {
    digest.update(`${path.basename(file)}\0${await readFile(path.join(shellFolder, file), 'utf8')}\0`);
  }
  return digest.digest('hex');
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function shellSources(): readonly string[] {
  const files = globSync('src/appbuild/shell/*.java', { cwd: shellFolder });
  return files.sort().map((file) => path.join(shellFolder, file));
}
