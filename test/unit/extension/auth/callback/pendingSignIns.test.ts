import assert from 'node:assert/strict';
import { CancelledError } from '../../../../../src/errors/index.ts';
import { MAX_UNCONFIRMED_ANSWERS } from '../../../../../src/extension/auth/limits.ts';
import { PendingSignIns } from '../../../../../src/extension/auth/callback/pendingSignIns.ts';

const STATE = 'the-state-of-this-sign-in';
const ORIGIN = 'https://build.example.com';

/** Starts a pending sign-in and records the questions about it and its result. */
function start({ stateRequired = false } = {}) {
  const waiting: boolean[] = [];
  const signIns = new PendingSignIns(
    { error: (_what, error) => assert.fail(String(error)) },
    (isWaiting) => void waiting.push(isWaiting),
  );
  const questions: ((yes: boolean) => void)[] = [];
  const confirm = () => new Promise<boolean>((decide) => questions.push(decide));
  const signIn = { origin: ORIGIN, state: STATE, stateRequired, page: `${ORIGIN}/authorize`, confirm };
  const controller = new AbortController();
  const answer = signIns.wait(signIn, controller.signal);
  return { signIns, signIn, controller, waiting, questions, answer, waits: () => signIns.page(ORIGIN) !== undefined };
}

/** Delivers a callback from the browser or as pasted text. */
const ways = {
  'a callback': ({ signIns }, query) => signIns.handleCallback(query),
  'a pasted callback': ({ signIns }, query) => signIns.handlePasted({ kind: 'url', query }),
} satisfies Record<string, (started: ReturnType<typeof start>, query: string) => { readonly accepted: boolean }>;

describe('a pending sign-in', () => {
  for (const [what, hand] of Object.entries(ways)) {
    it(`keeps waiting after ${what} with a different state, and ends after one with its own state`, async () => {
      const started = start();
      assert.equal(hand(started, 'code=Forged1&state=another').accepted, false);
      assert.ok(started.waits());
      assert.equal(hand(started, `code=Abc123&state=${STATE}`).accepted, true);
      assert.deepEqual(await started.answer, { kind: 'code', code: 'Abc123', state: STATE, stateVerified: true });
    });

    it(`keeps waiting, without asking the user, after ${what} without state if the service always sends a state`, async () => {
      const started = start({ stateRequired: true });
      assert.equal(hand(started, 'code=Forged1').accepted, false);
      await new Promise(setImmediate);
      assert.equal(started.questions.length, 0);
      assert.ok(started.waits());
    });
  }

  it('accepts a callback without state only after the user agrees', async () => {
    const started = start();
    assert.equal(started.signIns.handleCallback('code=Abc123').accepted, true);
    await new Promise(setImmediate);
    assert.ok(started.waits());
    const [decide] = started.questions;
    assert.ok(decide !== undefined);
    decide(true);
    assert.deepEqual(await started.answer, { kind: 'code', code: 'Abc123', state: undefined, stateVerified: false });
  });

  it('accepts the right callback while the user is asked about a forged one', async () => {
    const started = start();
    started.signIns.handleCallback('error=authorization_refused');
    await new Promise(setImmediate);
    assert.equal(started.questions.length, 1);
    started.signIns.handleCallback(`code=Abc123&state=${STATE}`);
    assert.equal((await started.answer).kind, 'code');
  });

  it('accepts a pasted code, although its sender is unknown', async () => {
    const { signIns, answer, waiting } = start();
    assert.deepEqual(signIns.handlePasted({ kind: 'code', code: 'Abc123' }), { accepted: true });
    assert.deepEqual(await answer, { kind: 'code', code: 'Abc123', state: undefined, stateVerified: false });
    assert.deepEqual(waiting, [true, false]);
  });

  for (const [what, hand] of Object.entries(ways)) {
    it(`ignores ${what} that is invalid or that arrives after the sign-in was canceled`, async () => {
      const started = start();
      assert.equal(hand(started, 'nothing=here').accepted, false);
      assert.ok(started.waits());
      started.controller.abort();
      await assert.rejects(started.answer, CancelledError);
      assert.equal(hand(started, `code=Abc123&state=${STATE}`).accepted, false);
    });
  }

  it('is canceled by its signal at any time, or by another sign-in at the same service', async () => {
    const { signIns, signIn, controller, answer, waiting } = start();
    await assert.rejects(signIns.wait(signIn, AbortSignal.abort()), CancelledError);
    const signal = signIns.signal(ORIGIN);
    const second = signIns.wait(signIn, controller.signal);
    await assert.rejects(answer, CancelledError);
    assert.equal(signal?.aborted, true);
    assert.ok(signIns.page() !== undefined);
    controller.abort();
    await assert.rejects(second, CancelledError);
    assert.equal(signIns.page(), undefined);
    assert.equal(signIns.signal(), undefined);
    assert.equal(waiting.at(-1), false);
  });

  it('leaves a callback to another window if none waits for it here', async () => {
    const { signIns, controller, answer } = start({ stateRequired: true });
    const isLeft = (query: string): boolean => {
      const outcome = signIns.handleCallback(query);
      return !outcome.accepted && outcome.unsolicited === true;
    };
    assert.ok(isLeft('code=Abc123&state=another'), 'for another sign-in');
    assert.ok(isLeft('code=Abc123'), 'without the required state');
    controller.abort();
    await assert.rejects(answer, CancelledError);
    for (const query of ['code=Abc123', `code=Abc123&state=${STATE}`]) {
      assert.ok(isLeft(query), 'after the sign-in has ended');
    }
    assert.ok(!isLeft('code=a&code=b'), 'an invalid one, which no window accepts');
  });

  it('reports that none is waiting only when the last one ends', async () => {
    const { signIns, signIn, controller, answer, waiting } = start();
    const second = new AbortController();
    const other = signIns.wait({ ...signIn, origin: 'https://other.example', state: 'other' }, second.signal);
    signIns.handleCallback(`code=Abc123&state=${STATE}`);
    await answer;
    assert.deepEqual(waiting, [true, true]);
    second.abort();
    await assert.rejects(other, CancelledError);
    controller.abort();
    assert.deepEqual(waiting, [true, true, false]);
  });

  it('asks about a few callbacks without state, one at a time, and rejects the rest', async () => {
    const { signIns, questions } = start();
    const outcomes = Array.from({ length: MAX_UNCONFIRMED_ANSWERS + 1 }, () => signIns.handleCallback('code=Forged1'));
    assert.deepEqual(
      outcomes.map(({ accepted }) => accepted),
      [...outcomes.slice(1).map(() => true), false],
    );
    await new Promise(setImmediate);
    assert.equal(questions.length, 1);
  });
});
