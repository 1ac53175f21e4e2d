/** A load of uploads and builds during which the service is killed, and a check of the results. */
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { createZip } from '../support/appPackages.ts';
import { appsAtRest, ask, download, waitForBuilds, fetchLog, unzip, upload } from '../support/builds.ts';
import type { LocalService } from '../support/localService.ts';
import { waitUntil } from '../support/waitUntil.ts';

/** An app whose upload was acknowledged. */
interface UploadedApp {
  readonly id: number;
  /** Possible contents of its page: the last acknowledged upload, and the later ones. */
  readonly pages: readonly string[];
  /** `undefined`: no deletion was requested. `false`: it was requested but not acknowledged. */
  readonly isDeleted: boolean | undefined;
}

export interface AppLoad {
  /** Creates and changes apps in sequence until the service stops. Calls `acknowledge` for each app. */
  readonly run: (service: LocalService, acknowledge: () => void) => Promise<void>;
  /** Returns the number of acknowledged writes. */
  readonly count: () => number;
  /** Compares the results with a service's apps. @returns the problems */
  readonly check: (service: LocalService) => Promise<readonly string[]>;
}

/** Selects the action of the builder process. */
const TITLE = 'packed';
const FILE_BYTES = 200_000;
/** Platform of all builds. */
const PLATFORM = 'android';

export function createAppLoad(): AppLoad {
  const apps = new Map<number, UploadedApp>();
  let acknowledged = 0;
  const getFiles = async (page: string): Promise<Record<string, string | Buffer>> => ({
    'config.xml': `<widget id="com.example.crash" version="1.0.0"><name>Crash</name></widget>`,
    'www/index.html': page,
    'www/data.bin': randomBytes(FILE_BYTES),
    // The builder process returns this file as the result of a build.
    'packed.zip': await createZip({ 'www/index.html': page }),
  });

  const round = async (service: LocalService, acknowledge: () => void): Promise<void> => {
    const first = randomBytes(8).toString('hex');
    const id = await upload(service, await getFiles(first), { title: TITLE });
    acknowledged += 1;
    acknowledge();
    const app: UploadedApp = { id, pages: [first], isDeleted: undefined };
    apps.set(id, app);
    const second = randomBytes(8).toString('hex');
    apps.set(id, { ...app, pages: [first, second] });
    await upload(service, await getFiles(second), { id, title: TITLE });
    apps.set(id, { ...app, pages: [second] });
    await ask(service, `/apps/${id}/build/android`, { method: 'POST' });
    acknowledged += 2;
    if (Math.random() < 0.3) {
      apps.set(id, { ...app, isDeleted: false });
      await ask(service, `/apps/${id}`, { method: 'DELETE' });
      apps.set(id, { ...app, isDeleted: true });
      acknowledged += 1;
    }
  };

  return {
    run: async (service, acknowledge) => {
      try {
        for (;;) {
          await round(service, acknowledge);
        }
      } catch {
        // The service has stopped.
      }
    },
    count: () => acknowledged,
    check: async (service) => {
      const problems: string[] = [];
      for (const app of apps.values()) {
        const problem = await checkApp(service, app).catch((error: unknown) => String(error));
        problems.push(...(problem === undefined ? [] : [`app ${app.id}: ${problem}`]));
      }
      apps.clear();
      return problems;
    },
  };
}

/** Compares an app with the service's app. @returns the problems */
async function checkApp(service: LocalService, { id, pages, isDeleted }: UploadedApp): Promise<string | undefined> {
  const { error } = (await ask(service, `/apps/${id}`)) as { readonly error: unknown };
  if (typeof error === 'string') {
    return isDeleted === undefined ? `it is lost: ${error}` : undefined;
  }
  if (isDeleted === true) {
    return 'it was deleted, and is there';
  }
  const built = await waitForBuilds(service, id);
  if (built.status[PLATFORM] !== 'complete') {
    return `its build is ${String(built.status[PLATFORM])}: ${built.error[PLATFORM] ?? ''}`;
  }
  const packed = await unzip((await download(service, id, PLATFORM)).bytes);
  const page = packed['assets/www/index.html'] ?? packed['www/index.html'] ?? '';
  if (isDeleted === undefined && !pages.includes(page)) {
    return 'it is built from another upload';
  }
  if (!(await fetchLog(service, id, PLATFORM)).endsWith(' bytes.\n')) {
    return 'the log of its build has no end';
  }
  return undefined;
}

/** Deletes all apps, and waits until the data folder contains none of their files. */
export async function deleteAll(service: LocalService, dataFolder: string): Promise<void> {
  for (const { id } of await appsAtRest(service)) {
    await ask(service, `/apps/${id}`, { method: 'DELETE' });
  }
  for (const name of ['files', 'work']) {
    await waitUntil(async () => (await readdir(join(dataFolder, name))).length === 0);
  }
}
