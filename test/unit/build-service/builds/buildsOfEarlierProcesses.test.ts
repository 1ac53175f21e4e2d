import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Builder, BuildJob } from '../../../../src/build-service/builds/builder.ts';
import { createService, type Service } from '../../../../src/build-service/service.ts';
import {
  beginBuild,
  findBuild,
  findUnfinishedBuilds,
  takeOverBuilds,
} from '../../../../src/build-service/store/builds.ts';
import { DataFiles } from '../../../../src/build-service/store/dataFiles.ts';
import { openStore } from '../../../../src/build-service/store/dataFolder.ts';
import { createBuilder, untilAborted, withBundle } from '../../../support/builds.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { endUnfinishedBuilds } from '../../../support/inProcessService.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

/** The demo data has no uploads, so these apps are built from their fields. */
const APP = 1004;
const PLATFORM = 'android';

describe('local service: data left by an earlier process', () => {
  let folder: string;
  let reports: string[];
  const services = new Set<Service>();
  beforeEach(() => {
    reports = [];
  });
  afterEach(async () => {
    await Promise.all([...services].map(close));
    assert.deepEqual(reports, []);
  });
  useFolderForEachTest((made) => (folder = made));

  /** Opens a process on the data folder. Its builds don't start yet. */
  async function open(build: Builder['build'] = createArtifact, now = Date.now): Promise<Service> {
    const report = (line: string): number => reports.push(line);
    const isNew = (await readdir(folder)).length === 0;
    const store = await openStore(folder, report, { demo: true, now });
    if (isNew) {
      endUnfinishedBuilds(store);
    }
    const builder = withBundle(createBuilder(build));
    const service = createService({
      ...{ store, dataFolder: folder, builder, report },
      ...{ buildTimeoutMs: 60_000, maxUploadBytes: 1_000_000 },
    });
    services.add(service);
    return service;
  }
  const close = async (service: Service): Promise<void> => {
    services.delete(service);
    await service.close();
  };
  const request = ({ store, builds }: Service): void => store.transaction(() => builds.request(APP, [PLATFORM]));
  const getBuild = ({ store }: Service) => findBuild(store, APP, PLATFORM);
  const untilBuilt = (service: Service) => waitUntil(() => getBuild(service)?.status !== 'pending');
  const getContents = async (name: string): Promise<readonly string[]> => (await readdir(join(folder, name))).sort();

  async function createArtifact({ workFolder }: BuildJob): ReturnType<Builder['build']> {
    await writeFile(join(workFolder, 'artifact'), 'artifact');
    return { path: join(workFolder, 'artifact'), fileName: 'artifact' };
  }

  /**
   * Starts a build, as a process does that is killed before the build ends.
   * @returns the name of the build's log
   */
  const beginUnfinished = ({ store }: Service): string => {
    const [build] = findUnfinishedBuilds(store);
    assert.ok(build);
    const log = randomUUID();
    beginBuild(store, build, Date.now(), log);
    return log;
  };

  it('repeats the builds of a killed process, and removes its leftover files', async () => {
    const first = await open();
    request(first);
    const oldLog = beginUnfinished(first);
    const workFolder = join(folder, 'work', 'app-build-work-aB3xYz');
    await mkdir(workFolder);
    await writeFile(join(workFolder, 'half'), 'half');
    for (const name of [oldLog, randomUUID()]) {
      await writeFile(first.files.getPath(name), 'nobody names it');
    }
    await close(first);

    const second = await open();
    second.builds.start();
    await untilBuilt(second);
    const { status, logFile, artifact } = getBuild(second) ?? {};
    assert.equal(status, 'complete');
    // `close` waits until the unused files are removed.
    await close(second);
    const kept = [logFile, artifact?.file, artifact?.bundle?.file].sort();
    assert.deepEqual(await getContents('files'), kept);
    assert.deepEqual(await getContents('work'), []);
    const third = await open();
    third.builds.start();
    await close(third);
    assert.deepEqual(await getContents('files'), kept);
  });

  it('repeats a build after its process was killed once, and fails the build after the second time', async () => {
    const first = await open();
    request(first);
    beginUnfinished(first);
    await close(first);
    const second = await open(untilAborted);
    second.builds.start();
    assert.equal(getBuild(second)?.status, 'pending');
    // This process shuts down normally, so it doesn't count as an interruption.
    await close(second);
    const third = await open(untilAborted);
    third.builds.start();
    await waitUntil(() => getBuild(third)?.startedAt !== null);
    assert.equal(getBuild(third)?.status, 'pending');
    third.store.update('builds', { logFile: randomUUID() }, 'appId = ?', APP);
    await close(third);

    const fourth = await open(() => assert.fail('it is built a third time'));
    fourth.builds.start();
    const { status, error } = getBuild(fourth) ?? {};
    assert.deepEqual([status, error], ['error', 'The service stopped twice during this build. Build the app again.']);
    request(fourth);
    await close(fourth);
    const fifth = await open();
    fifth.builds.start();
    await untilBuilt(fifth);
    assert.equal(getBuild(fifth)?.status, 'complete');
  });

  it('doesn’t fail a build that only one of the killed processes had started', async () => {
    const service = await open();
    request(service);
    beginUnfinished(service);
    for (let process = 0; process < 3; process++) {
      takeOverBuilds(service.store);
    }
    assert.equal(getBuild(service)?.status, 'pending');
  });

  it('keeps the user’s files in the data folder, however old they are', async () => {
    await close(await open());
    const names = ['work/thesis/chapter1.txt', 'work/app-build-work-thesis2/chapter2.txt', 'files/chapter3.txt'];
    for (const name of names) {
      await mkdir(join(folder, name, '..'), { recursive: true });
      await writeFile(join(folder, name), 'three years of work');
    }
    const later = await open(createArtifact, () => Date.now() + 25 * 60 * 60_000);
    later.builds.start();
    await close(later);
    assert.deepEqual(await getContents('work'), ['app-build-work-thesis2', 'thesis']);
    assert.deepEqual(await getContents('work/thesis'), ['chapter1.txt']);
    assert.deepEqual(await getContents('work/app-build-work-thesis2'), ['chapter2.txt']);
    assert.deepEqual(await getContents('files'), ['chapter3.txt']);
  });

  it('rejects a data folder in which “work” or “files” is a link', async () => {
    await close(await open());
    await mkdir(join(folder, 'home', 'app-build-work-abcdef'), { recursive: true });
    for (const name of ['work', 'files']) {
      await rm(join(folder, name), { recursive: true });
      await symlink(join(folder, 'home'), join(folder, name), 'junction');
      assert.throws(() => new DataFiles(folder), {
        message: `${join(folder, name)} is a link or a file, but the service needs a folder there. Delete it, or specify another folder with --data.`,
      });
      await rm(join(folder, name));
    }
    assert.deepEqual(await getContents('home'), ['app-build-work-abcdef']);
  });

  it('sets the files aside when their database is missing', async () => {
    await close(await open());
    await writeFile(join(folder, 'files', 'upload'), 'upload');
    await writeFile(join(folder, 'service.lock'), '');
    await rm(join(folder, 'service.db'));
    const second = await open();
    second.builds.start();
    const [said] = reports.splice(0);
    const aside = (await readdir(folder)).find((name) => name.startsWith('files.unused-')) ?? '';
    assert.equal(said, `The files of an earlier database were moved to ${join(folder, aside)}.`);
    assert.deepEqual(await getContents(aside), ['upload']);
  });
});
