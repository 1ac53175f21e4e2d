import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import tls from 'node:tls';

import { CancelledError } from '../../../../src/errors/index.ts';
import {
  type PackagePlan,
  type SuspectFile,
  withSuspects,
} from '../../../../src/web-project/packing/packageContents.ts';
import { searchSecrets } from '../../../../src/web-project/packing/secretSearch.ts';
import { plannedFile } from '../../../support/folderChecks.ts';
import { addFiles, fileUri, getPaths, plan, getReasons } from '../../../support/packing.ts';
import { accessTokens, awsKey, privateKey, secretFiles } from '../../../support/secrets.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { itOnPosix } from '../../../support/itOnPosix.ts';

const [token = '', otherToken = ''] = accessTokens();

/** Describes each suspect as `path: secret line`, with `asked` if the user must be asked. */
function getSuspects({ suspects }: PackagePlan): readonly string[] {
  return suspects.map(
    ({ file, secret, line, isRequested }) => `${file.path}: ${secret} ${line ?? '-'}${isRequested ? ' asked' : ''}`,
  );
}

describe('the search for secrets in a folder', () => {
  let folder: string;
  useFolderForEachTest(async (made) => {
    folder = made;
    await addFiles(folder, { 'config.xml': '<widget/>', 'index.html': 'page' });
  });

  it('leaves out files with a secret in their content or name, and reports the first line', async () => {
    await addFiles(folder, {
      '.env': 'A=1',
      // A Git rule doesn't prevent the user from allowing the file.
      '.gitignore': '.env\n',
      '.appbuildignore': '!release.keystore\n!/www/asked.js\n',
      'build.json': '{\n  "android": {\n    "release": { "storePassword": "x" } } }',
      'release.keystore': 'binary',
      'release.p12': 'binary',
      '.ssh/config': '',
      'www/asked.js': token,
      'www/aws.js': `\r\n\r\n${awsKey()}`,
      'www/key.txt': privateKey(),
      'www/main.js': `a\nb\n"${token}"; "${otherToken}"`,
      'www/plain.js': 'nothing',
      'www/photo.jpg': token,
      'www/binary.dat': `\0${token}`,
      'www/utf8.txt': `\uFEFFgrößer\n${token}`,
      'www/utf16.txt': Buffer.from(`\uFEFFgrößer\n${token}`, 'utf16le'),
    });
    const planned = await plan(folder);
    const suspects = [
      '.env: name -',
      'build.json: signingPasswords 3',
      'release.keystore: name - asked',
      'release.p12: name -',
      'www/asked.js: accessToken 1 asked',
      'www/aws.js: cloudKey 3',
      'www/binary.dat: accessToken 1',
      'www/key.txt: privateKey 1',
      'www/main.js: accessToken 3',
      'www/utf16.txt: accessToken 2',
      'www/utf8.txt: accessToken 2',
    ];
    assert.deepEqual(getSuspects(planned), suspects);
    const paths = suspects.map((text) => text.replace(/:.*/, ''));
    assert.deepEqual(
      getReasons(planned),
      Object.fromEntries([...paths, '.ssh/'].sort().map((name) => [name, 'secret'])),
    );
    assert.deepEqual(getPaths(planned), [
      '.appbuildignore',
      '.gitignore',
      'config.xml',
      'index.html',
      'www/photo.jpg',
      'www/plain.js',
    ]);
    assert.ok(!JSON.stringify(planned).includes(token.slice(4, 20)), 'the secret itself is not kept');
  });

  it('finds secrets in every known form, but doesn’t search outside a pages folder', async () => {
    const secrets = secretFiles();
    assert.ok(Object.keys(secrets).length >= 60);
    await addFiles(folder, secrets);
    const planned = await plan(folder);
    assert.deepEqual(getPaths(planned), ['config.xml', 'index.html']);
    assert.deepEqual(
      planned.suspects.map(({ file }) => file.path),
      Object.keys(secrets).sort(),
    );
    await addFiles(folder, { 'www/index.html': 'page' });
    await rm(path.join(folder, 'index.html'));
    const scoped = await plan(folder);
    assert.deepEqual(getPaths(scoped), ['config.xml', 'www/index.html']);
    assert.deepEqual(new Set(Object.values(getReasons(scoped))), new Set(['outside']));
    assert.deepEqual(scoped.suspects, []);
  });

  it('ignores certificates, public keys, data, and similar names', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const certificate = new X509Certificate(tls.rootCertificates[0] ?? '').raw;
    const harmless = {
      'www/pinned.der': certificate,
      'www/public.der': publicKey.export({ format: 'der', type: 'spki' }),
      'www/public.rsa': publicKey.export({ format: 'der', type: 'pkcs1' }),
      'www/data.bin': randomBytes(300_000),
      'www/zeros.bin': Buffer.alloc(1000),
      'www/0.txt': '0 0 1 0',
      'google-services.json': '{}',
      'id_rsa.pub': '',
      'www/environment.js': '',
      'www/package.p12x.txt': '',
      'www/pinned.pem': '-----BEGIN CERTIFICATE-----\nAAAA',
      'www/song.key': 'C major',
    };
    await addFiles(folder, harmless);
    assert.deepEqual(getPaths(await plan(folder)), ['config.xml', 'index.html', ...Object.keys(harmless)].sort());
  });

  it('packs each file that the user allows, and updates sizes and warnings', async () => {
    await addFiles(folder, { '.env': '12345', 'www/_a/b.js': token, 'www/c.js': token });
    const planned = await plan(folder);
    const allowed = (...names: readonly string[]): PackagePlan =>
      withSuspects(planned, ({ file }: SuspectFile) => names.includes(file.path));
    assert.deepEqual(planned.warnings, []);
    const both = allowed('.env', 'www/_a/b.js');
    assert.deepEqual(getPaths(both), ['.env', 'config.xml', 'index.html', 'www/_a/b.js']);
    assert.equal(both.totalBytes, planned.totalBytes + 5 + token.length);
    assert.deepEqual(getReasons(both), { 'www/c.js': 'secret' });
    assert.deepEqual(both.suspects, planned.suspects);
    assert.deepEqual(both.warnings, [{ kind: 'fileNames', problem: 'leftOutByAndroid', paths: ['.env', 'www/_a/'] }]);
    // The consent can be withdrawn.
    assert.deepEqual(
      withSuspects(both, () => false),
      planned,
    );
  });

  it('accepts a folder with only secrets if one was found by its content or is included by .appbuildignore', async () => {
    await addFiles(folder, {
      'a/index.html': token,
      'b/index.html': '',
      'b/.appbuildignore': 'index.html\n.appbuildignore',
      'b/.env': 'A=1',
      'c/index.html': '',
      'c/.env': '',
      'c/.appbuildignore': '!.env\n.appbuildignore\nindex.html',
    });
    assert.deepEqual(getSuspects(await plan(folder, 'a')), ['index.html: accessToken 1']);
    assert.deepEqual(getSuspects(await plan(folder, 'c')), ['.env: name - asked']);
    await assert.rejects(plan(folder, 'b'), /has no files for an app/);
  });

  it('gives secrets a fingerprint that depends only on their values, not on their position', async () => {
    const fingerprint = async (text: string): Promise<string | undefined> => {
      await addFiles(folder, { 'www/main.js': text });
      return (await plan(folder)).suspects[0]?.fingerprint;
    };
    const first = await fingerprint(token);
    assert.match(first ?? '', /^[0-9a-f]{12}$/);
    assert.equal(await fingerprint(`${'other\n'.repeat(100_000)}${token}\n`), first);
    assert.equal(await fingerprint(`${token} ${token}`), first);
    assert.notEqual(await fingerprint(`${token} ${otherToken}`), first);
    assert.equal(await fingerprint(`${token} ${otherToken}`), await fingerprint(`${otherToken} ${token}`));
    assert.notEqual(await fingerprint(otherToken), first);
  });

  itOnPosix('finds secrets through a link, including by the name of its target', async () => {
    await addFiles(folder, { 'keys/tls.pem': '-----BEGIN PRIVATE KEY-----\nAAAA', 'keys/a.p12': 'x' });
    await mkdir(path.join(folder, 'www'));
    await symlink('../keys/tls.pem', path.join(folder, 'www/tls.txt'));
    await symlink('../keys/a.p12', path.join(folder, 'www/a.bin'));
    assert.deepEqual(getSuspects(await plan(folder)), [
      'keys/a.p12: name -',
      'keys/tls.pem: privateKey 1',
      'www/a.bin: name -',
      'www/tls.txt: privateKey 1',
    ]);
  });

  it('finds secrets anywhere in the first 8 MB of a large file', async () => {
    const line = 'const filler = "0123456789 abcdefghijklmnopqrstuvwxyz";\n';
    const lines = Math.ceil(9_000_000 / line.length);
    const place = (bytes: number): readonly [string, number] => {
      const before = Math.floor(bytes / line.length);
      return [`${line.repeat(before)}${token}\n${line.repeat(lines - before)}`, before + 1];
    };
    const [middle, middleLine] = place(4_600_000);
    const [late] = place(8_100_000);
    await addFiles(folder, { 'www/late.js': late, 'www/main.js': middle });
    assert.deepEqual(getSuspects(await plan(folder)), [`www/main.js: accessToken ${middleLine}`]);
  });

  it('skips missing files, and fails if a file can’t be read', async () => {
    await addFiles(folder, { 'www/b.js': accessTokens()[0] ?? '', 'www/c.js/d.js': '' });
    const project = { uri: fileUri(folder), path: '', name: undefined };
    const fileAt = (name: string) => ({ file: plannedFile(project, name, 1), names: [name] });
    const gone = fileAt('www/a.js');
    assert.deepEqual([...(await searchSecrets([gone]))], [[gone, 'gone']]);
    // A folder replaced the file.
    await assert.rejects(searchSecrets([fileAt('www/c.js')]), / changed while the folder was being packed/);
    await assert.rejects(searchSecrets([fileAt('www/b.js')], AbortSignal.abort()), CancelledError);
  });
});
