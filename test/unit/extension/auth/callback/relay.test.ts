import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CALLBACK_PATH } from '../../../../../src/extension/auth/callback/callback.ts';
import { CallbackHandler, CallbackRelay } from '../../../../../src/extension/auth/callback/callbackHandler.ts';
import type { Log } from '../../../../../src/extension/workbench/log.ts';
import { next, until } from '../../../../support/events.ts';
import { MapSecrets } from '../../../../support/mapSecrets.ts';

/** Two windows share only SecretStorage. Here, each is a handler with its own relay. */
describe('a callback that arrives in another window', () => {
  const parts: { dispose(): unknown }[] = [];
  const log = { warn: () => undefined } as unknown as Log;
  let secrets: MapSecrets;

  beforeEach(() => {
    secrets = new MapSecrets();
  });

  afterEach(() => {
    for (const part of parts.splice(0)) {
      part.dispose();
    }
  });

  const openWindow = () => {
    const callbacks = new CallbackHandler(log);
    parts.push(new CallbackRelay(secrets, callbacks, log), callbacks);
    return callbacks;
  };
  const deliver = (callbacks: CallbackHandler, query: string) =>
    callbacks.handleUri(vscode.Uri.from({ scheme: 'vscode', authority: 'app-build.test', path: CALLBACK_PATH, query }));
  const relayed = async () => (await secrets.keys()).filter((key) => key.startsWith('relay/'));
  const untilNothingLies = () => until(secrets.onDidChange, async () => (await relayed()).length === 0);
  const waiting = (callbacks: CallbackHandler, state: string, signal = new AbortController().signal) => {
    const answer = callbacks.pending.wait(
      {
        origin: 'https://build.example.com',
        state,
        stateRequired: true,
        page: 'https://build.example.com/authorize',
        confirm: () => Promise.resolve(false),
      },
      signal,
    );
    answer.catch(() => undefined);
    return answer;
  };
  /** Waits until the other windows can see that this many sign-ins are pending. */
  const untilMarked = (count: number) => until(secrets.onDidChange, async () => (await relayed()).length >= count);

  it('is passed to the waiting window, and leaves no data in storage', async () => {
    const [waits, topmost] = [openWindow(), openWindow()];
    const answer = waiting(waits, 'state-of-the-first');
    await untilMarked(1);
    deliver(topmost, 'code=abcd1234&state=state-of-the-first');
    assert.deepEqual(await answer, {
      kind: 'code',
      code: 'abcd1234',
      state: 'state-of-the-first',
      stateVerified: true,
    });
    await untilNothingLies();
  });

  it('isn’t stored while no window waits', async () => {
    const topmost = openWindow();
    const changed = await changesAfter(() => deliver(topmost, 'code=abcd1234&state=nobody'));
    assert.deepEqual(changed, []);
  });

  it('isn’t stored if it’s forged, because no window waits for its state', async () => {
    const [waits, topmost] = [openWindow(), openWindow()];
    const cancel = new AbortController();
    const answer = waiting(waits, 'the-true-state', cancel.signal);
    await untilMarked(1);
    const changed = await changesAfter(() => {
      deliver(topmost, 'code=abcd1234&state=forged');
      deliver(topmost, 'code=abcd1234');
      deliver(topmost, 'error=authorization_refused');
    });
    assert.deepEqual(changed, []);
    cancel.abort();
    await assert.rejects(answer);
    await untilNothingLies();
  });

  it('is passed to the waiting window even if forged callbacks follow immediately', async () => {
    const [waits, topmost] = [openWindow(), openWindow()];
    const answer = waiting(waits, 'the-true-state');
    await untilMarked(1);
    deliver(topmost, 'code=abcd1234&state=the-true-state');
    deliver(topmost, 'code=efgh5678&state=forged');
    deliver(topmost, 'error=authorization_refused');
    const { kind, stateVerified } = await answer;
    assert.deepEqual([kind, stateVerified], ['code', true]);
    await untilNothingLies();
  });

  /** Returns the relay's keys that are written during `action`. */
  const changesAfter = async (action: () => void): Promise<string[]> => {
    const changed: string[] = [];
    parts.push(secrets.onDidChange(({ key }) => changed.push(key)));
    action();
    // These are more steps than the relay needs, so the relay writes everything before the last one.
    for (let step = 0; step < 20; step += 1) {
      const probe = next(secrets.onDidChange, ({ key }) => key === 'probe');
      await secrets.store('probe', 'x');
      await probe;
      await secrets.delete('probe');
    }
    return changed.filter((key) => key.startsWith('relay/'));
  };

  it('is passed to the second waiting window after the first one finishes', async () => {
    const [first, second, topmost] = [openWindow(), openWindow(), openWindow()];
    const cancel = new AbortController();
    const [one, two] = [waiting(first, 'state-1', cancel.signal), waiting(second, 'state-2')];
    await untilMarked(2);
    const gone = next(secrets.onDidChange, ({ key }) => key.startsWith('relay/waiting/'));
    cancel.abort();
    await gone;
    deliver(topmost, 'code=efgh5678&state=state-2');
    await assert.rejects(one);
    assert.equal((await two).kind, 'code');
    await untilNothingLies();
  });
});
