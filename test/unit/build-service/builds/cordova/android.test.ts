import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { BuildKey } from '../../../../../src/build-service/builds/builder.ts';
import { findAndroidTools, missingRequirements } from '../../../../../src/build-service/builds/cordova/requirements.ts';
import { androidTools } from '../../../../support/androidTools.ts';
import { testKey } from '../../../../support/buildJob.ts';
import { readArchive } from '../../../../support/readArchive.ts';
import { useTestCordova, writeFiles } from '../../../../support/cordovaBuilds.ts';
import { itOnPosix } from '../../../../support/itOnPosix.ts';
import { repositoryRoot } from '../../../../support/repository.ts';
import { keyFile, KEY_PASSWORDS } from '../../../../support/signingKeys.ts';
import { javaScript, writeProgram } from '../../../../support/writeProgram.ts';

const SIGNING_KEY = { ...testKey, title: 'Release', alias: 'release', files: { keystore: 'x' } };
const { keystore: STORE_PASSWORD, key: KEY_PASSWORD } = KEY_PASSWORDS['release.jks'];
const FILES = {
  'index.html': '',
  'config.xml': '<widget id="com.example.a" version="3.0"><name>A</name></widget>',
};

describe('local service: Android apps by Cordova', () => {
  const folders = useTestCordova();
  let key: BuildKey;

  beforeEach(async () => {
    const keystore = path.join(folders.root, 'release.jks');
    await writeFile(keystore, keyFile('release.jks'));
    const passwords = { keystore_pw: STORE_PASSWORD, key_pw: KEY_PASSWORD };
    key = { key: SIGNING_KEY, files: { keystore }, passwords };
  });

  it('reports each missing tool, and how to install it', async () => {
    const folder = await folders.make('tools');
    const env = await androidTools(folder);
    const missing = async (changes: NodeJS.ProcessEnv = {}): Promise<string | undefined> =>
      (await missingRequirements(folders.engine, { ...env, ...changes })).android;
    assert.equal(await missing(), undefined);
    assert.match((await missing({ JAVA_HOME: folders.root })) ?? '', /^A JDK is missing\. [^.]+\.$/);
    assert.match((await missing({ ANDROID_HOME: undefined })) ?? '', /^The Android SDK is missing\. [^.]+\.$/);
    assert.match((await missing({ PATH: '/nowhere' })) ?? '', /^Gradle is missing\. [^.]+\.$/);
    const empty = await missing({ ANDROID_HOME: await folders.make('empty'), PATH: '/nowhere' });
    assert.match(empty ?? '', /contain platform 36\. .* build tools 36 or later\. .*Gradle is missing/);
    await writeProgram(path.join(folder, 'jdk', 'bin', 'javac'), javaScript("console.log('javac 11.0.2')"));
    assert.match((await missing()) ?? '', /^The JDK is version 11\. Install version 17 or later/);
    await rm(path.join(folder, 'sdk', 'build-tools', '36.0.0'), { recursive: true });
    await writeFiles(folder, { 'sdk/build-tools/36.0.0/aapt': '' });
    assert.match((await missing()) ?? '', /don’t contain zipalign or apksigner/);
    const withoutPlatform = { ...folders.engine, platforms: {} };
    const all = await missingRequirements(withoutPlatform, env);
    assert.equal(all.browser, 'The Cordova engine doesn’t contain cordova-browser.');
    assert.match(all.android ?? '', /^The Cordova engine doesn’t contain cordova-android\. The JDK/);
    assert.equal(all.winphone, 'Cordova can’t build winphone apps.');
  });

  it('never uses or runs tools from a workspace', async () => {
    const work = await folders.make('tools');
    const env = await androidTools(work);
    assert.ok('gradle' in (await findAndroidTools(env)));
    const bin = path.join(work, 'node_modules', '.bin');
    const marker = path.join(work, 'marker');
    const tool = javaScript(`require('fs').writeFileSync(${JSON.stringify(marker)}, ''); console.log('javac 17.0.15')`);
    for (const name of ['javac', 'jarsigner', 'gradle']) {
      await writeProgram(path.join(bin, name), tool);
    }
    const missing = await findAndroidTools({
      ...env,
      JAVA_HOME: undefined,
      PATH: [bin, 'bin', ''].join(path.delimiter),
    });
    assert.deepEqual(missing, [
      'A JDK is missing. Install version 17 or later and set JAVA_HOME to its folder.',
      'Gradle is missing. Install it and add it to PATH.',
    ]);
    assert.ok(!(await readdir(work)).includes('marker'));
  });

  // The stub of Gradle is a shell script.
  itOnPosix('creates a debug build without a key', async () => {
    const env = await androidTools(await folders.make('tools'));
    const secrets = { ...env, SECRET_TOKEN: 'a-secret' };
    const icon = path.join(repositoryRoot, 'media', 'icon.png');
    const built = await folders.build({ files: FILES, platform: 'android', env: secrets, icon });
    assert.equal(built.fileName, 'A-3.0-debug.apk');
    const project = await readArchive(built.path);
    assert.ok(project.has('app/src/main/res/mipmap-mdpi/ic_launcher.png'));
    assert.match(project.get('arguments.txt') ?? '', /^--no-daemon cdvBuildDebug$/m);
    assert.ok(!project.get('environment.txt')?.includes('a-secret'));
    assert.match(project.get('environment.txt') ?? '', /^ANDROID_USER_HOME=.*android$/m);
  });

  itOnPosix('passes no passwords to the build, and signs the app afterward', async () => {
    const folder = await folders.make('tools');
    const env = await androidTools(folder);
    const built = await folders.build({ files: FILES, platform: 'android', env, key });
    assert.equal(built.fileName, 'A-3.0.apk');
    const project = await readArchive(built.path);
    assert.match(project.get('arguments.txt') ?? '', /cdvBuildRelease/);
    assert.deepEqual(
      [...project].filter(([, text]) => text.includes(STORE_PASSWORD) || text.includes(KEY_PASSWORD)),
      [],
    );
    const calls = await readFile(path.join(folder, 'calls.txt'), 'utf8');
    assert.deepEqual(calls.match(/^(?:zipalign|apksigner|jarsigner)(?: \w+)?/gm), [
      ...['zipalign', 'apksigner sign', 'apksigner verify'],
    ]);
    assert.match(
      calls,
      /^apksigner sign --ks \S+ --ks-key-alias release --ks-pass env:KEYSTORE_PASSWORD --key-pass env:/m,
    );
    assert.match(calls, new RegExp(`^KEYSTORE_PASSWORD=${STORE_PASSWORD}$`, 'm'));
    assert.deepEqual(
      built.log.filter((line) => line.includes(STORE_PASSWORD)),
      [],
    );
  });

  itOnPosix('builds a bundle if config.xml sets AndroidPackageType to bundle', async () => {
    const folder = await folders.make('tools');
    const env = await androidTools(folder);
    const preference = '<preference name="AndroidPackageType" value="bundle" />';
    const files = { ...FILES, 'config.xml': FILES['config.xml'].replace('</widget>', `${preference}</widget>`) };
    const built = await folders.build({ files, platform: 'android', env, key });
    assert.equal(built.fileName, 'A-3.0.aab');
    const calls = await readFile(path.join(folder, 'calls.txt'), 'utf8');
    assert.match(
      calls,
      /^jarsigner -keystore \S+ -storepass:env KEYSTORE_PASSWORD -keypass:env KEY_PASSWORD -signedjar /m,
    );
  });

  itOnPosix('doesn’t build with a key that can’t sign', async () => {
    const folder = await folders.make('tools');
    const env = await androidTools(folder);
    const rows: readonly (readonly [BuildKey, RegExp])[] = [
      [{ ...key, key: { ...SIGNING_KEY, locked: true }, passwords: undefined }, /is locked/],
      [{ ...key, passwords: { keystore_pw: 'wrong', key_pw: 'wrong' } }, /^BuildError: Incorrect keystore password/],
      [{ ...key, files: {} }, /doesn’t have a keystore/],
      // jarsigner would treat this alias as an option.
      [{ ...key, key: { ...SIGNING_KEY, alias: '-J-verbose' } }, /^BuildError: Keystore alias not recognized/],
    ];
    for (const [unusable, message] of rows) {
      await assert.rejects(folders.build({ files: FILES, platform: 'android', env, key: unusable }), message);
    }
  });
});
