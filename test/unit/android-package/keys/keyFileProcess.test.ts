import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';

import { openCertificates, openKeyEntry } from '../../../../src/android-package/keys/keyFileProcess.ts';
import { endlesslyHashedFile, KEY_PASSWORDS, keyFile } from '../../../support/signingKeys.ts';

const { keystore: password, key: keyPassword } = KEY_PASSWORDS['release.jks'];
const secrets = { password, keyPassword, alias: 'release' };

describe('local service: opening key files in a separate process', () => {
  it('returns the private key with its certificates, in both formats', async () => {
    for (const name of ['release.jks', 'keytool-chain.p12'] as const) {
      const { privateKey, certificates } = await openKeyEntry(keyFile(name), secrets);
      const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
      assert.ok(new X509Certificate(certificates[0] ?? '').checkPrivateKey(key));
      assert.deepEqual(await openCertificates(keyFile(name), secrets), certificates);
    }
  });

  it('rejects a wrong password with an error that doesn’t contain the password', async () => {
    const wrong = { ...secrets, password: 'Guess-4711', keyPassword: 'Guess-4712' };
    await assert.rejects(openKeyEntry(keyFile('release.p12'), wrong), (error: Error) => {
      assert.deepEqual([error.name, error.message], ['KeyFileError', 'Incorrect keystore password']);
      assert.deepEqual(Object.keys(error).sort(), ['fault', 'name']);
      assert.doesNotMatch(`${error.stack ?? ''}${String(error.cause)}`, /Guess-/);
      return true;
    });
  });

  it('stops at the time limit, because a file can demand two billion rounds of hashing', async () => {
    await assert.rejects(openKeyEntry(endlesslyHashedFile(), secrets, { timeoutMs: 500 }), {
      name: 'KeyFileError',
      fault: 'timeout',
      message: 'Invalid keystore format: its password is hashed so often that it takes too long to open.',
    });
  });

  it('stops when the caller aborts', async () => {
    const stop = new AbortController();
    const opened = openKeyEntry(endlesslyHashedFile(), secrets, { signal: stop.signal });
    const reason = new Error('cancelled');
    stop.abort(reason);
    await assert.rejects(opened, (error) => error === reason);
    await assert.rejects(openKeyEntry(keyFile('release.jks'), secrets, { signal: stop.signal }), reason);
  });
});
