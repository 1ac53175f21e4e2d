import path from 'node:path';

import { writeFiles } from './cordovaBuilds.ts';

/**
 * Stubs of a JDK, an Android SDK and Gradle, as shell scripts: Gradle packs the project that it is to compile, with its
 * environment, as the APK or bundle; the tools that sign note what they were called with.
 *
 * @param folder an empty folder
 * @returns the environment in which they are found
 */
export async function androidTools(folder: string): Promise<NodeJS.ProcessEnv> {
  const sdk = path.join(folder, 'sdk');
  const jdk = path.join(folder, 'jdk');
  const note = `{ echo "$(basename "$0") $*"; env; } >> '${path.join(folder, 'calls.txt')}'`;
  await writeFiles(folder, {
    'jdk/bin/javac': '#!/bin/sh\necho javac 17.0.15\n',
    'jdk/bin/jarsigner': `#!/bin/sh\n${note}\nwhile [ "$1" != -signedjar ]; do shift; done\ncp "$3" "$2"\n`,
    'sdk/platforms/android-36/source.properties': '',
    'sdk/build-tools/9.0.0/zipalign': '',
    'sdk/build-tools/36.0.0/zipalign': '#!/bin/sh\ncp "$4" "$5"\n',
    'sdk/build-tools/36.0.0/apksigner': `#!/bin/sh
${note}
if [ "$1" = sign ]; then
  while [ "$1" != --out ]; do shift; done
  cp "$3" "$2"
fi
`,
    'gradle/bin/gradle': `#!/bin/sh
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
  const searchPath = [path.join(folder, 'gradle', 'bin'), ...(process.env.PATH ?? '').split(path.delimiter)];
  return {
    ...process.env,
    ANDROID_HOME: sdk,
    JAVA_HOME: jdk,
    CORDOVA_JAVA_HOME: undefined,
    PATH: searchPath.join(path.delimiter),
  };
}
