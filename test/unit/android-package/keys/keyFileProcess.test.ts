import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openCertificates, openKeyEntry } from '../../../../src/android-package/keys/keyFileProcess.ts';
import { MAX_KEY_FILE_BYTES } from '../../../../src/android-package/limits.ts';
import { useFolderForEachTest, withEnvironment } from '../../../support/hooks.ts';
import { itOnPosix } from '../../../support/itOnPosix.ts';
import { endlesslyHashedFile, KEY_PASSWORDS, keyFile } from '../../../support/signingKeys.ts';

const { keystore: password, key: keyPassword } = KEY_PASSWORDS['release.jks'];
const secrets = { password, keyPassword, alias: 'release' };

describe('local service: opening key files in a separate process', () => {
  let folder: string;
  useFolderForEachTest((made) => (folder = made));

  /** Runs a function while a shell script replaces the program that opens key files. */
  async function withProgram(script: string, work: () => Promise<void>): Promise<void> {
    const { execPath } = process;
    process.execPath = join(folder, 'program');
    await writeFile(process.execPath, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    try {
      await work();
    } finally {
      process.execPath = execPath;
    }
  }

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

  itOnPosix('fails if the process exits without an answer', async () => {
    for (const output of ['', 'not JSON']) {
      await withProgram(`cat > /dev/null; printf '${output}'`, async () => {
        await assert.rejects(openKeyEntry(keyFile('release.jks'), secrets), { fault: 'unsupported' });
      });
    }
    await withProgram('exit', async () => {
      // The file doesn't fit into the pipe, so writing it fails.
      await assert.rejects(openKeyEntry(Buffer.alloc(MAX_KEY_FILE_BYTES), secrets), { fault: 'unsupported' });
    });
  });

  itOnPosix('passes no environment variables to the process, because they can contain secrets', async () => {
    const seen = join(folder, 'seen');
    await withEnvironment({ NPM_TOKEN: 'hidden', NODE_OPTIONS: '' }, () =>
      withProgram(`env > '${seen}'`, () => assert.rejects(openKeyEntry(keyFile('release.jks'), secrets))),
    );
    const names = (await readFile(seen, 'utf8')).split('\n').map((line) => line.split('=', 1)[0]);
    // A shell adds the others.
    assert.deepEqual(
      names.filter((name) => !['', '_', 'PWD', 'OLDPWD', 'SHLVL'].includes(name ?? '')),
      ['ELECTRON_RUN_AS_NODE'],
    );
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
