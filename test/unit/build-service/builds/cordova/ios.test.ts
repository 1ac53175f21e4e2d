import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { BuildKey } from '../../../../../src/build-service/builds/builder.ts';
import { testKey } from '../../../../support/buildJob.ts';
import { useTestCordova, writeFiles } from '../../../../support/cordovaBuilds.ts';
import { itOnPosix } from '../../../../support/itOnPosix.ts';
import { keyFile, KEY_PASSWORDS, provisioningProfile } from '../../../../support/signingKeys.ts';

const SIGNING_KEY = { ...testKey, platform: 'ios', title: 'Store', files: { cert: 'x', profile: 'x' } } as const;
const PASSWORD = KEY_PASSWORDS['release.p12'].keystore;
const FILES = { 'index.html': '', 'config.xml': '<widget id="com.example.a" version="3.0"><name>A</name></widget>' };

/** Creates stubs of Xcode and the macOS tools that record their calls. This build hasn't been run on a Mac. */
async function iosTools(folder: string): Promise<NodeJS.ProcessEnv> {
  const note = `{ echo "$(basename "$0") $*"; } >> '${path.join(folder, 'calls.txt')}'`;
  const stub = (script: string): string => `#!/bin/sh\n${note}\n${script}\n`;
  const copyTo = (option: string): string => `while [ "$1" != ${option} ]; do shift; done\necho made > "$2"`;
  await writeFiles(folder, {
    'bin/xcodebuild': stub(`while [ "$1" != -derivedDataPath ]; do shift; done
mkdir -p "$2/Build/Products/Release-iphoneos/App.app/Frameworks/Cordova.framework"`),
    'bin/openssl': stub(`env | grep KEY_PASSWORD >> '${path.join(folder, 'passwords.txt')}'\n${copyTo('-out')}`),
    'bin/security': stub(`case "$1" in
find-identity) echo '  1) 0123456789ABCDEF0123456789ABCDEF01234567 "Apple Distribution: A (TEAM1)"' ;;
cms) cp '${path.join(folder, 'profile.plist')}' "$6" ;;
esac`),
    'bin/plutil': stub('[ "$1" = -extract ] && cp "$6" "$5" || true'),
    'bin/codesign': stub(''),
    'bin/ditto': stub('echo ipa > "$5"'),
    'profile.plist': '<key>TeamIdentifier</key>\n<array>\n<string>TEAM1</string></array>',
  });
  return { ...process.env, PATH: [path.join(folder, 'bin'), process.env.PATH ?? ''].join(path.delimiter) };
}

describe('local service: iOS apps by Cordova', () => {
  const folders = useTestCordova();
  let key: BuildKey;

  beforeEach(async () => {
    const files = {
      cert: path.join(folders.root, 'cert.p12'),
      profile: path.join(folders.root, 'app.mobileprovision'),
    };
    await writeFile(files.cert, keyFile('release.p12'));
    await writeFile(files.profile, provisioningProfile('2126-01-01T00:00:00Z'));
    key = { key: SIGNING_KEY, files, passwords: { password: PASSWORD } };
  });

  it('requires a key that can sign', async () => {
    const rows: readonly (readonly [BuildKey | undefined, RegExp])[] = [
      [undefined, /^BuildError: You must provide a signing key, first$/],
      [{ ...key, key: { ...SIGNING_KEY, locked: true }, passwords: undefined }, /is locked/],
      [{ ...key, passwords: { password: 'wrong' } }, /^BuildError: Incorrect certificate password/],
      [{ ...key, files: {} }, /doesn’t have its certificate, profile, or password/],
    ];
    for (const [unusable, message] of rows) {
      await assert.rejects(folders.build({ files: FILES, platform: 'ios', key: unusable }), message);
    }
  });

  // The stubs of the tools are shell scripts.
  itOnPosix('signs after the build, in a separate keychain, without the key’s passwords in arguments', async () => {
    const folder = await folders.make('tools');
    const env = await iosTools(folder);
    const { fileName, path: artifact } = await folders.build({ files: FILES, platform: 'ios', env, key });
    assert.equal(fileName, 'A-3.0.ipa');
    assert.equal(await readFile(artifact, 'utf8'), 'ipa\n');
    const calls = await readFile(path.join(folder, 'calls.txt'), 'utf8');
    assert.ok(!calls.includes(PASSWORD));
    assert.match(
      await readFile(path.join(folder, 'passwords.txt'), 'utf8'),
      new RegExp(`^KEY_PASSWORD=${PASSWORD}$`, 'm'),
    );
    assert.match(calls, /^xcodebuild .*CODE_SIGNING_ALLOWED=NO build$/m);
    assert.match(calls, /^plutil -replace application-identifier -string TEAM1\.com\.example\.a /m);
    const signed = [...calls.matchAll(/^codesign --force .*--sign (\S+) --keychain \S+build\.keychain-db .*?(\S+)$/gm)];
    assert.deepEqual(
      signed.map(([, identity, target = '']) => [identity, path.basename(target)]),
      [
        ['0123456789ABCDEF0123456789ABCDEF01234567', 'Cordova.framework'],
        ['0123456789ABCDEF0123456789ABCDEF01234567', 'App.app'],
      ],
    );
    assert.ok(!/security .*(list-keychains|default-keychain)/.test(calls), 'the user’s keychains are unchanged');
  });
});
