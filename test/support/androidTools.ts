import path from 'node:path';

import { writeFiles } from './cordovaBuilds.ts';
import { NODE, writeProgram } from './writeProgram.ts';

/** Stubs of the tools in the JDK and the SDK, selected by name. `java` runs the `.jar` in its arguments. */
const TOOL = `
import { appendFileSync, copyFileSync } from 'node:fs';
import path from 'node:path';
const [calls, called, ...given] = process.argv.slice(2);
const [tool, args] = called === 'java' ? [path.basename(given[1], '.jar'), given.slice(2)] : [called, given];
const environment = Object.entries(process.env).map(([name, value]) => name + '=' + value);
appendFileSync(calls, [[tool, ...args].join(' '), ...environment, ''].join('\\n'));
switch (tool) {
  case 'javac':
    console.log('javac 17.0.15');
    break;
  case 'jarsigner':
    copyFileSync(args[args.indexOf('-signedjar') + 2], args[args.indexOf('-signedjar') + 1]);
    break;
  case 'zipalign':
    copyFileSync(args[3], args[4]);
    break;
  case 'apksigner':
    if (args[0] === 'sign') {
      copyFileSync(args[args.indexOf('--out') + 2], args[args.indexOf('--out') + 1]);
    }
}
`;

/**
 * Creates stubs of a JDK, an Android SDK, and Gradle. Gradle, a shell script, packs the project that it should compile, including its
 * environment, as the APK or bundle. The signing tools record their arguments.
 * @param folder an empty folder
 * @returns the environment in which they are found
 */
export async function androidTools(folder: string): Promise<NodeJS.ProcessEnv> {
  const sdk = path.join(folder, 'sdk');
  const jdk = path.join(folder, 'jdk');
  const isWindows = process.platform === 'win32';
  await writeFiles(folder, {
    'tool.mjs': TOOL,
    'sdk/platforms/android-36/source.properties': '',
    'sdk/build-tools/9.0.0/zipalign': '',
    // On Windows, this is a batch file that runs the script.
    ...(isWindows
      ? { 'sdk/build-tools/36.0.0/apksigner.bat': '', 'sdk/build-tools/36.0.0/lib/apksigner.jar': '' }
      : {}),
    [`gradle/bin/gradle${isWindows ? '.bat' : ''}`]: `#!/bin/sh
mkdir -p "$2/gradle" "$2/.gradle"
touch "$2/gradlew.bat"
cp '${path.join(folder, 'gradlew')}' "$2/gradlew"
`,
    gradlew: `#!/bin/sh
env > environment.txt
echo "$@" > arguments.txt
tar cf "$TMPDIR/project.tar" .
case "$*" in
*bundleRelease*) target=bundle/release/app-release.aab ;;
*cdvBuildRelease*) target=apk/release/app-release-unsigned.apk ;;
*) target=apk/debug/app-debug.apk ;;
esac
mkdir -p "$(dirname "app/build/outputs/$target")"
mv "$TMPDIR/project.tar" "app/build/outputs/$target"
`,
  });
  const tools = ['jdk/bin/java', 'jdk/bin/javac', 'jdk/bin/jarsigner', 'sdk/build-tools/36.0.0/zipalign'];
  for (const tool of [...tools, ...(isWindows ? [] : ['sdk/build-tools/36.0.0/apksigner'])]) {
    const words = [path.join(folder, 'tool.mjs'), path.join(folder, 'calls.txt'), path.basename(tool)];
    await writeProgram(path.join(folder, tool), [NODE, ...words]);
  }
  const searchPath = [path.join(folder, 'gradle', 'bin'), ...(process.env.PATH ?? '').split(path.delimiter)];
  return {
    ...process.env,
    ANDROID_HOME: sdk,
    JAVA_HOME: jdk,
    CORDOVA_JAVA_HOME: undefined,
    PATH: searchPath.join(path.delimiter),
  };
}
