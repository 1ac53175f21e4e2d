import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';

import { SharedState } from '../../../../src/extension/workbench/sharedState.ts';

/** VS Code's copy of the state in a window. As in VS Code, a write sends the whole copy, and its confirmation replaces the copy. */
class Copy {
  values: Record<string, unknown> = {};
  /** The whole state after each write. */
  readonly written: Record<string, unknown>[] = [];
  /** Runs before a write is sent. */
  beforeSend = (): void => undefined;
  /** Runs when a write is confirmed. */
  afterWrite = (): void => undefined;

  keys = (): readonly string[] => Object.keys(this.values).filter((key) => this.values[key] !== undefined);

  get<T>(key: string, defaultValue?: T): T {
    return (this.values[key] ?? defaultValue) as T;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.values[key] = value;
    await setImmediate();
    this.beforeSend();
    const sent = { ...this.values };
    await setImmediate();
    this.values = { ...sent };
    this.written.push(sent);
    this.afterWrite();
  }
}

describe('the state that all windows share', () => {
  it('keeps each value that is set while another one is written', async () => {
    const copy = new Copy();
    const state = new SharedState(copy);
    const first = state.update('first', 1);
    await setImmediate();
    const second = state.update('second', { a: [2] });
    await Promise.all([first, second, state.update('third', 3)]);
    assert.deepEqual(copy.written.at(-1), { first: 1, second: { a: [2] }, third: 3 });
  });

  it('returns the latest value before it is written', async () => {
    const copy = new Copy();
    const state = new SharedState(copy);
    const value = { a: [2] };
    const writes = [state.update('first', 1), state.update('second', value), state.update('first', undefined)];
    value.a.push(3);
    assert.equal(copy.get('second'), undefined);
    assert.deepEqual([state.get('second'), state.get('first', 'nothing')], [{ a: [2] }, 'nothing']);
    assert.deepEqual(state.keys(), ['second']);
    await Promise.all(writes);
    assert.deepEqual([state.keys(), copy.keys()], [['second'], ['second']]);
  });

  it('writes a value again if another window’s write replaced it before it was sent', async () => {
    const copy = new Copy();
    const state = new SharedState(copy);
    copy.beforeSend = () => {
      copy.values = { theirs: 1 };
      copy.beforeSend = () => undefined;
    };
    await state.update('ours', 2);
    assert.deepEqual(copy.written.at(-1), { theirs: 1, ours: 2 });
  });

  it('returns another window’s value after its own was written', async () => {
    const copy = new Copy();
    const state = new SharedState(copy);
    await state.update('key', 'ours');
    copy.values = { key: 'theirs' };
    assert.equal(state.get('key'), 'theirs');
  });

  it('writes a value that is set at any moment around the end of a write', async () => {
    for (let turns = 0; turns < 12; turns += 1) {
      const copy = new Copy();
      const state = new SharedState(copy);
      let confirmed = (): void => undefined;
      const confirmation = new Promise<void>((resolve) => (confirmed = resolve));
      copy.afterWrite = confirmed;
      const first = state.update('first', 1);
      await confirmation;
      for (let turn = 0; turn < turns; turn += 1) {
        await Promise.resolve();
      }
      await Promise.all([first, state.update('second', 2)]);
      assert.equal(copy.get('second'), 2, `${turns} turns after the confirmation`);
    }
  });

  it('fails every pending update if VS Code can’t write, and writes the next one', async () => {
    const copy = new Copy();
    const state = new SharedState(copy);
    copy.beforeSend = () => {
      copy.beforeSend = () => undefined;
      throw new Error('no storage');
    };
    const updates = [state.update('first', 1), state.update('second', 2)];
    await Promise.all(updates.map((update) => assert.rejects(update, /no storage/)));
    await state.update('third', 3);
    assert.equal(copy.get('third'), 3);
  });
});
