import assert from 'node:assert/strict';
import { PendingSignIns } from '../../../../src/auth/callback/pendingSignIns.ts';

const STATE = 'the-state-of-this-sign-in';
const ORIGIN = 'https://build.example.com';

/** A sign-in that waits, what was asked about it, and what came of it. */
function start({ stateRequired = false } = {}) {
  const signIns = new PendingSignIns({ error: (_what, error) => assert.fail(String(error)) }, () => undefined);
  const questions: ((yes: boolean) => void)[] = [];
  const confirm = () => new Promise<boolean>((decide) => questions.push(decide));
  const signIn = { origin: ORIGIN, state: STATE, stateRequired, page: `${ORIGIN}/authorize`, confirm };
  const answer = signIns.wait(signIn, new AbortController().signal);
  return { signIns, questions, answer, waits: () => signIns.page(ORIGIN) !== undefined };
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
});
