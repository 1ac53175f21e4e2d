import assert from 'node:assert/strict';

import { SharedState } from '../../../../src/extension/workbench/sharedState.ts';

/** VS Code's copy of the state. The test decides when a write is echoed. */
class Copy {
  values: Record<string, unknown> = {};
  /** Value of each write. */
  readonly written: Record<string, unknown>[] = [];

  keys = (): readonly string[] => Object.keys(this.values).filter((key) => this.values[key] !== undefined);

  get(key: string, defaultValue?: unknown): unknown {
    return this.values[key] ?? defaultValue;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.values = { ...this.values, [key]: value };
    await Promise.resolve();
    this.written.push({ ...this.values });
  }

  /** Replaces the whole state with the echo of a write. */
  echo(index: number): void {
    this.values = { ...this.written[index] };
  }
}

describe('the state that all windows share', () => {
  it('returns the latest value before an earlier write is echoed', async () => {
    const copy = new Copy();
    const state = new SharedState(copy as never);
    await state.update('first', 1);
    await state.update('second', { a: [2] });
    copy.echo(0);
    assert.equal(copy.get('second'), undefined);
    assert.deepEqual(state.get('second'), { a: [2] });
    assert.deepEqual(state.keys().toSorted(), ['first', 'second']);
    await state.update('first', undefined);
    assert.equal(state.get('first', 'nothing'), 'nothing');
    assert.deepEqual(state.keys(), ['second']);
  });

  it('keeps every value when a write follows the echo of an earlier write', async () => {
    const copy = new Copy();
    const state = new SharedState(copy as never);
    await state.update('first', 1);
    await state.update('second', 2);
    copy.echo(0);
    await state.update('third', 3);
    assert.deepEqual(copy.written.at(-1), { first: 1, second: 2, third: 3 });
  });

  it('returns another window’s value if a write isn’t echoed in time', async () => {
    const copy = new Copy();
    const state = new SharedState(copy as never);
    const { now } = Date;
    try {
      await state.update('key', 'ours');
      copy.values = { key: 'theirs' };
      assert.equal(state.get('key'), 'ours');
      Date.now = () => now() + 11_000;
      assert.equal(state.get('key'), 'theirs');
    } finally {
      Date.now = now;
    }
  });
});
