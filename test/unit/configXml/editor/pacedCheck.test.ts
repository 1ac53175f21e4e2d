import assert from 'node:assert/strict';
import { once, EventEmitter } from 'node:events';
import { mock } from 'node:test';
import { PacedCheck } from '../../../../src/configXml/editor/pacedCheck.ts';

describe('the check of a document', () => {
  it('runs one at a time; what has become stale is dropped, and checked once more', async () => {
    const events = new EventEmitter();
    const stale: boolean[] = [];
    let running = 0;
    let most = 0;
    const check = new PacedCheck(async (isStale) => {
      most = Math.max(most, (running += 1));
      await once(events, 'go on');
      running -= 1;
      stale.push(isStale());
      events.emit('ended');
    });
    check.now();
    check.now();
    check.now();
    for (let run = 0; run < 2; run++) {
      const ended = once(events, 'ended');
      events.emit('go on');
      await ended;
      await new Promise(setImmediate);
    }
    assert.deepEqual([stale, most, running], [[true, false], 1, 0]);
    check.dispose();
  });

  it('runs once, a moment after the last key', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let runs = 0;
      const check = new PacedCheck(() => Promise.resolve(void (runs += 1)));
      for (let key = 0; key < 8; key++) {
        check.soon();
        mock.timers.tick(199);
      }
      assert.equal(runs, 0, 'somebody types');
      mock.timers.tick(1);
      assert.equal(runs, 1);
      mock.timers.tick(1_000);
      assert.equal(runs, 1);
    } finally {
      mock.timers.reset();
    }
  });

  it('does not run after it is disposed', async () => {
    const events = new EventEmitter();
    const stale: boolean[] = [];
    const check = new PacedCheck(async (isStale) => {
      await once(events, 'go on');
      stale.push(isStale());
    });
    check.now();
    check.now();
    check.dispose();
    events.emit('go on');
    await new Promise(setImmediate);
    check.now();
    events.emit('go on');
    await new Promise(setImmediate);
    assert.deepEqual(stale, [true]);
  });
});
