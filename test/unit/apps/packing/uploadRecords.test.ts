import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';

import fc from 'fast-check';

import { diskContents } from '../../../../src/apps/packing/diskContents.ts';
import type { FileContents } from '../../../../src/apps/packing/fileContents.ts';
import type { PackagePlan } from '../../../../src/apps/packing/packageContents.ts';
import { writePackage } from '../../../../src/apps/packing/temporaryPackage.ts';
import { readRecord, recordText } from '../../../../src/apps/packing/uploadRecord.ts';
import { UploadRecords } from '../../../../src/apps/packing/uploadRecords.ts';
import { addFiles, fileUri, folderOf, plan } from '../../../support/packing.ts';

const APP = 'https://build.example/apps/1';
const DAY_MS = 24 * 60 * 60_000;

describe('what was sent the last time', () => {
  const removals: (() => Promise<void>)[] = [];
  let folder: string;
  let storage: string;
  /** Paths of files that were read to compare them. */
  let read: string[];
  let records: UploadRecords;

  beforeEach(async () => {
    const project = await folderOf({
      'config.xml': '<widget/>',
      'www/a.js': 'aaaa',
      'www/b.js': 'bbbb',
      'www/e.css': '',
    });
    const other = await folderOf({});
    removals.push(project.remove, other.remove);
    ({ folder } = project);
    storage = other.folder;
    read = [];
    const contents: FileContents = {
      ...diskContents,
      read: (file) => {
        read.push(file.path);
        return diskContents.read(file);
      },
    };
    records = new UploadRecords(fileUri(storage), () => contents);
  });
  afterEach(() => Promise.all(removals.splice(0).map((remove) => remove())));

  /** Packs the folder, as an upload does, and remembers that. */
  async function send(app = APP): Promise<PackagePlan> {
    const planned = await plan(folder);
    const packed = await writePackage(planned, diskContents, {}, storage);
    await packed.dispose();
    await records.remember(planned, app, packed.checksums);
    return planned;
  }

  async function changes(app = APP): Promise<Readonly<Record<string, readonly string[]>> | undefined> {
    const found = await records.changes(await plan(folder), app);
    return found && { added: found.added, changed: found.changed, removed: found.removed };
  }

  async function recordFile(): Promise<string> {
    const [name = ''] = await readdir(path.join(storage, 'uploads'));
    return path.join(storage, 'uploads', name);
  }

  it('is compared with what would be sent now', async () => {
    assert.equal(await changes(), undefined);
    const start = Date.now();
    await send();
    assert.deepEqual(await changes(), { added: [], changed: [], removed: [] });
    const since = (await records.changes(await plan(folder), APP))?.since.getTime() ?? 0;
    assert.ok(since >= start && since <= Date.now());

    await addFiles(folder, { 'www/a.js': 'aaXa', 'www/c.js': 'c', 'www/e.css': 'longer' });
    await utimes(path.join(folder, 'www/a.js'), 1, 1);
    await rm(path.join(folder, 'www/b.js'));
    const different = { added: ['www/c.js'], changed: ['www/a.js', 'www/e.css'], removed: ['www/b.js'] };
    assert.deepEqual(await changes(), different);
    // A second upload takes its place.
    await send();
    assert.deepEqual(await changes(), { added: [], changed: [], removed: [] });
    assert.equal((await readdir(path.join(storage, 'uploads'))).length, 1);
  });

  it('has not changed when a tool has written the same content again, and is read only then', async () => {
    await addFiles(folder, { 'www/large.bin': Buffer.alloc(700_000, 'x') });
    await send();
    await changes();
    assert.deepEqual(read, []);
    for (const name of ['www/a.js', 'www/large.bin']) {
      await utimes(path.join(folder, name), 1, 1);
    }
    assert.deepEqual(await changes(), { added: [], changed: [], removed: [] });
    assert.deepEqual(read, ['www/a.js']);
    await writeFile(path.join(folder, 'www/large.bin'), Buffer.alloc(700_000, 'y'));
    assert.deepEqual((await changes())?.changed, ['www/large.bin']);
  });

  it('counts a file that can no longer be read as changed, and ends when it is cancelled', async () => {
    await send();
    await utimes(path.join(folder, 'www/a.js'), 1, 1);
    const planned = await plan(folder);
    await rm(path.join(folder, 'www/a.js'));
    assert.deepEqual((await records.changes(planned, APP))?.changed, ['www/a.js']);
    assert.equal(await records.changes(planned, APP, AbortSignal.abort()), undefined);
    const stop = new AbortController();
    const never = { ...diskContents, read: () => new Promise<never>(() => stop.abort()) };
    assert.equal(await new UploadRecords(fileUri(storage), () => never).changes(planned, APP, stop.signal), undefined);
  });

  it('is kept for each project and app; the port of a service on this machine does not matter', async () => {
    await send('http://127.0.0.1:4711/apps/1');
    assert.notEqual(await changes('http://127.0.0.1:4712/apps/1'), undefined);
    assert.notEqual(await changes('http://localhost:80/apps/1'), undefined);
    for (const other of [APP, 'http://127.0.0.1:4711/apps/2', 'https://127.0.0.1:4711/apps/1']) {
      assert.equal(await changes(other), undefined, other);
    }
    const sub = path.join(folder, 'www');
    await addFiles(sub, { 'index.html': '' });
    assert.equal(await records.changes(await plan(sub), 'http://127.0.0.1:4711/apps/1'), undefined);
  });

  it('is names, sizes, dates and checksums, which nobody else may read', async () => {
    await addFiles(folder, { 'www/a.js': 'content-of-mine' });
    const planned = await send();
    const text = await readFile(await recordFile(), 'utf8');
    assert.ok(!text.includes('content-of-mine') && !text.includes(folder) && !text.includes('build.example'), text);
    assert.deepEqual(
      readRecord(text)?.files,
      planned.files.map(({ path: name, sizeBytes, modified }) => ({
        path: name,
        sizeBytes,
        modified,
        checksum: crc32({ 'www/a.js': 'content-of-mine', 'www/b.js': 'bbbb', 'config.xml': '<widget/>' }[name] ?? ''),
      })),
    );
    if (process.platform !== 'win32') {
      assert.equal((await stat(await recordFile())).mode & 0o777, 0o600);
    }
  });

  it('is forgotten after 90 days, and when another tool or a failure has left something else there', async () => {
    await send();
    const old = new Date(Date.now() - 91 * DAY_MS);
    await utimes(await recordFile(), old, old);
    assert.equal(await changes(), undefined);
    await send('https://build.example/apps/2');
    assert.equal((await readdir(path.join(storage, 'uploads'))).length, 1);

    await send();
    for (const broken of [
      '',
      '{',
      '[]',
      'null',
      '{"version":2,"sent":1,"files":[]}',
      '{"version":1,"sent":1,"files":[[1]]}',
    ]) {
      for (const name of await readdir(path.join(storage, 'uploads'))) {
        await writeFile(path.join(storage, 'uploads', name), broken);
      }
      assert.equal(await changes(), undefined, broken);
    }
    await rm(path.join(storage, 'uploads'), { recursive: true });
    await send();
    const text = await readFile(await recordFile(), 'utf8');
    await writeFile(await recordFile(), text.padEnd(8_000_001));
    assert.equal(await changes(), undefined);
    await rm(path.join(storage, 'uploads'), { recursive: true });
    await writeFile(path.join(storage, 'uploads'), 'a file where the folder would be');
    await send();
    assert.equal(await changes(), undefined);
  });

  it('is not remembered of more files than a service takes, nor is an older upload then', async () => {
    const planned = await send();
    const [file] = planned.files;
    assert.ok(file);
    const files = Array.from({ length: 20_001 }, (_, index) => ({ ...file, path: `www/${index}` }));
    await records.remember({ ...planned, files }, APP, new Map());
    assert.deepEqual(await readdir(path.join(storage, 'uploads')), []);
    await records.remember({ ...planned, files: files.slice(1) }, APP, new Map());
    assert.equal((await records.changes({ ...planned, files: files.slice(1) }, APP))?.added.length, 0);
  });

  it('never makes an upload fail', async () => {
    const planned = await plan(folder);
    await mkdir(path.join(storage, 'uploads'));
    await send();
    // The file cannot be replaced: a folder has its name.
    const file = await recordFile();
    await rm(file);
    await mkdir(path.join(file, 'full'), { recursive: true });
    await records.remember(planned, APP, new Map());
    assert.equal(await records.changes(planned, APP), undefined);
    assert.deepEqual(await readdir(path.join(storage, 'uploads')), [path.basename(file)]);
  });

  it('is read from any text without an error, and from its own text as it was', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readRecord(text)));
    const whole = fc.nat(Number.MAX_SAFE_INTEGER);
    const file = fc.record({ path: fc.string(), sizeBytes: whole, modified: whole, checksum: whole });
    fc.assert(
      fc.property(fc.record({ sent: whole, files: fc.array(file) }), (record) => {
        assert.deepEqual(readRecord(recordText(record)), JSON.parse(JSON.stringify(record)));
      }),
    );
  });
});
