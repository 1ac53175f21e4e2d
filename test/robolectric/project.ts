import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { javaClasses, pluginSources, shellFolder, writeClasses } from '../android/shellSource.ts';

/** Creates a Maven project with the shell's source, its plugins, the tests, and a package. @param project folder, which is replaced */
export async function prepareProject(project: string, apk: string, packageName: string): Promise<void> {
  await rm(project, { recursive: true, force: true });
  await mkdir(project, { recursive: true });
  await copyFile(path.join(import.meta.dirname, 'pom.xml'), path.join(project, 'pom.xml'));
  const main = path.join(project, 'src/main/java');
  await cp(path.join(shellFolder, 'src'), main, { recursive: true });
  for (const file of [...pluginSources().values()].flat()) {
    await copyFile(path.join(shellFolder, file), path.join(main, 'appbuild/shell', path.basename(file)));
  }
  await writeClasses(javaClasses(await readFile(path.join(import.meta.dirname, 'monitor.txt'), 'utf8')), main);
  await cp(path.join(import.meta.dirname, 'java'), path.join(project, 'src/test/java/appbuild/shell'), {
    recursive: true,
  });
  await copyFile(apk, path.join(project, 'app.apk'));
  const resources = path.join(project, 'src/test/resources/com/android/tools');
  await mkdir(resources, { recursive: true });
  // Robolectric reads the target version from a text manifest. Everything else is in the package.
  await writeFile(
    path.join(project, 'AndroidManifest.xml'),
    `<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="${packageName}">
  <uses-sdk android:minSdkVersion="24" android:targetSdkVersion="36"/>
  <application/>
</manifest>
`,
  );
  await writeFile(
    path.join(resources, 'test_config.properties'),
    `android_resource_apk=${project}/app.apk\nandroid_merged_manifest=${project}/AndroidManifest.xml\n`,
  );
}
