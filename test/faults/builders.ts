import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { MAX_LOG_BYTES } from '../../src/build-service/limits.ts';
import { findBuild } from '../../src/build-service/store/builds.ts';
import { ask, waitForBuilds, PAGE, upload } from '../support/builds.ts';
import { startInProcess } from '../support/inProcessService.ts';
import { createProgramBuilder } from '../support/programBuilder.ts';
import { repositoryRoot } from '../support/repository.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { type Row, measured } from './measured.ts';

const PLATFORM = 'browser';
const MAX_MEMORY_BYTES = 150_000_000;
const QUESTIONS = 50;

/** Checks that a builder that logs endlessly uses neither memory nor disk, and that other requests get responses. */
export function floodedLog(): Promise<Row> {
  const row = { group: 'builder', name: 'an endless log', expected: 'at most 4 MiB of log; others are answered' };
  return measured(row, async () => {
    const program = join(repositoryRoot, 'test/faults/builderProgram.ts');
    const service = await startInProcess({ builder: createProgramBuilder([program]) });
    const { store, builds, files } = service.service;
    const id = await upload(service, PAGE, { title: 'a log without end' });
    // The upload requested a build for every platform. One build is enough for this test.
    store.transaction(() => {
      builds.cancel(id);
      store.run('DELETE FROM builds WHERE appId = ?', id);
      builds.request(id, [PLATFORM]);
    });
    const logSize = async (): Promise<number> => {
      const { logFile } = findBuild(store, id, PLATFORM) ?? {};
      return logFile ? ((await stat(files.getPath(logFile)).catch(() => undefined))?.size ?? 0) : 0;
    };
    const before = process.memoryUsage.rss();
    await waitUntil(async () => (await logSize()) >= MAX_LOG_BYTES);
    let [memory, answered] = [0, 0];
    for (let count = 0; count < QUESTIONS; count += 1) {
      const { completed } = (await ask(service, `/apps/${id}/status`)) as { readonly completed: boolean };
      answered += completed ? 0 : 1;
      memory = Math.max(memory, process.memoryUsage.rss() - before);
    }
    await ask(service, `/apps/${id}/build/${PLATFORM}`, { method: 'DELETE' });
    await waitForBuilds(service, id);
    const size = await logSize();
    await service.stop();
    return {
      got: `${size} bytes; ${(memory / 1e6).toFixed(0)} MB more memory; others were answered ${answered} times`,
      problems: [
        ...(size >= MAX_LOG_BYTES && size < MAX_LOG_BYTES + 1_000 ? [] : ['the log has another size']),
        ...(memory < MAX_MEMORY_BYTES ? [] : ['it takes memory']),
        ...(answered === QUESTIONS ? [] : ['it has ended']),
        ...service.reports,
      ],
    };
  });
}
