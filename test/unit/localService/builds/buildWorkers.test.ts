import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Builder, BuildJob } from '../../../../src/localService/builds/builder.ts';
import { createService, type Service } from '../../../../src/localService/service.ts';
import { claimBuild, findBuild, findUnfinishedBuilds } from '../../../../src/localService/store/builds.ts';
import { openStore } from '../../../../src/localService/store/openStore.ts';
import { createProcessName, hasEnded } from '../../../../src/localService/store/serviceProcess.ts';

/** The demo data has no uploads: pages are built from the fields of these apps. */
const APP = 1004;
const PLATFORM = 'android';

describe('local service: processes that share the builds', () => {
  let folder: string;
  let reports: string[];
  const services = new Set<Service>();
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'build-workers-'));
    reports = [];
  });
  afterEach(async () => {
    await Promise.all([...services].map((service) => service.close()));
    services.clear();
    await rm(folder, { recursive: true });
    assert.deepEqual(reports, []);
  });

  /** A process on the data folder, that is not started yet. */
  async function open(build: Builder['build'] = artifactOf, now = Date.now): Promise<Service> {
    const report = (line: string): number => reports.push(line);
    const store = await openStore(folder, report);
    const builder: Builder = { name: 'command', platforms, build };
    const service = createService({ store, dataFolder: folder, builder, report, now, buildTimeoutMs: 60_000 });
    services.add(service);
    return service;
  }
  const close = async (service: Service): Promise<void> => {
    services.delete(service);
    await service.close();
  };
  const request = ({ store, builds }: Service): void => store.transaction(() => builds.request(APP, [PLATFORM]));
  const statusOf = ({ store }: Service): unknown => findBuild(store, APP, PLATFORM)?.status;
  const untilBuilt = async (service: Service): Promise<void> => {
    while (statusOf(service) === 'pending') {
      await sleep(5);
    }
  };
  /** The name of the process that runs the build. */
  const workerOf = ({ store }: Service): unknown =>
    store.get('SELECT worker FROM builds WHERE appId = ? AND platform = ?', APP, PLATFORM)?.worker;

  const platforms: Builder['platforms'] = () =>
    Promise.resolve({ android: undefined, ios: undefined, winphone: undefined, browser: undefined });
  async function artifactOf({ workFolder }: BuildJob): ReturnType<Builder['build']> {
    await writeFile(join(workFolder, 'artifact'), 'artifact');
    return { path: join(workFolder, 'artifact'), fileName: 'artifact' };
  }
  const untilAborted: Builder['build'] = async (_job, _log, signal) => {
    await once(signal, 'abort');
    throw new Error('aborted');
  };

  it('build what was asked for before a start, and what a process that ends has not finished', async () => {
    let begun: () => void = () => undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const first = await open((...args) => {
      begun();
      return untilAborted(...args);
    });
    request(first);
    assert.equal(statusOf(first), 'pending');
    first.builds.start();
    await beginning;
    await close(first);

    const second = await open();
    assert.deepEqual([statusOf(second), workerOf(second)], ['pending', null]);
    second.builds.start();
    await untilBuilt(second);
    assert.equal(statusOf(second), 'complete');
    assert.equal(findBuild(second.store, APP, PLATFORM)?.number, 1);
  });

  it('build once what several of them could build', async () => {
    let count = 0;
    const build: Builder['build'] = async (job) => {
      count += 1;
      await sleep(50);
      return artifactOf(job);
    };
    const [first, second] = [await open(build), await open(build)];
    first.builds.start();
    second.builds.start();
    first.store.transaction(() => first.builds.request(APP, ['android', 'ios', 'winphone', 'browser']));
    await untilBuilt(second);
    while (
      Object.values(first.store.all('SELECT status FROM builds WHERE appId = ?', APP)).some(
        ({ status }) => status === 'pending',
      )
    ) {
      await sleep(5);
    }
    assert.equal(count, 4);
  });

  it('claim a build once, also when both have found it', async () => {
    const service = await open();
    const { store } = service;
    request(service);
    const [found] = findUnfinishedBuilds(store);
    assert.ok(found);
    const claim = { leaseUntil: 2, startedAt: 1, logFile: 'log' };
    assert.equal(claimBuild(store, found, { ...claim, worker: 'first' }), true);
    assert.equal(claimBuild(store, found, { ...claim, worker: 'second' }), false);
    assert.equal(workerOf(service), 'first');
  });

  it('drop what they have built when another process has replaced it, and stop building what another one has deleted', async () => {
    let aborted = 0;
    const first = await open(async (job, log, signal) => {
      await untilAborted(job, log, signal).catch(() => undefined);
      aborted += 1;
      // It makes an artifact all the same.
      return artifactOf(job);
    });
    const second = await open();
    first.builds.start();
    request(first);
    while (workerOf(first) === null) {
      await sleep(5);
    }
    request(second);
    second.builds.start();
    await untilBuilt(second);
    while (aborted === 0 || (await readdir(join(folder, 'work'))).length > 0) {
      await sleep(5);
    }
    const { logFile, artifact, number } = findBuild(second.store, APP, PLATFORM) ?? {};
    assert.equal(number, 2);
    while ((await readdir(join(folder, 'files'))).length > 2) {
      await sleep(5);
    }
    assert.deepEqual((await readdir(join(folder, 'files'))).sort(), [logFile, artifact?.file].sort());
  });

  it('take over from one that was killed, and from one that gave no sign for half a minute', async () => {
    let now = Date.now();
    const service = await open(artifactOf, () => now);
    const [host, , start, rest] = createProcessName().split('_');
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const killed = [host, pid, start, rest].join('_');
    const silent = ['elsewhere', pid, start, rest].join('_');
    const claim = (worker: string): void => {
      request(service);
      service.store.run('UPDATE builds SET worker = ?, leaseUntil = ? WHERE appId = ?', worker, now + 30_000, APP);
    };
    claim(killed);
    service.builds.start();
    await untilBuilt(service);

    claim(silent);
    await new Promise(setImmediate);
    assert.equal(workerOf(service), silent);
    now += 31_000;
    await untilBuilt(service);
    assert.equal(statusOf(service), 'complete');
  });

  it('remove what one that has ended has left behind, and nothing else', async () => {
    const first = await open();
    first.builds.start();
    request(first);
    await untilBuilt(first);
    const [log, artifact] = [
      findBuild(first.store, APP, PLATFORM)?.logFile,
      findBuild(first.store, APP, PLATFORM)?.artifact?.file,
    ];
    await close(first);
    const [host, , start, rest] = createProcessName().split('_');
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const ended = join(folder, 'work', `${[host, pid, start, rest].join('_')}_abc`);
    const alive = join(folder, 'work', `${createProcessName()}_abc`);
    const unnamed = join(folder, 'files', 'unnamed');
    await mkdir(ended);
    await writeFile(join(ended, 'file'), 'file');
    await writeFile(unnamed, 'unnamed');

    // A process that works may be about to name the file.
    await mkdir(alive);
    const second = await open();
    second.builds.start();
    await close(second);
    assert.deepEqual((await readdir(join(folder, 'files'))).sort(), [log, artifact, 'unnamed'].sort());
    assert.deepEqual(await readdir(join(folder, 'work')), [alive.slice(folder.length + '/work/'.length)]);

    await rm(alive, { recursive: true });
    const third = await open(untilAborted);
    request(third);
    // It works itself at once.
    third.builds.start();
    while ((await readdir(join(folder, 'files'))).includes('unnamed')) {
      await sleep(5);
    }
  });

  it('keep the files of a database that is gone aside', async () => {
    const first = await open();
    await close(first);
    await writeFile(join(folder, 'files', 'upload'), 'upload');
    await rm(join(folder, 'service.db'));
    const second = await open();
    second.builds.start();
    const [said] = reports.splice(0);
    const aside = (await readdir(folder)).find((name) => name.startsWith('files.unused-')) ?? '';
    assert.equal(said, `The files of an earlier database were kept as ${join(folder, aside)}.`);
    assert.deepEqual(await readdir(join(folder, aside)), ['upload']);
  });

  it('are known by their names', () => {
    const own = createProcessName();
    const [host, , start, rest] = own.split('_');
    assert.equal(hasEnded(own), false);
    assert.equal(hasEnded(`${own}_abc`), false);
    // A container gives its program the same ID again.
    assert.equal(hasEnded([host, process.pid, Number(start) - 5_000, rest].join('_')), true);
    assert.equal(hasEnded(['elsewhere', process.pid, start, rest].join('_')), false);
  });
});
