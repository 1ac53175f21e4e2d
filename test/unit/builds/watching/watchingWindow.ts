import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { AppCalls } from '../../../../src/apps/calls/appCalls.ts';
import type { BuildServiceClient } from '../../../../src/api/client.ts';
import type { BuildProgress, WatchEnd } from '../../../../src/builds/watching/buildProgress.ts';
import { Watches, type Access } from '../../../../src/builds/watching/watches.ts';
import { SharedWatches } from '../../../../src/builds/watching/sharedWatches.ts';
import type { ManualClock } from '../../../support/manualClock.ts';
import { MapMemento } from '../../../support/mapMemento.ts';
import { addCleanup } from '../../../support/servers.ts';

/** What the windows of a person share. */
export interface Shared {
  readonly globalState: MapMemento;
  /** Path of the folder of claims. */
  readonly folder: string;
}

/** What windows share, until `cleanUp`. */
export async function sharedByWindows(): Promise<Shared> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'app-build-watching-'));
  addCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return { globalState: new MapMemento(), folder };
}

/** A window that watches, without VS Code. */
export class WatchingWindow {
  readonly calls: AppCalls;
  readonly watches: Watches;
  readonly ends: { readonly appUrl: string; readonly end: WatchEnd }[] = [];
  readonly changes: BuildProgress[] = [];
  readonly failures: unknown[] = [];
  access: Access;
  readonly #clock: ManualClock;

  constructor(client: BuildServiceClient, { globalState, folder }: Shared, clock: ManualClock) {
    this.#clock = clock;
    this.calls = new AppCalls(client);
    this.access = { kind: 'signedIn', account: 'ann', origin: client.service.origin, calls: this.calls };
    this.watches = new Watches({
      shared: new SharedWatches(globalState, folder),
      clock,
      access: () => Promise.resolve(this.access),
      listener: {
        changed: (progress) => this.changes.push(progress),
        ended: (appUrl, end) => this.ends.push({ appUrl, end }),
        allChanged: () => undefined,
        failed: (error) => this.failures.push(error),
      },
    });
    this.watches.setActive(true);
    this.watches.start();
    addCleanup(() => this.#close());
  }

  /** Lets time pass for this window. */
  advance(milliseconds: number): Promise<void> {
    return this.#clock.advance(milliseconds, () => this.watches.settled());
  }

  async #close(): Promise<void> {
    this.watches.dispose();
    await this.watches.settled();
  }

  get only(): BuildProgress {
    const [progress] = this.watches.all;
    if (progress === undefined) {
      throw new Error('Nothing is watched.');
    }
    return progress;
  }
}

/** Waits for several windows. */
export async function allSettled(windows: readonly WatchingWindow[]): Promise<void> {
  for (const { watches } of windows) {
    await watches.settled();
  }
}
