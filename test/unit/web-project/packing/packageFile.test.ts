import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';

import yauzl from 'yauzl';

import { BuildServiceError, CancelledError } from '../../../../src/errors/index.ts';
import type { PackagePlan } from '../../../../src/web-project/packing/packageContents.ts';
import {
  type TemporaryPackage,
  type PackOptions,
  writePackage,
} from '../../../../src/web-project/packing/packageFile.ts';
import { checkPackage } from '../../../../src/build-service/builds/packages/uploadedPackage.ts';
import { readArchive } from '../../../support/readArchive.ts';
import { addFiles, createFolder, plan } from '../../../support/packing.ts';
import { itOnPosix } from '../../../support/itOnPosix.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const CONFIG = '<widget id="com.example.a" version="1.0.0"><name>A</name></widget>';

describe('the package of a folder', () => {
  let folder: string;
  let temporary: string;
  const removals: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    const project = await createFolder({ 'config.xml': CONFIG, 'index.html': '<!doctype html>' });
    const other = await createFolder({});
    folder = project.folder;
    temporary = other.folder;
    removals.push(project.remove, other.remove);
  });
  afterEach(() => Promise.all(removals.splice(0).map((remove) => remove())));

  const pack = (planned: PackagePlan, options: PackOptions = {}): Promise<TemporaryPackage> =>
    writePackage(planned, options, temporary);

  /** Returns the written archive, which is the only file in the temporary folder. */
  async function archive(): Promise<string> {
    const [only = ''] = await readdir(temporary);
    return path.join(temporary, only, 'app.zip');
  }

  async function captureFailure(planned: PackagePlan, options: PackOptions = {}): Promise<BuildServiceError> {
    const error: unknown = await pack(planned, options).then(
      () => 'it was packed',
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof BuildServiceError, String(error));
    assert.deepEqual(await readdir(temporary), [], 'no file is left');
    return error;
  }

  it('contains the files, is accepted by a service, and is deleted on disposal', async () => {
    const large = randomBytes(700_000);
    const files = {
      'www/größe 日本.js': 'ü',
      'www/empty.css': '',
      'www/large.bin': large,
      'hooks/run.sh': '#!/bin/sh',
    };
    await addFiles(folder, files);
    await chmod(path.join(folder, 'hooks/run.sh'), 0o700);
    const progress: (readonly [number, number])[] = [];
    const packed = await pack(await plan(folder), { onProgress: (...step) => progress.push(step) });
    const total = CONFIG.length + 15 + 2 + 0 + large.length + 9;
    assert.deepEqual(progress.at(-1), [total, total]);
    assert.ok(progress.every(([done], index) => done >= (progress[index - 1]?.[0] ?? 0)));

    const file = await archive();
    const contents = await readArchive(file);
    assert.deepEqual(
      [...contents.keys()],
      ['config.xml', 'hooks/run.sh', 'www/empty.css', 'www/größe 日本.js', 'index.html', 'www/large.bin'].sort(),
    );
    assert.equal(contents.get('www/größe 日本.js'), 'ü');
    const info = await checkPackage(file);
    assert.equal(info.fileCount, 6);
    assert.equal(info.unpackedSize, total);
    assert.equal(info.config?.name, 'A');
    if (process.platform !== 'win32') {
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      assert.equal((await stat(path.dirname(file))).mode & 0o777, 0o700);
      assert.deepEqual(await modesIn(file), { 'hooks/run.sh': 0o100755, others: [0o100644] });
    }

    assert.equal(packed.file.name, 'app.zip');
    const bytes = await readFile(file);
    assert.equal(packed.file.size, bytes.length);
    // It can be sent again after a failure.
    assert.deepEqual(await buffer(packed.file.bytes()), bytes);
    assert.deepEqual(await buffer(packed.file.bytes()), bytes);
    for await (const piece of packed.file.bytes()) {
      assert.ok(piece.length <= 64 * 1024);
    }
    await packed.dispose();
    assert.deepEqual(await readdir(temporary), []);
    await packed.dispose();
  });

  it('writes identical bytes for identical files, whatever their dates', async () => {
    await addFiles(folder, { 'www/a.js': 'a'.repeat(100_000), 'www/b.png': randomBytes(300_000) });
    const first = await pack(await plan(folder));
    const bytes = await buffer(first.file.bytes());
    await utimes(path.join(folder, 'www/a.js'), 1, 1);
    const second = await pack(await plan(folder));
    assert.deepEqual(await buffer(second.file.bytes()), bytes);
    assert.ok(bytes.includes('config.xml') && !bytes.includes(folder), 'the package contains no local path');
    // Text is compressed. Compressed files are stored.
    assert.ok(bytes.length > 300_000 && bytes.length < 302_000, String(bytes.length));
  });

  it('names a file that was deleted, changed, or replaced after planning', async () => {
    const large = 'x'.repeat(300_000);
    const file = path.join(folder, 'www/f.js');
    const other = path.join(folder, 'node_modules/f.js');
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      'replaced by a link to a file of the same size and time': async () => {
        // This file isn't part of the package.
        await addFiles(folder, { 'node_modules/f.js': 'y'.repeat((await stat(file)).size) });
        await utimes(other, 1, 1);
        await rm(file);
        await symlink(other, file);
      },
      'rewritten with the same size': async () => {
        await writeFile(file, 'y'.repeat((await stat(file)).size));
        await utimes(file, 2, 2);
      },
      'rewritten in place, with its size and time restored': async () => {
        const { size, ctimeMs } = await stat(file);
        // The clock of the file system can be slower than the test.
        await waitUntil(async () => {
          await writeFile(file, 'y'.repeat(size));
          await utimes(file, 1, 1);
          return (await stat(file)).ctimeMs !== ctimeMs;
        });
      },
      deleted: () => rm(file),
      grown: () => writeFile(file, `${large}${large}`),
      shortened: () => writeFile(file, 'x'),
      'replaced by a folder': async () => {
        await rm(file);
        await mkdir(file);
      },
    };
    for (const content of ['short', large]) {
      for (const [what, change] of Object.entries(changes)) {
        await rm(file, { recursive: true, force: true });
        // The files after it are read ahead by then.
        await addFiles(folder, { 'www/f.js': content, 'www/g.js': 'g', 'www/h.js': 'h' });
        await utimes(file, 1, 1);
        const planned = await plan(folder);
        await change();
        const error = await captureFailure(planned);
        const expected = what === 'deleted' ? /^www\/f\.js was deleted while/ : /^www\/f\.js changed while/;
        assert.match(error.message, expected, what);
        assert.equal(error.remedy, 'retry');
      }
    }
  });

  it('names a large file that is changed while it’s read', async () => {
    await addFiles(folder, { 'www/film.bin': randomBytes(2_000_000) });
    const planned = await plan(folder);
    let touched: Promise<void> | undefined;
    const error = await captureFailure(planned, {
      onProgress: (done) => {
        if (done > 100_000) {
          touched ??= utimes(path.join(folder, 'www/film.bin'), 1, 1);
        }
      },
    });
    assert.match(error.message, /^www\/film\.bin changed while/);
    await touched;
  });

  it('leaves no file when it’s canceled, before or during writing', async () => {
    await addFiles(folder, { 'www/large.bin': randomBytes(3_000_000) });
    const planned = await plan(folder);
    assert.ok((await captureFailure(planned, { signal: AbortSignal.abort() })) instanceof CancelledError);
    const stop = new AbortController();
    let last = 0;
    const error = await captureFailure(planned, {
      signal: stop.signal,
      onProgress: (done) => {
        last = done;
        stop.abort();
      },
    });
    assert.ok(error instanceof CancelledError);
    assert.ok(last < 3_000_000);
  });

  it('reports that the temporary folder is missing', async () => {
    const planned = await plan(folder);
    await rm(temporary, { recursive: true });
    await assert.rejects(pack(planned), /couldn’t be written \(ENOENT\)/);
  });

  itOnPosix('reports that the disk is full, and leaves no file', async () => {
    await addFiles(folder, { 'www/large.png': randomBytes(1_000_000) });
    const modules = path.join(import.meta.dirname, '../../../..');
    const program = `
      import { writePackage } from '${modules}/src/web-project/packing/packageFile.ts';
      import { plan } from '${modules}/test/support/packing.ts';
      await writePackage(await plan(${JSON.stringify(folder)}), {}, ${JSON.stringify(temporary)}).catch((error) =>
        console.log(error.message));`;
    // The system refuses to let a file grow, as on a full disk.
    const limited = ['-c', 'ulimit -f 500; exec "$0" --input-type=module --eval "$1"', process.execPath, program];
    const { stdout } = await promisify(execFile)('sh', limited);
    assert.equal(stdout, 'Not enough disk space for the package.\n');
    assert.deepEqual(await readdir(temporary), []);
  });
});

/** Returns the modes of the executable and, without repetitions, of the other files. */
async function modesIn(file: string): Promise<object> {
  const others = new Set<number>();
  const modes: Record<string, number> = {};
  for await (const entry of (await yauzl.openPromise(file)).eachEntry()) {
    const mode = entry.externalFileAttributes >>> 16;
    if (entry.fileName === 'hooks/run.sh') {
      modes[entry.fileName] = mode;
    } else {
      others.add(mode);
    }
  }
  return { ...modes, others: [...others] };
}
