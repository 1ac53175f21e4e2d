/** Hooks that many tests share. */
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { InProcessService } from './inProcessService.ts';

/**
 * Opens one service for all tests of a `describe`. Available only in tests and hooks. Fails if the service reports a failure of its own.
 */
export function useService<T extends InProcessService>(open: () => Promise<T>): T {
  return hooked(open, before, after);
}

/** Like {@link useService}, with a new service for each test. */
export function useServiceForEachTest<T extends InProcessService>(open: () => Promise<T>): T {
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

/** Creates an empty folder for each test and removes it with its content afterward. */
export function useFolderForEachTest(onMade: (folder: string) => unknown): void {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'app-build-test-')));
    await onMade(folder);
  });
  afterEach(() => rm(folder, { recursive: true, maxRetries: 3 }));
}

/**
 * Like {@link useFolderForEachTest}, but this process also writes its temporary files there, so a test can check that none
 * are left.
 */
export function useTemporaryFolderForEachTest(onMade: (folder: string) => unknown): void {
  let restore = (): void => undefined;
  useFolderForEachTest((folder) => {
    restore = changeEnvironment({ TMPDIR: folder, TEMP: folder, TMP: folder });
    return onMade(folder);
  });
  afterEach(() => restore());
}

/** Runs a function while this process has additional environment variables. */
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

/** Sets environment variables. @returns a function that restores the environment */
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
