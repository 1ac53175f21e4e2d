import { setTimeout } from 'node:timers/promises';
import type { AppCalls } from '../../src/extension/apps/calls/appCalls.ts';
import type { App } from '../../src/extension/apps/model/app.ts';
import { nextPollAt, readProgress } from '../../src/extension/apps/builds/watching/buildProgress.ts';

/** Waits until an app's Android build has ended. Polls as often as a window does. */
export async function untilBuilt(calls: AppCalls, app: App): Promise<void> {
  const startedAt = Date.now();
  for (let askedAt: number | undefined, isEnded = false; !isEnded;) {
    const history = { startedAt, askedAt, failures: 0, notBefore: 0 };
    await setTimeout(Math.max(0, nextPollAt(history, { isActive: true, atOnce: false }) - Date.now()));
    // The first time, the state in the response to the creation is sufficient.
    const isCurrent = askedAt === undefined;
    askedAt = Date.now();
    ({ isEnded } = await readProgress(calls, app.url, ['android'], app, new AbortController().signal, isCurrent));
  }
}
