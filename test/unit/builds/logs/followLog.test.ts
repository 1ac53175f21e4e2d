import assert from 'node:assert/strict';
import fc from 'fast-check';
import { NetworkError } from '../../../../src/api/errors/connectionErrors.ts';
import { RateLimitedError, ServiceError } from '../../../../src/api/errors/serviceError.ts';
import { logUpdates, type FollowOptions } from '../../../../src/builds/logs/followLog.ts';
import { MAX_LINE_LENGTH } from '../../../../src/builds/logs/logLine.ts';
import { MAX_LINES } from '../../../../src/builds/logs/logParts.ts';
import { LogText } from '../../../../src/builds/logs/logText.ts';
import type { LogPart } from '../../../../src/apps/model/build.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

type Answer = LogPart | Error;

const part = (text: string, nextOffset?: number, completed?: boolean): LogPart => ({ text, nextOffset, completed });
const end = (text = '', nextOffset?: number): LogPart => part(text, nextOffset, true);
const pauses = { min: 1, max: 2 };

/** Answers in turn; the offsets that were asked for. */
function answering(...answers: readonly Answer[]) {
  const left = [...answers];
  const offsets: (number | undefined)[] = [];
  const read = (offset: number | undefined): Promise<LogPart> => {
    offsets.push(offset);
    const answer = left.shift();
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? end());
  };
  return { read, offsets };
}

async function updatesOf(answers: readonly Answer[], options: Partial<FollowOptions> = {}) {
  const { read, offsets } = answering(...answers);
  const updates: string[] = [];
  const { signal } = new AbortController();
  for await (const { text, startsOver } of logUpdates(read, { signal, pauses, ...options })) {
    updates.push(startsOver ? `over:${text}` : text);
  }
  return { updates, offsets };
}

describe('following a log', () => {
  it('reads from where the part before has ended, and yields whole lines', async () => {
    const { updates, offsets } = await updatesOf([part('a\nb', 3), part('c\n', 5), part('', 5), end('d', 6)]);
    assert.deepEqual(updates, ['a\n', 'bc\n', 'd\n']);
    assert.deepEqual(offsets, [undefined, 3, 5, 5]);
  });

  it('yields what is new of a log that comes as a whole each time', async () => {
    const { updates, offsets } = await updatesOf([part('a\n'), part('a\nb\n'), part('a\nb\n'), end('a\nb\nc')]);
    assert.deepEqual(updates, ['a\n', 'b\n', 'c\n']);
    assert.deepEqual(offsets, [undefined, undefined, undefined, undefined]);
  });

  it('starts over when a log has become another one', async () => {
    assert.deepEqual((await updatesOf([part('a\nb\n'), part('c\n'), end('c\nd\n')])).updates, [
      'a\nb\n',
      'over:c\n',
      'd\n',
    ]);
    const { updates, offsets } = await updatesOf([part('a\nb\n', 4), part('', 0), part('c\n', 2), end('', 2)]);
    assert.deepEqual(updates, ['a\nb\n', 'over:', 'c\n']);
    assert.deepEqual(offsets, [undefined, 4, undefined, 2]);
  });

  it('tells that it has read an empty log', async () => {
    assert.deepEqual((await updatesOf([part(''), part(''), end()])).updates, ['']);
  });

  it('goes on after 429, 503 and passing failures of the network', async () => {
    const passing = [
      new RateLimitedError(undefined, 0),
      new ServiceError(503, undefined),
      NetworkError.of('reset', 'host'),
      new ServiceError(500, undefined),
    ];
    assert.deepEqual((await updatesOf([part('a\n', 2), ...passing, end('b\n', 4)])).updates, ['a\n', 'b\n']);
  });

  it('waits as long as the service asks, and longer while nothing comes', async () => {
    const clock = new ManualClock();
    const answers = [new RateLimitedError(undefined, 20), part('a\n', 2), part('', 2), part('', 2), end('b\n', 4)];
    const following = updatesOf(answers, { clock, pauses: { min: 1_000, max: 2_000 } });
    for (const pause of [20_000, 1_000, 1_500, 2_000]) {
      await waitUntil(() => clock.next);
      assert.equal(clock.next, pause);
      await clock.advance(pause, () => Promise.resolve());
    }
    assert.deepEqual((await following).updates, ['a\n', 'b\n']);
  });

  it('gives up after five failures, and at once where there is no hope', async () => {
    const failure = NetworkError.of('reset', 'host');
    await assert.rejects(updatesOf(Array<Error>(5).fill(failure)), failure);
    await assert.rejects(updatesOf([new ServiceError(403, undefined)]), { status: 403 });
  });

  it('reads at once when something has changed, and ends its pause when it is aborted', async () => {
    const controller = new AbortController();
    let wake: () => void = () => undefined;
    const onDidChange = (listener: () => void) => {
      wake = listener;
      return { dispose: () => undefined };
    };
    const { read, offsets } = answering(part('a\n', 2), part('b\n', 4), part('c\n', 6));
    const options = { signal: controller.signal, onDidChange, pauses: { min: 60_000, max: 60_000 } };
    const updates = logUpdates(read, options as FollowOptions);
    const nextText = async () => {
      const result = await updates.next();
      return result.done === true ? undefined : result.value.text;
    };
    assert.equal(await nextText(), 'a\n');
    const second = nextText();
    await new Promise((resolve) => setImmediate(resolve));
    wake();
    assert.equal(await second, 'b\n');
    const third = nextText();
    controller.abort();
    assert.equal(await third, undefined);
    assert.equal(offsets.length, 2);
  });

  it('hides a secret that comes in two parts, and one that has a colour inside', async () => {
    const hideSecrets = (text: string) => Promise.resolve(text.replaceAll('SECRET', '***'));
    const answers = [part('a SEC', 5), part('RET\n', 9), end('SEC\u001b[1mRET\n', 20)];
    assert.deepEqual((await updatesOf(answers, { hideSecrets })).updates, ['', 'a ***\n', '***\n']);
  });

  it('hides a secret before it cuts a line', async () => {
    const hideSecrets = (text: string) => Promise.resolve(text.replaceAll('SECRET', '***'));
    const { updates } = await updatesOf([end(`${'x'.repeat(MAX_LINE_LENGTH - 3)}SECRET and more\n`)], { hideSecrets });
    assert.deepEqual(updates, [`${'x'.repeat(MAX_LINE_LENGTH - 3)}***…\n`]);
  });

  it('leaves only colours to a terminal', async () => {
    const { updates } = await updatesOf([end('\u001b[31mred\u001b[0m\u001b]52;c;aGk=\u0007\u001b[2J\n')]);
    assert.deepEqual(updates, ['\u001b[31mred\u001b[0m\n']);
  });

  it('leaves out the first of more lines than are kept, before it looks at them, and says how many', async () => {
    const { read } = answering(end(`${'\n'.repeat(1_000)}first\n${'a\n'.repeat(MAX_LINES - 1)}`));
    const text = new LogText();
    let parts = 0;
    for await (const update of logUpdates(read, { signal: new AbortController().signal, pauses })) {
      assert.equal(update.leftOut, parts === 0 ? 1_000 : 0);
      text.skip(update.leftOut);
      text.append(update.text);
      parts += 1;
    }
    assert.ok(parts >= 10, `${parts} parts`);
    assert.equal(text.line(1_000)?.text, 'first');
    assert.deepEqual([text.first, text.end], [1_000, 1_000 + MAX_LINES]);
  });

  it('leaves addresses as they are, so that they can be copied', async () => {
    const log = 'a https://b file:///c https:\u001b[1m/\u001b[0m/d e: //f C:/g\n';
    const { updates } = await updatesOf([end(log)]);
    assert.deepEqual(updates, [log]);
  });

  it('yields the same lines however a log is cut into parts', async () => {
    const log = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u001b', '[', 'm', 'é') });
    await fc.assert(
      fc.asyncProperty(log, fc.array(fc.nat(40)), async (text, cuts) => {
        const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b);
        const parts = places.map((place, index) => part(text.slice(places[index - 1] ?? 0, place), place));
        const rest = end(text.slice(places.at(-1) ?? 0), text.length);
        const whole = await updatesOf([end(text, text.length)], { pauses: { min: 0, max: 0 } });
        const cut = await updatesOf([...parts, rest], { pauses: { min: 0, max: 0 } });
        assert.equal(cut.updates.join(''), whole.updates.join(''));
      }),
      { numRuns: 50 },
    );
  });
});
