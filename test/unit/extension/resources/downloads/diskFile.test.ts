import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import crypto from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { CancelledError } from '../../../../../src/errors/index.ts';
import { InvalidResponseError } from '../../../../../src/service-client/index.ts';
import { writeToDisk } from '../../../../../src/extension/resources/downloads/diskFile.ts';
import { FileError, fileFailure } from '../../../../../src/extension/resources/downloads/fileError.ts';
import { cleanUp, createClient, captureFailure, serve } from '../../../../support/servers.ts';
import { useFolderForEachTest } from '../../../../support/hooks.ts';
import { itOnPosix } from '../../../../support/itOnPosix.ts';

const NEW_FILE = () => Promise.reject(new Error('not to be asked'));
const REPLACE = () => Promise.resolve(true);

const createBody = (text: string) => Readable.from([Buffer.from(text)]);

describe('writeToDisk', () => {
  let folder: string;
  let file: string;

  useFolderForEachTest((made) => {
    folder = made;
    file = path.join(folder, 'app.zip');
  });

  afterEach(cleanUp);

  it('writes the received bytes, and creates the final file only at the end', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-length': 10 }).end('0123456789'),
    );
    const { body } = await createClient(server).download('/file');
    const existed: boolean[] = [];
    async function* watched(): AsyncGenerator<Uint8Array> {
      for await (const piece of body) {
        existed.push(existsSync(file));
        yield piece;
      }
      existed.push(existsSync(file));
    }
    assert.equal(await writeToDisk(watched(), file, NEW_FILE), true);
    assert.deepEqual([...new Set(existed)], [false]);
    assert.equal(await readFile(file, 'utf8'), '0123456789');
    assert.deepEqual(await readdir(folder), ['app.zip']);
  });

  it('replaces a file only with consent, and completely', async () => {
    await writeFile(file, 'precious');
    const questions: string[] = [];
    const answer = (yes: boolean) => async () => {
      questions.push(await readFile(file, 'utf8'));
      return yes;
    };
    assert.equal(await writeToDisk(createBody('first'), file, answer(false)), false);
    assert.equal(await readFile(file, 'utf8'), 'precious');
    assert.equal(await writeToDisk(createBody('second'), file, answer(true)), true);
    assert.equal(await readFile(file, 'utf8'), 'second');
    assert.deepEqual(questions, ['precious', 'precious']);
    assert.deepEqual(await readdir(folder), ['app.zip']);
  });

  it('doesn’t write through a link or into an existing file with the temporary name', async () => {
    const precious = path.join(folder, 'precious');
    const name = '.app.zip.00000000.part';
    const partial = path.join(folder, name);
    // The name is random. Here, the test makes it predictable.
    const { randomUUID } = crypto;
    crypto.randomUUID = () => '00000000-0000-4000-8000-000000000000';
    syncBuiltinESMExports();
    try {
      for (const plant of [
        () => symlink(precious, partial),
        () => link(precious, partial),
        () => writeFile(partial, 'precious'),
      ]) {
        await writeFile(precious, 'precious');
        await plant();
        await assert.rejects(writeToDisk(createBody('evil'), file, REPLACE), { code: 'EEXIST' });
        assert.equal(await readFile(precious, 'utf8'), 'precious');
        // The other program's file must not be deleted.
        assert.deepEqual((await readdir(folder)).sort(), [name, 'precious']);
        await rm(partial);
      }
    } finally {
      crypto.randomUUID = randomUUID;
      syncBuiltinESMExports();
    }
  });

  it('never replaces a file without consent, even one that appears at the last moment', async () => {
    const keepIt = () => Promise.resolve(false);
    for (let round = 0; round < 5; round++) {
      const target = path.join(folder, `round ${round}`);
      const texts = Array.from({ length: 20 }, (_one, index) => `text ${index}`);
      const written = await Promise.all(texts.map((content) => writeToDisk(createBody(content), target, keepIt)));
      assert.equal(
        written.filter(Boolean).length,
        1,
        `${written.filter(Boolean).length} were told that theirs is there`,
      );
      assert.equal(await readFile(target, 'utf8'), texts[written.indexOf(true)]);
    }
    assert.equal((await readdir(folder)).length, 5);
  });

  it('leaves no file when a body ends before its announced length', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('half', () => response.destroy());
    });
    const download = await createClient(server).download('/file');
    assert.equal(
      (await captureFailure(InvalidResponseError, writeToDisk(download.body, file, NEW_FILE))).fault,
      'truncated',
    );
    assert.deepEqual(await readdir(folder), []);
  });

  it('leaves no file when it’s canceled, and ends the connection', async () => {
    let closed: Promise<unknown> | undefined;
    const server = await serve((_request, response) => {
      closed = once(response, 'close');
      response.writeHead(200, { 'content-length': 1000 }).write('half');
    });
    const controller = new AbortController();
    const { body } = await createClient(server).download('/file', {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await captureFailure(CancelledError, writeToDisk(body, file, NEW_FILE));
    await closed;
    assert.deepEqual(await readdir(folder), []);
  });

  it('explains the problem with a folder', async () => {
    const problems: readonly (readonly [target: string, code: string])[] = [
      [path.join(folder, 'gone', 'app.zip'), 'ENOENT'],
      [path.join(folder, 'x'.repeat(250)), process.platform === 'win32' ? 'ENOENT' : 'ENAMETOOLONG'],
    ];
    for (const [target, code] of problems) {
      const error = await writeToDisk(createBody('x'), target, NEW_FILE).catch((cause: unknown) =>
        fileFailure(cause, 'app.zip'),
      );
      assert.ok(error instanceof FileError && error.code === code, String(error));
    }
    await mkdir(file);
    const error = await writeToDisk(createBody('x'), file, REPLACE).catch((cause: unknown) =>
      fileFailure(cause, 'app.zip'),
    );
    assert.ok(error instanceof FileError, String(error));
    assert.deepEqual(await readdir(folder), ['app.zip']);
  });

  itOnPosix('reports a full disk, and removes the partial file', async () => {
    // This write really fails, because the system limits this process to 100 blocks of 512 bytes.
    const { url } = await serve((_request, response) => response.end(Buffer.alloc(1024 * 1024)));
    const program = fileURLToPath(new URL('./downloadProcess.ts', import.meta.url));
    const script = 'ulimit -f 100; exec "$@"';
    const { stdout } = await promisify(execFile)('sh', ['-c', script, 'sh', process.execPath, program, url, file]);
    assert.deepEqual(JSON.parse(stdout), { code: 'EFBIG' });
    assert.deepEqual(await readdir(folder), []);
  });
});
