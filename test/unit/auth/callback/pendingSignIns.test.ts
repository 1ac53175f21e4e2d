import assert from 'node:assert/strict';
import { CancelledError } from '../../../../src/api/errors/cancelledError.ts';
import { MAX_UNCONFIRMED_ANSWERS } from '../../../../src/auth/limits.ts';
import { PendingSignIns } from '../../../../src/auth/callback/pendingSignIns.ts';

const STATE = 'the-state-of-this-sign-in';
const ORIGIN = 'https://build.example.com';

/** A sign-in that waits, what was asked about it, and what came of it. */
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

/** The browser brings it, or the person pastes it. */
const ways = {
  'a callback': ({ signIns }, query) => signIns.handleCallback(query),
  'a pasted callback': ({ signIns }, query) => signIns.handlePasted({ kind: 'url', query }),
} satisfies Record<string, (started: ReturnType<typeof start>, query: string) => { readonly accepted: boolean }>;

describe('a sign-in that waits', () => {
  for (const [what, hand] of Object.entries(ways)) {
    it(`goes on waiting after ${what} with another state, and ends with its own`, async () => {
      const started = start();
      assert.equal(hand(started, 'code=Forged1&state=another').accepted, false);
      assert.ok(started.waits());
      assert.equal(hand(started, `code=Abc123&state=${STATE}`).accepted, true);
      assert.deepEqual(await started.answer, { kind: 'code', code: 'Abc123', state: STATE, stateVerified: true });
    });

    it(`goes on waiting after ${what} without state where the service always sends one, and asks nobody`, async () => {
      const started = start({ stateRequired: true });
      assert.equal(hand(started, 'code=Forged1').accepted, false);
      await new Promise(setImmediate);
      assert.equal(started.questions.length, 0);
      assert.ok(started.waits());
    });
  }

  it('ends with a callback without state once the person says yes to it, and not before', async () => {
    const started = start();
    assert.equal(started.signIns.handleCallback('code=Abc123').accepted, true);
    await new Promise(setImmediate);
    assert.ok(started.waits());
    const [decide] = started.questions;
    assert.ok(decide !== undefined);
    decide(true);
    assert.deepEqual(await started.answer, { kind: 'code', code: 'Abc123', state: undefined, stateVerified: false });
  });

  it('ends with a callback with its state while the user is asked about a forged one', async () => {
    const started = start();
    started.signIns.handleCallback('error=authorization_refused');
    await new Promise(setImmediate);
    assert.equal(started.questions.length, 1);
    started.signIns.handleCallback(`code=Abc123&state=${STATE}`);
    assert.equal((await started.answer).kind, 'code');
  });

  it('ends with a pasted code, whose sender is unknown', async () => {
    const { signIns, answer, waiting } = start();
    assert.deepEqual(signIns.handlePasted({ kind: 'code', code: 'Abc123' }), { accepted: true });
    assert.deepEqual(await answer, { kind: 'code', code: 'Abc123', state: undefined, stateVerified: false });
    assert.deepEqual(waiting, [true, false]);
  });

  for (const [what, hand] of Object.entries(ways)) {
    it(`isn't ended by ${what} that can't be read, and nothing takes one when none waits`, async () => {
      const started = start();
      assert.equal(hand(started, 'nothing=here').accepted, false);
      assert.ok(started.waits());
      started.controller.abort();
      await assert.rejects(started.answer, CancelledError);
      assert.equal(hand(started, `code=Abc123&state=${STATE}`).accepted, false);
    });
  }

  it('is cancelled by its signal, before or while it waits, and by another one at the same service', async () => {
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

  it('asks about some answers without state, one at a time, and refuses more', async () => {
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
