/**
 * A program that builds an app twice, the first time with a fault: `node faultyBuilds.ts FAULT`. It prints a {@link FaultyBuild}. It's a
 * separate process because the service listens for uncaught errors.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import fs, { writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildJob, BuildResult } from '../../src/build-service/builds/builder.ts';
import { handleLateFaults } from '../../src/build-service/builds/buildFaults.ts';
import { createBuilder, waitForBuilds, PAGE, upload } from './builds.ts';
import { openInProcess } from './inProcessService.ts';
import { waitUntil } from './waitUntil.ts';

export interface FaultyBuild {
  /** Error message of the faulty build. */
  readonly error: string | undefined;
  /** Status of the next build. */
  readonly next: string | null | undefined;
  readonly reports: readonly string[];
}

/** Creates an artifact after the fault, if any. */
async function build({ workFolder }: BuildJob): Promise<BuildResult> {
  await writeFile(path.join(workFolder, 'artifact'), 'artifact');
  return { path: path.join(workFolder, 'artifact'), fileName: 'artifact' };
}

const never = (): Promise<BuildResult> => new Promise(() => undefined);
const emitError = (): unknown => new EventEmitter().emit('error', new Error('emitted late'));
const asyncFault = async (): Promise<never> => {
  await new Promise(setImmediate);
  throw new Error('rejected late');
};

/** Runs after a build has ended, as if the build had started it. */
let afterEnd: () => unknown = () => undefined;

/** Builders by fault. */
const BUILDERS: Readonly<Record<string, (job: BuildJob) => Promise<BuildResult>>> = {
  'builder throws': () => {
    throw new Error('thrown');
  },
  'builder emits an error late': () => {
    setTimeout(emitError, 1);
    return never();
  },
  'builder rejects late': () => {
    void asyncFault();
    return never();
  },
  'builder emits an error after its end': (job) => {
    afterEnd = AsyncLocalStorage.bind(() => setTimeout(emitError, 1));
    return build(job);
  },
};

/** Linux has a device for this. */
export const FULL_DISK = 'disk is full while a package is unpacked';

export const FAULTS: readonly string[] = [
  ...Object.keys(BUILDERS),
  ...(process.platform === 'linux' ? [FULL_DISK] : []),
];

async function run(fault: string): Promise<FaultyBuild> {
  let faulty = true;
  const service = await openInProcess({
    builder: createBuilder((job) => (faulty ? (BUILDERS[fault] ?? build)(job) : build(job)), {
      ios: 'Not here.',
      winphone: 'Not here.',
      browser: 'Not here.',
    }),
  });
  const { reports } = service;
  if (fault === FULL_DISK) {
    const { open } = fs;
    const isUnpacked = (file: unknown): boolean => faulty && String(file).includes(`${path.sep}source${path.sep}`);
    fs.open = (file, ...args) => (isUnpacked(file) ? open('/dev/full', 'w') : open(file, ...args));
    syncBuiltinESMExports();
  }
  handleLateFaults((line) => (reports as string[]).push(line));
  const id = await upload(service, PAGE);
  const { error } = await waitForBuilds(service, id);
  afterEnd();
  await waitUntil(() => reports.length > 0);
  faulty = false;
  await upload(service, PAGE, { id });
  const { status } = await waitForBuilds(service, id);
  await service.stop();
  return { error: error.android, next: status.android, reports };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${JSON.stringify(await run(process.argv[2] ?? ''))}\n`);
}
