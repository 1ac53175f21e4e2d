/**
 * Finds each platform's tools on this computer. Replaces Cordova's own check, which accepts any JDK, and even an empty
 * folder as the Android SDK.
 */
import { constants, readdir } from 'node:fs/promises';
import path from 'node:path';

import { OTHER_PROCESS_TIMEOUT_MS } from '../../limits.ts';
import { inheritedEnvironment, runProgram, toolFolders, toolPath } from '../runProgram.ts';
import { pathExists, type CordovaEngine } from './engine.ts';
import type { Platform } from '../../../android-package/index.ts';

/** Absolute paths of programs in the Android SDK and the JDK. */
export interface AndroidTools {
  /** Folder of the JDK. `undefined` for the JDK on PATH. */
  readonly javaHome: string | undefined;
  readonly sdk: string;
  readonly gradle: string;
  readonly zipalign: string;
  /** On Windows, a jar to run with `java`, because the program itself is a batch file, which requires a shell. */
  readonly apksigner: string;
  readonly java: string;
  readonly jarsigner: string;
}

const MIN_JDK = 17;
/** API level that cordova-android 15 requires. */
const ANDROID_API_LEVEL = 36;
const MIN_BUILD_TOOLS = 36;
const MIN_XCODE = 15;
const isWindows = process.platform === 'win32';

/**
 * Returns sentences about the missing tools, keyed by platform. The value is `undefined` for a platform that has all of
 * its tools.
 */
export async function missingRequirements(
  engine: CordovaEngine,
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<Readonly<Record<Platform, string | undefined>>> {
  const [android, ios] = await Promise.all([findAndroidTools(env), missingForIos(env)]);
  const sentences = (platform: Platform, missing: readonly string[]): string | undefined => {
    const all =
      engine.platforms[platform] === undefined
        ? [`The Cordova engine doesn’t contain cordova-${platform}.`, ...missing]
        : missing;
    return all.length === 0 ? undefined : all.join(' ');
  };
  return {
    android: sentences('android', Array.isArray(android) ? android : []),
    ios: sentences('ios', ios),
    winphone: 'Cordova can’t build winphone apps.',
    browser: sentences('browser', []),
  };
}

/**
 * Finds the Android tools.
 *
 * @returns the tools, or a sentence for each missing one
 */
export async function findAndroidTools(env: Readonly<NodeJS.ProcessEnv>): Promise<AndroidTools | readonly string[]> {
  const missing: string[] = [];
  const javaHome = [env.CORDOVA_JAVA_HOME, env.JAVA_HOME].find((folder) => folder !== undefined && folder !== '');
  const findJdkTool = (name: string): Promise<string | undefined> =>
    javaHome === undefined ? findOnPath(name, env) : findExecutable(path.join(javaHome, 'bin', name));

  const [javac, java, jarsigner] = await Promise.all(['javac', 'java', 'jarsigner'].map(findJdkTool));
  const jdk = javac === undefined ? undefined : await readMajorVersion(javac, env);
  if (jdk === undefined || java === undefined || jarsigner === undefined) {
    missing.push(`A JDK is missing. Install version ${MIN_JDK} or later and set JAVA_HOME to its folder.`);
  } else if (jdk < MIN_JDK) {
    missing.push(`The JDK is version ${jdk}. Install version ${MIN_JDK} or later and set JAVA_HOME to its folder.`);
  }

  const sdk = env.ANDROID_HOME ?? '';
  const hasSdk = path.isAbsolute(sdk) && (await pathExists(sdk));
  if (!hasSdk) {
    missing.push('The Android SDK is missing. Install it and set ANDROID_HOME to its folder.');
  }
  if (hasSdk && !(await pathExists(path.join(sdk, 'platforms', `android-${ANDROID_API_LEVEL}`)))) {
    missing.push(
      `The Android SDK doesn’t contain platform ${ANDROID_API_LEVEL}. Run sdkmanager "platforms;android-${ANDROID_API_LEVEL}".`,
    );
  }
  const buildTools = hasSdk ? await newestBuildTools(sdk) : undefined;
  if (hasSdk && buildTools === undefined) {
    missing.push(
      `The Android SDK doesn’t contain build tools ${MIN_BUILD_TOOLS} or later. Run sdkmanager "build-tools;${MIN_BUILD_TOOLS}.0.0".`,
    );
  }
  const zipalign = buildTools && (await findExecutable(path.join(buildTools, 'zipalign')));
  const apksigner = buildTools && (await findApksigner(buildTools));
  if (buildTools !== undefined && (zipalign === undefined || apksigner === undefined)) {
    missing.push('The Android SDK’s build tools don’t contain zipalign or apksigner. Install them again.');
  }

  const gradle = await findOnPath('gradle', env);
  if (gradle === undefined) {
    missing.push('Gradle is missing. Install it and add it to PATH.');
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
    return ['iOS apps can only be built on macOS.'];
  }
  const xcodebuild = await findOnPath('xcodebuild', env);
  const version = xcodebuild === undefined ? undefined : await readMajorVersion(xcodebuild, env);
  return version === undefined || version < MIN_XCODE
    ? [`Xcode ${MIN_XCODE} or later is missing. Install it from the App Store and open it once.`]
    : [];
}

/** Returns the folder of the newest build tools, if they're new enough. */
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
  return (await pathExists(archive)) ? archive : undefined;
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

/**
 * Returns the path of a program, if it exists.
 *
 * @param file path without the extension that programs have on Windows
 */
async function findExecutable(file: string): Promise<string | undefined> {
  for (const candidate of isWindows ? [`${file}.exe`, `${file}.bat`] : [file]) {
    if (await pathExists(candidate, constants.X_OK)) {
      return candidate;
    }
  }
  return undefined;
}

/** Returns the major version that javac or xcodebuild prints. A JVM may print its options, too. */
async function readMajorVersion(command: string, env: Readonly<NodeJS.ProcessEnv>): Promise<number | undefined> {
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
