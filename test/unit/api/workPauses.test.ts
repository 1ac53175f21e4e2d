import assert from 'node:assert/strict';

import { WorkPauses } from '../../../src/api/workPauses.ts';

/** Turns of the event loop while some work is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function turn(): void {
    turns += 1;
    next = setImmediate(turn);
  });
  await work();
  clearImmediate(next);
  return turns;
}

function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

describe('pauses of work', () => {
  it('come once it has taken some milliseconds, not before', async () => {
    const pauses = new WorkPauses();
    const turns = await turnsDuring(async () => {
      for (let piece = 0; piece < 10; piece += 1) {
        await pauses.pauseIfDue();
        work(11);
      }
    });
    assert.ok(turns >= 9, `${turns} turns`);
    const idle = new WorkPauses();
    assert.ok((await turnsDuring(async () => Promise.all(Array.from({ length: 10 }, () => idle.pauseIfDue())))) <= 1);
  });

  it('are shared by works that go on at once: not each of them has a turn of its own', async () => {
    const pauses = new WorkPauses();
    let turns = 0;
    let longest = 0;
    let inTurn = 0;
    let next = setImmediate(function turn(): void {
      turns += 1;
      inTurn = 0;
      next = setImmediate(turn);
    });
    const worker = async (): Promise<void> => {
      for (let piece = 0; piece < 5; piece += 1) {
        await pauses.do(() => {
          inTurn += 1;
          longest = Math.max(longest, inTurn);
          work(6);
        });
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    clearImmediate(next);
    assert.ok(longest <= 4, `${longest} pieces in one turn, ${turns} turns`);
  });
});
