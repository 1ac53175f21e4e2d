import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { KEY_FILES, KEY_PASSWORDS } from '../store/model.ts';
import { BuildError, type Builder, type BuildJob, type BuildResult } from './builder.ts';
import { inheritedEnvironment, ProgramError, runProgram } from './runProgram.ts';

/** The system needs these to find and run programs. */
const INHERITED_NAMES = (
  'PATH HOME USER LOGNAME LANG LC_ALL LC_CTYPE TZ TMPDIR XDG_RUNTIME_DIR DOCKER_HOST ' +
  'SystemRoot SystemDrive windir ComSpec PATHEXT TEMP TMP USERPROFILE USERNAME ' +
  'HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA ProgramData ProgramFiles ProgramFiles(x86)'
).split(' ');

/**
 * A builder that runs a program of the person who started the service, for every platform, in the folder in which the
 * service was started. No shell reads the command: white space separates its words, and quotes, single or double, hold a
 * word together (`sh -c "…"` runs a shell). The program gets its input by its environment:
 *
 * | variable | value |
 * |---|---|
 * | `APP_BUILD_SOURCE` | the folder with the files of the app |
 * | `APP_BUILD_OUTPUT` | an empty folder: the one file in it is the artifact, under its name |
 * | `APP_BUILD_PLATFORM` | android, ios, winphone or browser |
 * | `APP_BUILD_TITLE`, `APP_BUILD_ID`, `APP_BUILD_VERSION` | what is built |
 * | `APP_BUILD_DEBUG` | `1` for a debug build |
 * | `APP_BUILD_ICON` | a PNG file, when one was uploaded |
 * | `APP_BUILD_KEYSTORE`, `APP_BUILD_CERT`, `APP_BUILD_PROFILE` | the files of the signing key |
 * | `APP_BUILD_KEY_ALIAS`, `APP_BUILD_PUBLISHER_ID` | what else belongs to the key |
 * | `APP_BUILD_KEY_PW`, `APP_BUILD_KEYSTORE_PW`, `APP_BUILD_PASSWORD` | its passwords |
 *
 * @throws Error whose message is for a person, for a command that cannot be read
 */
export function createCommandBuilder(command: string): Builder {
  const [program, ...args] = parseCommand(command);
  if (program === undefined) {
    throw new Error('--builder-command must name a program.');
  }
  return {
    name: 'command',
    platforms: () => Promise.resolve({}),
    build: (job, log, signal) => build([program, ...args], job, log, signal),
  };
}

async function build(
  [command, ...args]: readonly [string, ...string[]],
  job: BuildJob,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<BuildResult> {
  const output = join(job.workFolder, 'output');
  await mkdir(output);
  try {
    const env = { ...inheritedEnvironment(INHERITED_NAMES), ...environmentOf(job, output) };
    await runProgram({ command, args, cwd: process.cwd(), env, log, signal });
  } catch (error) {
    if (!(error instanceof ProgramError)) {
      throw error;
    }
    const isBatchFile = error.code === 'EINVAL' && /\.(?:bat|cmd)$/i.test(command);
    const reason = isBatchFile ? `${error.message}: name its shell, too, as in cmd /c build.bat` : error.message;
    throw new BuildError(`The build command ${reason}.`);
  }
  const [fileName, ...others] = await readdir(output);
  if (fileName === undefined) {
    throw new BuildError('The build command left no file in APP_BUILD_OUTPUT.');
  }
  if (others.length > 0) {
    throw new BuildError('The build command left more than one file in APP_BUILD_OUTPUT.');
  }
  return { path: join(output, fileName), fileName };
}

function environmentOf(job: BuildJob, output: string): Record<string, string> {
  const { app, platform, source, icon, key } = job;
  const { title, package: id, version, debug } = app;
  const values = {
    SOURCE: source.folder,
    OUTPUT: output,
    PLATFORM: platform,
    TITLE: title,
    ID: id,
    VERSION: version,
    DEBUG: debug ? '1' : undefined,
    ICON: icon,
    KEY_ALIAS: key?.key.alias,
    PUBLISHER_ID: key?.key.publisherId,
    ...Object.fromEntries(KEY_FILES.map((name) => [name.toUpperCase(), key?.files[name]])),
    ...Object.fromEntries(KEY_PASSWORDS.map((name) => [name.toUpperCase(), key?.passwords?.[name]])),
  };
  const given = Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  // A variable cannot hold the character 0.
  return Object.fromEntries(given.map(([name, value]) => [`APP_BUILD_${name}`, value.replaceAll('\0', '')]));
}

/** The words of a command. A backslash is a character like any other: Windows has it in paths. */
function parseCommand(command: string): readonly string[] {
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+|["']/g) ?? [];
  if (words.some((word) => word === '"' || word === "'")) {
    throw new Error('--builder-command has a quote that does not end.');
  }
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
