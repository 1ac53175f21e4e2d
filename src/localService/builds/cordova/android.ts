import { access, constants } from 'node:fs/promises';
import path from 'node:path';

import { BuildError, type BuildKey, type BuildResult } from '../builder.ts';
import { artifactName } from '../artifactName.ts';
import { keyFault } from '../buildKeys.ts';
import { androidSigningSteps } from './androidSigning.ts';
import { pick, toolPath } from './environment.ts';
import { requireMade, type PlatformBuild } from './platformBuild.ts';
import { findAndroidTools, type AndroidTools } from './requirements.ts';

/** What the person has set up of Gradle and the SDK, and what is no secret. */
const ANDROID_NAMES = ['ANDROID_HOME', 'ANDROID_SDK_ROOT', 'CORDOVA_ANDROID_GRADLE_DISTRIBUTION_URL'];

/** An APK: signed with the key, or for tests (`debug`) without one. With the preference `AndroidPackageType` an app bundle. */
export async function buildAndroid(build: PlatformBuild): Promise<BuildResult> {
  const { job, folder, workFolder, config, env, run, cordova } = build;
  const tools = await findAndroidTools(env);
  if (!('sdk' in tools)) {
    throw new BuildError(tools.join(' '));
  }
  const start = Date.now();
  const { key } = job;
  const type = key !== undefined && config.androidPackageType === 'bundle' ? 'aab' : 'apk';
  const unsigned = path.join(folder, 'platforms', 'android', 'app', 'build', 'outputs', ...OUTPUTS[kindOf(key, type)]);
  const artifact = path.join(workFolder, `artifact.${type}`);
  const fault = key === undefined ? undefined : await keyFault(key);
  if (fault !== undefined) {
    throw new BuildError(fault);
  }
  // The steps are asked for before the build, which takes minutes: a key that cannot sign is told at once.
  const steps = key === undefined ? [] : androidSigningSteps({ unsigned, signed: artifact, type }, key, tools);
  await cordova('Prepare', ['prepare', 'android']);
  const toolEnv = await androidEnvironment(build, tools);
  await cordova('Compile', ['compile', 'android', ...compileOptions(key, type)], toolEnv);
  await requireMade(unsigned, start);
  for (const { command, args, env: stepEnv } of steps) {
    await run(`Sign: ${path.parse(command).name}`, { command, args, env: { ...toolEnv, ...stepEnv } });
  }
  return {
    path: await requireMade(key === undefined ? unsigned : artifact, start),
    fileName: `${artifactName({ title: config.name, version: config.version })}${key === undefined ? '-debug.apk' : `.${type}`}`,
  };
}

const OUTPUTS = {
  debug: ['apk', 'debug', 'app-debug.apk'],
  apk: ['apk', 'release', 'app-release-unsigned.apk'],
  aab: ['bundle', 'release', 'app-release.aab'],
} as const;

function kindOf(key: BuildKey | undefined, type: 'apk' | 'aab'): keyof typeof OUTPUTS {
  return key === undefined ? 'debug' : type;
}

/** Gradle's daemon would outlive the build. */
function compileOptions(key: BuildKey | undefined, type: 'apk' | 'aab'): readonly string[] {
  return [
    key === undefined ? '--debug' : '--release',
    '--',
    `--packageType=${type === 'aab' ? 'bundle' : 'apk'}`,
    '--gradleArg=--no-daemon',
  ];
}

/**
 * What Gradle needs. Its downloads, and the key of debug builds, which has to stay the same for an app to be updated, are
 * kept beside the engine.
 */
async function androidEnvironment(
  { engine, workFolder, env }: PlatformBuild,
  { javaHome, sdk, gradle }: AndroidTools,
): Promise<Record<string, string>> {
  const cache = await access(engine.folder, constants.W_OK).then(
    () => engine.folder,
    () => workFolder,
  );
  return {
    ...pick(env, ANDROID_NAMES),
    ...(javaHome === undefined ? {} : { JAVA_HOME: javaHome, CORDOVA_JAVA_HOME: javaHome }),
    ANDROID_HOME: sdk,
    ANDROID_USER_HOME: path.join(cache, 'android'),
    GRADLE_USER_HOME: path.join(cache, 'gradle'),
    PATH: toolPath(env, [...(javaHome === undefined ? [] : [path.join(javaHome, 'bin')]), path.dirname(gradle)]),
  };
}
