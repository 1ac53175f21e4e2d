import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EventEmitter } from 'vscode';
import { NetworkError, Redactor, ServiceError } from '../../../../../../src/service-client/index.ts';
import { logUpdates, readLog } from '../../../../../../src/extension/apps/builds/logs/followLog.ts';
import type { LogPart } from '../../../../../../src/extension/apps/model/build.ts';

type Answer = LogPart | Error;

const part = (text: string, nextOffset?: number, completed?: boolean): LogPart => ({ text, nextOffset, completed });
const end = (text = '', nextOffset?: number): LogPart => part(text, nextOffset, true);
const redactor = new Redactor();
redactor.add('a-secret-of-mine');
const hideSecrets = (text: string) => redactor.hideSecrets(text);

/** Creates a clock that advances as soon as a caller waits, and records the waits. */
function fastClock() {
  const waits: number[] = [];
  const after = (milliseconds: number, run: () => void) => {
    waits.push(milliseconds);
    const timer = setImmediate(run);
    return { dispose: () => clearImmediate(timer) };
  };
  return { waits, clock: { now: () => 0, after } };
}

/** Returns the given responses in turn and records the requested offsets. */
function answering(...answers: readonly Answer[]) {
  const left = [...answers];
  const offsets: (number | undefined)[] = [];
  const read = (offset: number | undefined): Promise<LogPart> => {
    offsets.push(offset);
    const answer = left.shift();
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? end());
  };
  return { log: { read, hideSecrets }, offsets };
}

async function getUpdates(answers: readonly Answer[]) {
  const { log: unread, offsets } = answering(...answers);
  const { clock, waits } = fastClock();
  const updates: string[] = [];
  const { signal } = new AbortController();
  for await (const { text, startsOver } of logUpdates(unread, { signal, clock })) {
    updates.push(startsOver ? `over:${text}` : text);
  }
  return { updates, offsets, waits };
}

describe('following a log', () => {
  it('reads from the end of the previous part, and yields whole lines', async () => {
    const { updates, offsets } = await getUpdates([part('a\nb', 3), part('c\n', 5), part('', 5), end('d', 6)]);
    assert.deepEqual(updates, ['a\n', 'bc\n', 'd\n']);
    assert.deepEqual(offsets, [undefined, 3, 5, 5]);
  });

  it('yields only the new lines when the service sends the complete log every time', async () => {
    const { updates, offsets } = await getUpdates([part('a\n'), part('a\nb\n'), part('a\nb\n'), end('a\nb\nc')]);
    assert.deepEqual(updates, ['a\n', 'b\n', 'c\n']);
    assert.deepEqual(offsets, [undefined, undefined, undefined, undefined]);
  });

  it('starts over when the service replaces the log', async () => {
    assert.deepEqual((await getUpdates([part('a\nb\n'), part('c\n'), end('c\nd\n')])).updates, [
      'a\nb\n',
      'over:c\n',
      'd\n',
    ]);
    const { updates, offsets } = await getUpdates([part('a\nb\n', 4), part('', 0), part('c\n', 2), end('', 2)]);
    assert.deepEqual(updates, ['a\nb\n', 'over:', 'c\n']);
    assert.deepEqual(offsets, [undefined, 4, undefined, 2]);
  });

  it('reports an empty log', async () => {
    assert.deepEqual((await getUpdates([part(''), part(''), end()])).updates, ['']);
  });

  it('waits longer while no data arrives, and doesn’t wait while large parts arrive', async () => {
    const long = `${'x'.repeat(200_000)}\n`;
    const { waits } = await getUpdates([part('a\n', 2), part('', 2), part('', 2), part(long, 9), end()]);
    assert.deepEqual(waits, [1_000, 1_500, 2_250]);
  });

  it('continues after temporary failures, and respects the delay of a busy service', async () => {
    const passing = [
      new ServiceError(429, undefined, { retryAfter: 20 }),
      ...[1, 2, 3, 4, 5].map(() => new ServiceError(503, undefined)),
      part('a\n', 2),
      new NetworkError('reset', 'host'),
      new ServiceError(500, undefined),
    ];
    const { updates, waits } = await getUpdates([...passing, end('b\n', 4)]);
    assert.deepEqual(updates, ['a\n', 'b\n']);
    assert.deepEqual(waits, [20_000, 4_000, 8_000, 15_000, 15_000, 15_000, 1_000, 2_000, 4_000]);
  });

  it('gives up after four failures, or immediately after a permanent one', async () => {
    const failure = new NetworkError('reset', 'host');
    await assert.rejects(getUpdates(Array<Error>(4).fill(failure)), failure);
    await assert.rejects(getUpdates([new ServiceError(403, undefined)]), { status: 403 });
  });

  it('reads immediately when the log changes, and ends during a pause when the caller aborts', async () => {
    const controller = new AbortController();
    const changed = new EventEmitter<void>();
    const { log: unread, offsets } = answering(part('a\n', 2), part('b\n', 4), part('c\n', 6));
    const never = { now: () => 0, after: () => ({ dispose: () => undefined }) };
    const { signal } = controller;
    const updates = logUpdates(unread, { signal, onDidChange: changed.event, clock: never });
    const nextText = async () => {
      const result = await updates.next();
      return result.done === true ? undefined : result.value.text;
    };
    assert.equal(await nextText(), 'a\n');
    const second = nextText();
    await new Promise((resolve) => setImmediate(resolve));
    changed.fire();
    assert.equal(await second, 'b\n');
    const third = nextText();
    controller.abort();
    assert.equal(await third, undefined);
    assert.equal(offsets.length, 2);
  });

  it('hides a secret that arrives in two parts or has a color code inside', async () => {
    const answers = [part('a a-secret', 5), part('-of-mine\n', 9), end('a-secret\u001b[1m-of-mine\n', 20)];
    assert.deepEqual((await getUpdates(answers)).updates, ['', 'a ***\n', '***\n']);
  });

  it('keeps addresses unchanged so that they can be copied, and removes control sequences', async () => {
    const { updates } = await getUpdates([end('https://b \u001b[31mred\u001b[0m\u001b]52;c;aGk=\u0007 e: //f C:/g\n')]);
    assert.deepEqual(updates, ['https://b red e: //f C:/g\n']);
  });

  it('yields the same lines however the log is split', async () => {
    const log = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u001b', '[', 'm', 'é') });
    await fc.assert(
      fc.asyncProperty(log, fc.array(fc.nat(40)), async (text, cuts) => {
        const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b);
        const parts = places.map((place, index) => part(text.slice(places[index - 1] ?? 0, place), place));
        const rest = end(text.slice(places.at(-1) ?? 0), text.length);
        const whole = await getUpdates([end(text, text.length)]);
        const cut = await getUpdates([...parts, rest]);
        assert.equal(cut.updates.join(''), whole.updates.join(''));
      }),
      { numRuns: 50 },
    );
  });
});

describe('the current text of a log', () => {
  it('returns the incomplete last line, the errors, and new text, without waiting', async () => {
    const { log: unread, offsets } = answering(
      part('one\r\n\u001b[31merror: no\u001b[0m\nkey a-secret-', 30),
      part('of-mine', 40),
      part('', 40),
    );
    const { log, isComplete } = await readLog(unread);
    assert.deepEqual(log.lines, ['one', 'error: no', 'key ***']);
    assert.deepEqual(log.errors, [{ line: 1, text: 'error: no' }]);
    assert.deepEqual([isComplete, offsets], [undefined, [undefined, 30, 40]]);
  });

  it('returns an empty text if no log exists', async () => {
    const { log, isComplete } = await readLog(answering(end()).log);
    assert.deepEqual([log.lines, isComplete], [[], true]);
  });
});
