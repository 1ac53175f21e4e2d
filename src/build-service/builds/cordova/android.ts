import { constants } from 'node:fs/promises';
import path from 'node:path';

import type { BuildKey, BuildResult } from '../builder.ts';
import { keyFault } from '../buildKeys.ts';
import { inheritedEnvironment, toolPath } from '../runProgram.ts';
import { pathExists } from './engine.ts';
import { requireMade, type CordovaPlatformBuild } from './platformBuild.ts';
import { findAndroidTools, type AndroidTools } from './requirements.ts';
import { artifactName, BuildError } from '../../../android-package/index.ts';

/** Environment variables with the user's settings for Gradle and the SDK. They don't contain secrets. */
const ANDROID_NAMES = ['ANDROID_HOME', 'ANDROID_SDK_ROOT', 'CORDOVA_ANDROID_GRADLE_DISTRIBUTION_URL'];

/**
 * Builds an APK, or an app bundle if the preference `AndroidPackageType` requests one. Without a key, builds a `debug`
 * package.
 */
export async function buildAndroid(build: CordovaPlatformBuild): Promise<BuildResult> {
  const { job, folder, workFolder, config, env, run, cordova } = build;
  const tools = await findAndroidTools(env);
  if (!('sdk' in tools)) {
    throw new BuildError(tools.join(' '));
  }
  const start = Date.now();
  const { key } = job;
  const type = key !== undefined && config.androidPackageType === 'bundle' ? 'aab' : 'apk';
  const unsigned = path.join(
    folder,
    'platforms/android/app/build/outputs',
    OUTPUTS[key === undefined ? 'debug' : type],
  );
  const artifact = path.join(workFolder, `artifact.${type}`);
  const fault = key === undefined ? undefined : await keyFault(key);
  if (fault !== undefined) {
    throw new BuildError(fault);
  }
  // Check the key before the build to report a problem immediately, because the build takes minutes.
  const steps = key === undefined ? [] : androidSigningSteps(unsigned, artifact, key, tools);
  await cordova('Prepare', ['prepare', 'android']);
  const toolEnv = await androidEnvironment(build, tools);
  const mode = key === undefined ? '--debug' : '--release';
  const packageType = `--packageType=${type === 'aab' ? 'bundle' : 'apk'}`;
  // Without this option, Gradle's daemon would keep running after the build.
  await cordova('Compile', ['compile', 'android', mode, '--', packageType, '--gradleArg=--no-daemon'], toolEnv);
  await requireMade(unsigned, start);
  for (const [command, args, passwords] of steps) {
    await run(`Sign: ${path.parse(command).name}`, command, args, { ...toolEnv, ...passwords });
  }
  return {
    path: await requireMade(key === undefined ? unsigned : artifact, start),
    fileName: `${artifactName(config.name, config.version)}${key === undefined ? '-debug.apk' : `.${type}`}`,
  };
}

const OUTPUTS = {
  debug: 'apk/debug/app-debug.apk',
  apk: 'apk/release/app-release-unsigned.apk',
  aab: 'bundle/release/app-release.aab',
} as const;

/**
 * Returns the environment variables that Gradle needs. They keep Gradle's downloads next to the engine, together with
 * the debug signing key, which must stay the same for updates of an app.
 */
async function androidEnvironment(
  { engine, workFolder, env }: CordovaPlatformBuild,
  { javaHome, sdk, gradle }: AndroidTools,
): Promise<Record<string, string>> {
  const cache = (await pathExists(engine.folder, constants.W_OK)) ? engine.folder : workFolder;
  return {
    ...inheritedEnvironment(ANDROID_NAMES, env),
    ...(javaHome === undefined ? {} : { JAVA_HOME: javaHome, CORDOVA_JAVA_HOME: javaHome }),
    ANDROID_HOME: sdk,
    ANDROID_USER_HOME: path.join(cache, 'android'),
    GRADLE_USER_HOME: path.join(cache, 'gradle'),
    PATH: toolPath(env, [...(javaHome === undefined ? [] : [path.join(javaHome, 'bin')]), path.dirname(gradle)]),
  };
}

type SigningStep = readonly [command: string, args: readonly string[], passwords?: Readonly<Record<string, string>>];

/**
 * Returns the steps that sign a package after the build. Cordova itself doesn't sign, because it would leave the
 * passwords in a file. The programs receive passwords in their environment, because every user of the computer can read
 * their arguments. https://developer.android.com/tools/apksigner
 *
 * @throws BuildError if the key doesn't have a keystore, or its alias or passwords aren't known
 */
function androidSigningSteps(
  unsigned: string,
  signed: string,
  { key, files, passwords }: BuildKey,
  { zipalign, apksigner, java, jarsigner }: AndroidTools,
): readonly SigningStep[] {
  const { keystore } = files;
  const { keystore_pw: storePassword, key_pw: keyPassword = storePassword } = passwords ?? {};
  if (keystore === undefined || storePassword === undefined || keyPassword === undefined) {
    throw new BuildError('The signing key doesn’t have a keystore or its passwords. Add it again and unlock it.');
  }
  const env = { KEYSTORE_PASSWORD: storePassword, KEY_PASSWORD: keyPassword };
  const { alias } = key;
  // `jarsigner` would treat such an alias as an option.
  if (alias === null || alias === '' || alias.startsWith('-')) {
    throw new BuildError('Keystore alias not recognized');
  }
  if (signed.endsWith('.aab')) {
    const passwordOptions = ['-storepass:env', 'KEYSTORE_PASSWORD', '-keypass:env', 'KEY_PASSWORD'];
    const args = ['-keystore', keystore, ...passwordOptions, '-signedjar', signed, unsigned, alias];
    return [[jarsigner, args, env]];
  }
  const aligned = path.join(path.dirname(signed), 'aligned.apk');
  const [command, ...first] = apksigner.endsWith('.jar') ? [java, '-jar', apksigner] : [apksigner];
  const passwordOptions = ['--ks-pass', 'env:KEYSTORE_PASSWORD', '--key-pass', 'env:KEY_PASSWORD'];
  const names = ['--ks', keystore, '--ks-key-alias', alias];
  return [
    [zipalign, ['-f', '-p', '4', unsigned, aligned]],
    [command, [...first, 'sign', ...names, ...passwordOptions, '--out', signed, aligned], env],
    [command, [...first, 'verify', signed]],
  ];
}
