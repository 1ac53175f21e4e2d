import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { waitForBuilds, PAGE, upload } from '../../support/builds.ts';
import { approve, registerClient, signIn } from '../../support/consent.ts';
import { useFolderForEachTest } from '../../support/hooks.ts';
import { startLocalService, type LocalService } from '../../support/localService.ts';
import { fetchAccessToken } from '../../support/serviceRequests.ts';
import { keyFile, multipart, provisioningProfile } from '../../support/signingKeys.ts';

const PASSWORDS = {
  key_pw: 'Kq7-first-passphrase',
  keystore_pw: 'Vz3-second-passphrase',
  password: 'Wn9-third-passphrase',
};
const KEYSTORE = keyFile('release.jks');

/** Returns a secret in all forms in which it could be written by accident. */
function getForms(secret: string | Buffer): readonly Buffer[] {
  const bytes = Buffer.from(secret);
  return [
    bytes,
    Buffer.from(bytes.toString('utf8'), 'utf16le'),
    Buffer.from(bytes.toString('base64').slice(0, -4)),
    Buffer.from(bytes.toString('hex')),
    Buffer.from(encodeURIComponent(bytes.toString('latin1'))),
  ];
}

describe('local service: secrets of signing keys, tokens, and sessions', () => {
  let folder: string;
  let service: LocalService;
  const answers: Buffer[] = [];
  afterEach(() => service.stop());
  useFolderForEachTest(async (made) => {
    folder = made;
    service = await startLocalService({ dataFolder: folder, builder: 'demo' });
  });

  /** Sends a request and records the response. */
  const send = async (method: string, path: string, body: RequestInit['body'] = null): Promise<unknown> => {
    const headers = { Authorization: `token ${service.authToken}` };
    const response = await fetch(`${service.baseUrl}/api/v1${path}`, { method, headers, body });
    const bytes = Buffer.from(await response.arrayBuffer());
    answers.push(Buffer.from(JSON.stringify([...response.headers])), bytes);
    return JSON.parse(bytes.toString());
  };
  const getId = (answer: unknown): number => (answer as { id: number }).id;
  /** Reads all of the service's files, by path. */
  const dataFiles = async (): Promise<ReadonlyMap<string, Buffer>> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)));
  };
  const assertNowhere = (secrets: readonly (string | Buffer)[], where: Iterable<Buffer>): void => {
    for (const bytes of where) {
      for (const form of secrets.flatMap(getForms)) {
        assert.ok(!bytes.includes(form), `${form.toString()} in ${bytes.toString('latin1').slice(0, 200)}`);
      }
    }
  };

  it('are never revealed in responses, pages, logs, or data, and are deleted when their key is locked or deleted', async () => {
    const { key_pw, keystore_pw, password } = PASSWORDS;
    const android = { title: 'Store', alias: 'release', key_pw, keystore_pw };
    const store = getId(
      await send('POST', '/keys/android', multipart({ ...android, default: 'true' }, { keystore: KEYSTORE })),
    );
    const ios = multipart(
      { title: 'Store', password, default: 'true' },
      {
        cert: keyFile('release.p12'),
        profile: provisioningProfile('2100-01-01T00:00:00Z'),
      },
    );
    const certificate = getId(await send('POST', '/keys/ios', ios));
    // The first request is rejected, and the passwords after it don't open the key, so both builds fail.
    await send('PUT', `/keys/android/${store}`, new URLSearchParams({ key_pw }));
    await send('PUT', `/keys/ios/${certificate}`, new URLSearchParams({ password, lock: 'true' }));
    await send('POST', '/keys/android', multipart({ key_pw, keystore_pw }, { keystore: KEYSTORE }));
    const app = await upload(service, PAGE, {});
    const { error } = await waitForBuilds(service, app);
    assert.equal(error.android, 'Incorrect keystore password');
    assert.equal(error.ios, 'Incorrect certificate password');
    for (const path of ['/me', '/keys', '/keys/android', `/keys/ios/${certificate}`, `/apps/${app}`, '/apps']) {
      await send('GET', path);
    }
    for (const platform of ['android', 'ios']) {
      await send('GET', `/apps/${app}/logs/${platform}/build`);
    }
    const { browser } = await signIn(service);
    const { clientSecret } = await registerClient(browser);
    const address = `${service.baseUrl}/authorize?client_id=${service.clientId}`;
    const code = new URL(await approve(service, address)).searchParams.get('code') ?? '';
    const given = [await fetchAccessToken(service), clientSecret, code, ...browser.cookies.values()];
    assert.equal(given.length, 4);
    answers.push(Buffer.from(await (await browser.open('/account')).arrayBuffer()));
    const passwords = Object.values(PASSWORDS);
    assertNowhere([...passwords, KEYSTORE], answers);
    assertNowhere([...passwords, KEYSTORE], [Buffer.from(service.errorOutput())]);
    const files = await dataFiles();
    assertNowhere([...passwords, ...given], files.values());
    assert.ok(
      [...files.values()].some((bytes) => bytes.includes(service.authToken)),
      'that of the demo',
    );
    const kept = [...files].filter(([, bytes]) => bytes.equals(KEYSTORE)).map(([path]) => path);
    assert.equal(kept.length, 1);
    if (process.platform !== 'win32') {
      assert.equal((await stat(kept[0] ?? '')).mode & 0o777, 0o600);
    }

    const database = new DatabaseSync(join(folder, 'service.db'), { readOnly: true });
    const encrypted = database.prepare('SELECT passwords FROM keys WHERE passwords IS NOT NULL').all();
    database.close();
    assert.equal(encrypted.length, 2);
    await send('PUT', `/keys/android/${store}`, new URLSearchParams({ lock: 'true' }));
    await send('DELETE', `/keys/ios/${certificate}`);
    await service.stop();
    const left = await dataFiles();
    assert.ok(left.size > 1);
    // These are the files that the service writes when it cleans up.
    assertNowhere(given, left.values());
    for (const { passwords: text } of encrypted) {
      assert.ok([...left.values()].every((bytes) => !bytes.includes(Buffer.from(String(text)))));
    }
  });
});
