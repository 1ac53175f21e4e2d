/** The tools of each platform on this machine. Cordova's own check takes an empty folder for an Android SDK, and any JDK. */
import { constants, readdir } from 'node:fs/promises';
import path from 'node:path';

import { OTHER_PROCESS_TIMEOUT_MS } from '../../limits.ts';
import type { Platform } from '../../store/model.ts';
import { inheritedEnvironment, runProgram, toolFolders, toolPath } from '../runProgram.ts';
import { exists, type Engine } from './engine.ts';

/** Programs of the Android SDK and the JDK, absolute paths. */
export interface AndroidTools {
  /** The folder of the JDK; `undefined`: that on PATH. */
  readonly javaHome: string | undefined;
  readonly sdk: string;
  readonly gradle: string;
  readonly zipalign: string;
  /** On Windows the archive that `java` runs: the program there is a batch file, which would need a shell. */
  readonly apksigner: string;
  readonly java: string;
  readonly jarsigner: string;
}

const MIN_JDK = 17;
/** That of cordova-android 15. */
const ANDROID_API_LEVEL = 36;
const MIN_BUILD_TOOLS = 36;
const MIN_XCODE = 15;
const isWindows = process.platform === 'win32';

/** The missing tools of each platform, in a sentence for each tool; `undefined`: none is missing. */
export async function missingRequirements(
  engine: Engine,
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<Readonly<Record<Platform, string | undefined>>> {
  const [android, ios] = await Promise.all([findAndroidTools(env), missingForIos(env)]);
  const sentences = (platform: Platform, missing: readonly string[]): string | undefined => {
    const all =
      engine.platforms[platform] === undefined
        ? [`The Cordova engine has no cordova-${platform}.`, ...missing]
        : missing;
    return all.length === 0 ? undefined : all.join(' ');
  };
  return {
    android: sentences('android', Array.isArray(android) ? android : []),
    ios: sentences('ios', ios),
    winphone: 'Cordova builds no winphone apps.',
    browser: sentences('browser', []),
  };
}

/** @returns the tools, or a sentence for each one that is missing */
export async function findAndroidTools(env: Readonly<NodeJS.ProcessEnv>): Promise<AndroidTools | readonly string[]> {
  const missing: string[] = [];
  const javaHome = [env.CORDOVA_JAVA_HOME, env.JAVA_HOME].find((folder) => folder !== undefined && folder !== '');
  const findJdkTool = (name: string): Promise<string | undefined> =>
    javaHome === undefined ? findOnPath(name, env) : findExecutable(path.join(javaHome, 'bin', name));

  const [javac, java, jarsigner] = await Promise.all(['javac', 'java', 'jarsigner'].map(findJdkTool));
  const jdk = javac === undefined ? undefined : await versionOf(javac, env);
  if (jdk === undefined || java === undefined || jarsigner === undefined) {
    missing.push(`A JDK is missing: install version ${MIN_JDK} or newer, and set JAVA_HOME to its folder.`);
  } else if (jdk < MIN_JDK) {
    missing.push(`The JDK is version ${jdk}: install version ${MIN_JDK} or newer, and set JAVA_HOME to its folder.`);
  }

  const sdk = env.ANDROID_HOME ?? '';
  const hasSdk = path.isAbsolute(sdk) && (await exists(sdk));
  if (!hasSdk) {
    missing.push('The Android SDK is missing: install it, and set ANDROID_HOME to its folder.');
  }
  if (hasSdk && !(await exists(path.join(sdk, 'platforms', `android-${ANDROID_API_LEVEL}`)))) {
    missing.push(
      `The Android SDK has no platform ${ANDROID_API_LEVEL}: run sdkmanager "platforms;android-${ANDROID_API_LEVEL}".`,
    );
  }
  const buildTools = hasSdk ? await newestBuildTools(sdk) : undefined;
  if (hasSdk && buildTools === undefined) {
    missing.push(
      `The Android SDK has no build tools ${MIN_BUILD_TOOLS} or newer: run sdkmanager "build-tools;${MIN_BUILD_TOOLS}.0.0".`,
    );
  }
  const zipalign = buildTools && (await findExecutable(path.join(buildTools, 'zipalign')));
  const apksigner = buildTools && (await findApksigner(buildTools));
  if (buildTools !== undefined && (zipalign === undefined || apksigner === undefined)) {
    missing.push('The build tools of the Android SDK lack zipalign or apksigner: install them again.');
  }

  const gradle = await findOnPath('gradle', env);
  if (gradle === undefined) {
    missing.push('Gradle is missing: install it, and put it on PATH.');
  }
  return missing.length > 0 ||
    java === undefined ||
    jarsigner === undefined ||
    zipalign === undefined ||
    apksigner === undefined ||
    gradle === undefined
    ? missing
    : { javaHome, sdk, gradle, zipalign, apksigner, java, jarsigner };
}

async function missingForIos(env: Readonly<NodeJS.ProcessEnv>): Promise<readonly string[]> {
  if (process.platform !== 'darwin') {
    return ['Apps for iOS are built on macOS only.'];
  }
  const xcodebuild = await findOnPath('xcodebuild', env);
  const version = xcodebuild === undefined ? undefined : await versionOf(xcodebuild, env);
  return version === undefined || version < MIN_XCODE
    ? [`Xcode ${MIN_XCODE} or newer is missing: install it from the App Store, and open it once.`]
    : [];
}

/** The folder of the highest version that is high enough. */
async function newestBuildTools(sdk: string): Promise<string | undefined> {
  const folder = path.join(sdk, 'build-tools');
  const versions = (await readdir(folder).catch(() => []))
    .filter((name) => Number.parseInt(name, 10) >= MIN_BUILD_TOOLS)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return versions.length === 0 ? undefined : path.join(folder, versions.at(-1) ?? '');
}

async function findApksigner(buildTools: string): Promise<string | undefined> {
  if (!isWindows) {
    return findExecutable(path.join(buildTools, 'apksigner'));
  }
  const archive = path.join(buildTools, 'lib', 'apksigner.jar');
  return (await exists(archive)) ? archive : undefined;
}

async function findOnPath(name: string, env: Readonly<NodeJS.ProcessEnv>): Promise<string | undefined> {
  for (const folder of toolFolders(env)) {
    const found = await findExecutable(path.join(folder, name));
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** @param file without the extension that programs have on Windows */
async function findExecutable(file: string): Promise<string | undefined> {
  for (const candidate of isWindows ? [`${file}.exe`, `${file}.bat`] : [file]) {
    if (await exists(candidate, constants.X_OK)) {
      return candidate;
    }
  }
  return undefined;
}

/** The major version that javac or xcodebuild prints; a JVM may print its options, too. */
async function versionOf(command: string, env: Readonly<NodeJS.ProcessEnv>): Promise<number | undefined> {
  try {
    const lines = await runProgram({
      command,
      args: ['-version'],
      cwd: process.cwd(),
      env: { ...inheritedEnvironment(['SystemRoot'], env), PATH: toolPath(env), LC_ALL: 'C' },
      signal: AbortSignal.timeout(OTHER_PROCESS_TIMEOUT_MS),
    });
    const version = /^(?:javac|Xcode) (\d+)/m.exec(lines.join('\n'))?.[1];
    return version === undefined ? undefined : Number(version);
  } catch {
    return undefined;
  }
}
