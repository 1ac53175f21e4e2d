import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import type { Builder, BuildJob, BuildResult } from '../../../../src/build-service/builds/builder.ts';
import { createBuildQueue } from '../../../../src/build-service/builds/buildQueue.ts';
import { findBuild, findUnfinishedBuilds, requestBuilds } from '../../../../src/build-service/store/builds.ts';
import { openDatabase } from '../../../../src/build-service/store/database.ts';
import { DataFiles } from '../../../../src/build-service/store/dataFiles.ts';
import { insertDemoData } from '../../../../src/build-service/store/demoData.ts';
import { Store } from '../../../../src/build-service/store/store.ts';
import {
  ask,
  createBuilder,
  fetchBuilds,
  download,
  waitForBuilds,
  type BuildsState,
  FINGERPRINTS,
  fetchLog,
  PAGE,
  untilAborted,
  upload,
  withBundle,
} from '../../../support/builds.ts';
import { useService } from '../../../support/hooks.ts';
import { openInProcess } from '../../../support/inProcessService.ts';
import { waitUntil } from '../../../support/waitUntil.ts';
import { BuildError, PLATFORMS } from '../../../../src/android-package/index.ts';

type Build = Builder['build'];

/** Creates an artifact that describes its build. */
async function createArtifact({ app, platform, workFolder }: BuildJob): Promise<BuildResult> {
  const path = join(workFolder, 'artifact');
  await writeFile(path, `${app.title} for ${platform}`);
  return { path, fileName: `${app.title}.${platform}` };
}

describe('local service: the queue of builds', () => {
  let build: Build;
  /** Builds that have started and not ended. */
  const running = new Set<string>();
  const begun: string[] = [];

  const builder = createBuilder(
    async (job, log, signal) => {
      const name = `${job.app.id} ${job.platform}`;
      assert.ok(!running.has(name), `${name} is already running`);
      running.add(name);
      begun.push(name);
      assert.ok(running.size <= availableParallelism());
      try {
        return await build(job, log, signal);
      } finally {
        running.delete(name);
      }
    },
    { winphone: 'Not here.' },
  );

  const service = useService(() => openInProcess({ builder, buildTimeoutMs: 60_000 }));
  beforeEach(() => {
    build = createArtifact;
    begun.length = 0;
  });

  const files = async (): Promise<readonly string[]> => readdir(service.service.files.getPath('.'));
  const workFolders = (): Promise<readonly string[]> => readdir(service.service.files.getPath('../work'));
  const untilBegun = (count: number): Promise<unknown> => waitUntil(() => begun.length >= count);
  const remove = (id: number): Promise<unknown> => ask(service, `/apps/${id}`, { method: 'DELETE' });
  const untilNothingRuns = (): Promise<unknown> =>
    waitUntil(async () => running.size === 0 && (await workFolders()).length === 0);
  const untilNothingIsLeft = async (): Promise<void> => {
    await untilNothingRuns();
    await waitUntil(async () => (await files()).length === 0);
  };

  it('responds to a request for builds with their end if they end quickly, and without it otherwise', async () => {
    const start = async (id: number): Promise<unknown> => {
      const app = (await ask(service, `/apps/${id}/build/android`, { method: 'POST' })) as BuildsState;
      return [app.completed, app.status.android];
    };
    const id = await upload(service, PAGE, { title: 'First' });
    await waitForBuilds(service, id);
    assert.deepEqual(await start(id), [true, 'complete']);
    build = untilAborted;
    assert.deepEqual(await start(id), [false, 'pending']);
    await remove(id);
  });

  it('builds an upload for every supported platform, and explains why it can’t build for an unsupported platform', async () => {
    const id = await upload(service, PAGE, { title: 'First' });
    const { status: all } = await waitForBuilds(service, id);
    assert.deepEqual(all, { android: 'complete', ios: 'complete', browser: 'complete' });
    await ask(service, `/apps/${id}/build/winphone`, { method: 'POST' });
    const { status, error } = await waitForBuilds(service, id);
    assert.deepEqual(status, { android: 'complete', ios: 'complete', winphone: 'error', browser: 'complete' });
    assert.deepEqual(error, { winphone: 'Not here.' });
    const { name, bytes } = await download(service, id, 'android');
    assert.deepEqual([name, bytes.toString()], ['First.android', 'First for android']);
    assert.match(
      await fetchLog(service, id, 'android'),
      /^Building First \S+ for Android with .*\nPackage .*\nBuilt First.android, 17 bytes\.\n$/,
    );
    assert.match(await fetchLog(service, id, 'winphone'), /\nNot here\.\n$/);
    const { build_count: count, last_build: last } = (await ask(service, `/apps/${id}`)) as Record<string, unknown>;
    assert.deepEqual([count, typeof last], [2, 'string']);
    await remove(id);
    await untilNothingIsLeft();
  });

  it('keeps a bundle with its build, and removes both together', async () => {
    ({ build } = withBundle(createBuilder(createArtifact)));
    const id = await upload(service, PAGE, { title: 'Both' });
    await waitForBuilds(service, id);
    assert.match(
      await fetchLog(service, id, 'android'),
      /\nBuilt Both\.android, 16 bytes, and Both\.aab, 14 bytes\.\n$/,
    );
    const { artifact } = findBuild(service.service.store, id, 'android') ?? {};
    assert.ok(artifact?.bundle && (await files()).includes(artifact.bundle.file));
    assert.deepEqual([artifact.bundle.name, artifact.fingerprints], ['Both.aab', FINGERPRINTS]);
    build = createArtifact;
    await ask(service, `/apps/${id}/build/android`, { method: 'POST' });
    await waitForBuilds(service, id);
    const { artifact: next } = findBuild(service.service.store, id, 'android') ?? {};
    assert.deepEqual([next?.bundle, next?.fingerprints], [null, null]);
    await waitUntil(async () => !(await files()).includes(artifact.bundle?.file ?? ''));
    ({ build } = withBundle(createBuilder(createArtifact)));
    await ask(service, `/apps/${id}/build/android`, { method: 'POST' });
    await waitForBuilds(service, id);
    await remove(id);
    await untilNothingIsLeft();
  });

  it('runs at most one build per processor, and at most one per app and platform', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => upload(service, PAGE)));
    const again = await Promise.all(ids.map((id) => upload(service, PAGE, { id, title: 'Second' })));
    assert.deepEqual(again, ids);
    for (const id of ids) {
      await waitForBuilds(service, id);
      assert.equal((await download(service, id, 'ios')).bytes.toString(), 'Second for ios');
      await remove(id);
    }
    await untilNothingIsLeft();
  });

  it('begins a build while an older one runs, and reads only the oldest builds of a long queue', async () => {
    build = async (job, log, signal) => (job.platform === 'ios' ? untilAborted(job, log, signal) : createArtifact(job));
    const [older, newer] = [await upload(service, PAGE), await upload(service, PAGE)];
    await waitUntil(() => running.size > 0);
    for (const id of [older, newer]) {
      await waitUntil(async () => (await fetchBuilds(service, id)).status.android === 'complete');
    }
    const { store } = service.service;
    assert.deepEqual(
      findUnfinishedBuilds(store, 1).map(({ appId, platform }) => [appId, platform]),
      [[older, 'ios']],
    );
    await remove(older);
    await remove(newer);
    await untilNothingIsLeft();
  });

  it('builds again if the app is uploaded during its build, and serves the new result', async () => {
    let endFirst = (): void => undefined;
    const first = new Promise<void>((resolve) => (endFirst = resolve));
    build = async (...args) => {
      // The started process takes a moment to exit.
      await untilAborted(...args).catch(() => first);
      throw new Error('aborted');
    };
    const id = await upload(service, PAGE, { title: 'Old' });
    await untilBegun(1);
    build = createArtifact;
    await upload(service, PAGE, { id, title: 'New' });
    endFirst();
    const { status } = await waitForBuilds(service, id);
    assert.equal(status.android, 'complete');
    assert.equal((await download(service, id, 'android')).bytes.toString(), 'New for android');
    assert.equal(findBuild(service.service.store, id, 'android')?.number, 2);
    await remove(id);
    await untilNothingIsLeft();
  });

  it('cancels the builds of a deleted app, and removes all its files', async () => {
    build = untilAborted;
    const id = await upload(service, PAGE);
    await untilBegun(Math.min(3, availableParallelism()));
    await remove(id);
    await untilNothingIsLeft();
  });

  it('drops an artifact finished after its app was deleted', async () => {
    const { store } = service.service;
    let id = 0;
    ({ build } = withBundle(
      createBuilder((job) => {
        ({ id } = job.app);
        store.run('DELETE FROM apps WHERE id = ?', job.app.id);
        return createArtifact(job);
      }),
    ));
    // The app may be deleted before the response to the upload, or after it.
    await upload(service, PAGE).catch((error: unknown) => assert.match(String(error), /not available/));
    await untilBegun(1);
    await untilNothingRuns();
    assert.equal(findBuild(store, id, 'android'), undefined);
    // The route removes the upload's file.
    await waitUntil(async () => (await files()).length <= 1);
    await service.service.files.remove(await files());
  });

  it('drops the artifact and builds again if another build was requested in the meantime', async () => {
    const { store } = service.service;
    build = (job) => {
      build = createArtifact;
      // This request hasn't reached the queue when the first build ends.
      requestBuilds(store, 1003, ['ios']);
      return createArtifact(job);
    };
    await ask(service, '/apps/1003/build/ios', { method: 'POST' });
    assert.equal((await waitForBuilds(service, 1003)).status.ios, 'complete');
    assert.deepEqual(begun, ['1003 ios', '1003 ios']);
    const { number, logFile, artifact } = findBuild(store, 1003, 'ios') ?? {};
    assert.equal(number, 2);
    await waitUntil(async () => (await files()).length === 2);
    assert.deepEqual([...(await files())].sort(), [logFile, artifact?.file].sort());
  });

  it('keeps the existing builds when a transaction that requests and cancels builds fails', async () => {
    const id = await upload(service, PAGE, { title: 'Kept' });
    await waitForBuilds(service, id);
    const { store, builds } = service.service;
    const failing = (): void =>
      store.transaction(() => {
        builds.request(id, PLATFORMS);
        builds.cancel(id);
        throw new Error('no');
      });
    assert.throws(failing, /^Error: no$/);
    await new Promise(setImmediate);
    assert.equal((await fetchBuilds(service, id)).status.android, 'complete');
    assert.equal((await download(service, id, 'android')).bytes.toString(), 'Kept for android');
    await remove(id);
  });

  it('reports an app’s problems to the user, and the details of its own failures only to the service', async () => {
    build = async ({ platform, source }) => {
      await Promise.resolve();
      throw platform === 'ios' ? new BuildError('No page.') : new Error(`secret ${source.folder}`);
    };
    const id = await upload(service, PAGE);
    const { error } = await waitForBuilds(service, id);
    assert.equal(error.ios, 'No page.');
    assert.equal(error.android, 'The build failed inside the service.');
    assert.match(await fetchLog(service, id, 'android'), /\nThe build failed inside the service\.\n$/);
    const reports = (service.reports as string[]).splice(0);
    assert.ok(reports.some((line) => line.startsWith(`The build of app #${id} for android: Error: secret `)));
    await remove(id);
  });

  it('stops a build that takes too long', async () => {
    const impatient = await openInProcess({ builder: createBuilder(untilAborted), buildTimeoutMs: 600 });
    const { error } = await waitForBuilds(impatient, await upload(impatient, PAGE));
    assert.equal(error.android, 'The build took longer than 0.01 minutes and was stopped.');
    await impatient.stop();
  });

  const NOT_PLAIN = 'The build’s package isn’t a regular file.';
  const notArtifacts: Readonly<
    Record<string, readonly [sentence: string, make: (path: string, source: string) => unknown, below?: string]>
  > = {
    'is missing': ['The build ended without a package.', () => undefined],
    'is empty': ['The build’s package is empty.', (path) => writeFile(path, '')],
    'is a folder': [NOT_PLAIN, (path) => mkdir(path)],
    'is a link': [NOT_PLAIN, (path, source) => symlink(join(source, 'index.html'), path)],
    'is outside the work folder, through a link to a folder': [
      NOT_PLAIN,
      (path, source) => symlink(source, path),
      'index.html',
    ],
  };
  for (const [what, [sentence, make, below = '']] of Object.entries(notArtifacts)) {
    it(`rejects an artifact or bundle that ${what}`, async () => {
      const made = (job: BuildJob) => ({ path: join(job.workFolder, 'made', below), fileName: 'made' });
      const before = (await files()).length;
      for (const getResult of [
        async (job: BuildJob) => ({ ...made(job), bundle: await createArtifact(job) }),
        async (job: BuildJob) => ({ ...(await createArtifact(job)), bundle: made(job) }),
      ]) {
        build = async (job) => {
          await make(join(job.workFolder, 'made'), job.source.folder);
          return getResult(job);
        };
        const id = await upload(service, PAGE);
        assert.equal((await waitForBuilds(service, id)).error.android, sentence);
        await remove(id);
      }
      await waitUntil(async () => (await files()).length <= before);
    });
  }

  it('reports an internal error with its stack trace, and continues', async () => {
    let isBroken = false;
    const clock = (): number => (isBroken ? assert.fail('a mistake of the service') : Date.now());
    const store = new Store(
      openDatabase(undefined, () => undefined),
      clock,
    );
    const data = new DataFiles(undefined);
    insertDemoData(store, { text: '', hash: '' });
    requestBuilds(store, 1003, ['ios']);
    const reports: string[] = [];
    isBroken = true;
    const queue = createBuildQueue({
      store,
      files: data,
      builder: createBuilder(createArtifact),
      report: (line) => reports.push(line),
      buildTimeoutMs: 60_000,
    });
    queue.start();
    isBroken = false;
    assert.match(
      reports.join(),
      /^The builds can’t continue: AssertionError.*: a mistake of the service\n +at .*buildQueue/s,
    );
    await waitUntil(() => findBuild(store, 1003, 'ios')?.status === 'complete');
    await queue.close();
    store.close();
    await data.close();
  });
});
