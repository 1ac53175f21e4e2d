/** What many tests need before they run, as hooks of their `describe`. */
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { InProcessService } from './inProcessService.ts';

/** One service for all tests of a `describe`. It is there in tests and hooks alone, and must report no failure of its own. */
export function serviceOfTests<T extends InProcessService>(open: () => Promise<T>): T {
  return hooked(open, before, after);
}

/** As {@link serviceOfTests}, another one for each test. */
export function serviceOfEachTest<T extends InProcessService>(open: () => Promise<T>): T {
  return hooked(open, beforeEach, afterEach);
}

function hooked<T extends InProcessService>(
  open: () => Promise<T>,
  begin: (hook: () => Promise<void>) => void,
  end: (hook: () => Promise<void>) => void,
): T {
  const service = {} as T;
  begin(async () => {
    Object.assign(service, await open());
  });
  end(async () => {
    await service.stop();
    assert.deepEqual(service.reports, []);
  });
  return service;
}

/** Makes an empty folder for each test, and removes it afterwards with all that is in it. */
export function folderOfEachTest(onMade: (folder: string) => unknown): void {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'app-build-test-')));
    await onMade(folder);
  });
  afterEach(() => rm(folder, { recursive: true, maxRetries: 3 }));
}

/** As {@link folderOfEachTest}; the temporary files of this process go there, so that what is in it was left behind. */
export function temporaryFolderOfEachTest(onMade: (folder: string) => unknown): void {
  let restore = (): void => undefined;
  folderOfEachTest((folder) => {
    restore = changeEnvironment({ TMPDIR: folder, TEMP: folder, TMP: folder });
    return onMade(folder);
  });
  afterEach(() => restore());
}

/** Does something in a process whose environment has these variables, too. */
export async function withEnvironment<T>(
  variables: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const restore = changeEnvironment(variables);
  try {
    return await work();
  } finally {
    restore();
  }
}

/** @returns what brings back the environment from before */
function changeEnvironment(variables: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) {
        Reflect.deleteProperty(process.env, name);
      } else {
        process.env[name] = value;
      }
    }
  };
}
