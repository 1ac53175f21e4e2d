/** Builders that fail: real programs that do what no builder should do. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createCommandBuilder } from '../../../src/localService/builds/commandBuilder.ts';
import { MAX_LOG_BYTES } from '../../../src/localService/builds/buildLog.ts';
import { findBuild } from '../../../src/localService/store/builds.ts';
import { ask, download, endOfBuilds, logOf, PAGE, upload } from '../../support/builds.ts';
import { startInProcess, type InProcessService } from '../../support/inProcessService.ts';
import { processEnd } from '../../support/processes.ts';
import { repositoryRoot } from '../../support/repository.ts';
import type { Row } from '../row.ts';

const PLATFORM = 'browser';
/** For one build, a Node being started on a busy machine. */
const MAX_BUILD_MS = 15_000;
/** For builds that never end. */
const SHORT_TIMEOUT_MS = 3_000;
/** For another client while a builder floods its log. */
const MAX_OTHER_MS = 1_000;
const MAX_MEMORY_BYTES = 150_000_000;

/** Starts a service whose builder fails in the way that the title of an app names. */
function start(buildTimeoutMs: number): Promise<InProcessService> {
  const program = join(repositoryRoot, 'test/faults/service/builderProgram.ts');
  const builder = createCommandBuilder(`"${process.execPath}" "${program}"`);
  return startInProcess({ builder, buildTimeoutMs });
}

/** Asks for one build, of an app that was made without any. */
async function build(service: InProcessService, title: string): Promise<number> {
  const id = await upload(service, PAGE, { title });
  const { store, builds } = service.service;
  store.transaction(() => {
    builds.cancel(id);
    store.run('DELETE FROM builds WHERE appId = ?', id);
    builds.request(id, [PLATFORM]);
  });
  return id;
}

/** What an app's build has to end with, by its fault. */
const FAILURES: Readonly<Record<string, string>> = {
  killed: 'The build command was ended by SIGKILL.',
  'artifact missing': 'The build command left no file in APP_BUILD_OUTPUT.',
  'artifact empty': 'The artifact of the build is empty.',
  'artifact a link': 'What the build made is no plain file.',
};

export async function failingBuilders(): Promise<readonly Row[]> {
  const service = await start(MAX_BUILD_MS);
  const rows: Row[] = [];
  for (const [fault, sentence] of Object.entries(FAILURES)) {
    const begin = performance.now();
    const error = (await endOfBuilds(service, await build(service, fault))).error[PLATFORM] ?? '';
    rows.push({
      ...{ group: 'builder', name: fault, expected: sentence, got: 'error', sentence: error },
      ...{ milliseconds: performance.now() - begin, within: MAX_BUILD_MS },
      problems: error === sentence ? [] : [`it says: ${error}`],
    });
  }
  rows.push(await replaced(service), await deleted(service));
  const problems = [...service.reports];
  await service.stop();
  return [...rows, await endless(), await flood(), { ...SILENCE, got: `${problems.length} lines`, problems }];
}

/** Faults of builders are no failures of the service. */
const SILENCE: Omit<Row, 'got' | 'problems'> = {
  ...{ group: 'builder', name: 'all of these', expected: 'the service reports no failure of its own' },
};

/** What is uploaded while the upload before is built is what is built. */
async function replaced(service: InProcessService): Promise<Row> {
  const begin = performance.now();
  const id = await build(service, 'slow');
  await untilLogged(service, id, 'begun');
  await upload(service, PAGE, { id, title: 'the second' });
  const { status } = await endOfBuilds(service, id);
  const got = (await download(service, id, PLATFORM)).bytes.toString();
  const isRight = status[PLATFORM] === 'complete' && got === 'built from the second';
  return {
    ...{ group: 'builder', name: 'an upload while one is built', expected: 'the second one is built' },
    ...{ got, milliseconds: performance.now() - begin, within: MAX_BUILD_MS },
    problems: isRight ? [] : [`${String(status[PLATFORM])}, ${got}`],
  };
}

/** An app that is deleted while it is built leaves nothing. */
async function deleted(service: InProcessService): Promise<Row> {
  const begin = performance.now();
  const id = await build(service, 'slow');
  await untilLogged(service, id, 'begun');
  const { logFile } = findBuild(service.service.store, id, PLATFORM) ?? {};
  const log = service.service.files.pathOf(logFile ?? '');
  await ask(service, `/apps/${id}`, { method: 'DELETE' });
  while ((await stat(log).catch(() => undefined)) !== undefined && performance.now() - begin < MAX_BUILD_MS) {
    await sleep(5);
  }
  return {
    ...{ group: 'builder', name: 'an app that is deleted while it is built', expected: 'its log is removed' },
    ...{ got: 'removed', milliseconds: performance.now() - begin, within: MAX_BUILD_MS, problems: [] },
  };
}

/** A builder that never ends, with one that it has started, is stopped. */
async function endless(): Promise<Row> {
  const service = await start(SHORT_TIMEOUT_MS);
  const begin = performance.now();
  const id = await build(service, 'never ends');
  const sentence = (await endOfBuilds(service, id)).error[PLATFORM] ?? '';
  const milliseconds = performance.now() - begin;
  const pids = [...(await logOf(service, id, PLATFORM)).matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid));
  await Promise.all(pids.map(processEnd));
  await service.stop();
  return {
    ...{ group: 'builder', name: 'never ends, nor what it starts', expected: 'stopped when its time is up' },
    ...{ got: `${pids.length} processes ended`, sentence, milliseconds, within: SHORT_TIMEOUT_MS + 5_000 },
    problems: sentence === 'The build took longer than 0.05 minutes and was stopped.' ? [] : [`it says: ${sentence}`],
  };
}

/** A builder that logs without end costs neither memory nor disk, and others are answered. */
async function flood(): Promise<Row> {
  const service = await start(SHORT_TIMEOUT_MS);
  const before = process.memoryUsage.rss();
  const begin = performance.now();
  const id = await build(service, '10 GiB of log');
  let [slowest, memory] = [0, 0];
  for (let ended = false; !ended;) {
    const asked = performance.now();
    const state = (await ask(service, `/apps/${id}/status`)) as { readonly completed: boolean };
    slowest = Math.max(slowest, performance.now() - asked);
    memory = Math.max(memory, process.memoryUsage.rss() - before);
    ended = state.completed;
    await sleep(20);
  }
  const { logFile } = findBuild(service.service.store, id, PLATFORM) ?? {};
  const { size } = await stat(service.service.files.pathOf(logFile ?? ''));
  await service.stop();
  return {
    ...{ group: 'builder', name: '10 GiB of log', expected: 'at most 4 MiB of log; others are answered' },
    got: `${size} bytes; ${(memory / 1e6).toFixed(0)} MB more memory; slowest other client ${slowest.toFixed(0)} ms`,
    ...{ milliseconds: performance.now() - begin, within: SHORT_TIMEOUT_MS + 5_000 },
    problems: [
      ...(size > MAX_LOG_BYTES / 2 && size < MAX_LOG_BYTES + 1_000 ? [] : ['the log has another size']),
      ...(memory < MAX_MEMORY_BYTES ? [] : ['it takes memory']),
      ...(slowest < MAX_OTHER_MS ? [] : ['others have to wait']),
    ],
  };
}

async function untilLogged(service: InProcessService, id: number, line: string): Promise<void> {
  while (!(await logOf(service, id, PLATFORM)).includes(line)) {
    await sleep(5);
  }
}
