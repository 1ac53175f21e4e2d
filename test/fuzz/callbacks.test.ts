import assert from 'node:assert/strict';

import fc from 'fast-check';

import { readCallback, readPastedCallback } from '../../src/extension/auth/callback/callback.ts';
import { PendingSignIns, type CallbackAnswer } from '../../src/extension/auth/callback/pendingSignIns.ts';
import { holds, wellFormed, words } from './property.ts';
import { formatSentence } from '../../src/errors/sentence.ts';

const values = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[\w.~-]{0,40}$/),
  fc.constantFrom(...words('authorization_refused access_denied % %2 %zz %2561 %00 %0D%0A + <script>'), '\u202e'),
);
const names = fc.oneof(
  fc.constantFrom(...words('code error state CODE code[] c%6fde vscode-reqid __proto__'), ''),
  fc.string(),
);
const query = fc
  .array(
    fc.tuple(
      names,
      fc.oneof(
        values,
        values.map((value) => encodeURIComponent(wellFormed(value))),
      ),
    ),
    { maxLength: 6 },
  )
  .chain((pairs) =>
    fc
      .constantFrom('&', ';', '&&')
      .map((separator) => pairs.map(([name, value]) => `${name}=${value}`).join(separator)),
  );
describe('callbacks', () => {
  holds(
    'reads any query as a code, a refusal, a failure, or invalid, and keeps only short, printable text',
    fc.oneof(query, fc.string(), fc.webQueryParameters()),
    (text) => {
      readPastedCallback(text);
      const callback = readCallback(text);
      switch (callback.kind) {
        case 'code':
          assert.match(callback.code, /^[\x21-\x7e]{1,512}$/);
          assert.deepEqual(new URLSearchParams(text).getAll('code'), [callback.code]);
          break;
        case 'failed':
          assert.match(callback.error, /^[\x20-\x7e]{1,128}$/);
          break;
        case 'denied':
          assert.ok(!new URLSearchParams(text).has('code'));
          break;
        case 'invalid':
          assert.ok(text.length < 20 || !formatSentence(callback.reason).includes(text));
      }
    },
  );

  const states = ['a-state-of-the-first-sign-in', 'a-state-of-the-second-one'];
  const forged = fc
    .tuple(
      fc.constantFrom(...words('code=Forged1 code=true error=authorization_refused error=server_error code=a&code=b')),
      fc.constantFrom('', '&state=', '&state=forged', `&state=${(states[0] ?? '').slice(0, -1)}x`),
    )
    .map(([answer, state]) => answer + state);
  const event = fc.oneof(
    fc.record({ kind: fc.constant('forged' as const), query: fc.oneof(forged, query) }),
    fc.record({ kind: fc.constant('returned' as const), at: fc.nat(1) }),
    fc.record({ kind: fc.constant('answered' as const), yes: fc.boolean() }),
  );

  holds(
    'ends a sign-in with its own state or the answer that the user confirmed, whichever is first, despite forged callbacks',
    fc.record({ required: fc.tuple(fc.boolean(), fc.boolean()), events: fc.array(event, { maxLength: 24 }) }),
    async ({ required, events }) => {
      const pending = new PendingSignIns({ error: (_what, error) => assert.fail(String(error)) }, () => undefined);
      const closing = new AbortController();
      const questions: {
        readonly at: number;
        readonly answer: CallbackAnswer;
        readonly decide: (yes: boolean) => void;
      }[] = [];
      const expected: unknown[] = states.map(() => 'waiting');
      const outcomes: unknown[] = states.map(() => 'waiting');
      states.forEach((state, at) => {
        const confirm = (answer: CallbackAnswer) =>
          new Promise<boolean>((decide) => questions.push({ at, answer, decide }));
        const signIn = { origin: String(at), state, stateRequired: required[at] === true, page: '', confirm };
        pending.wait(signIn, closing.signal).then(
          (response) => (outcomes[at] = response),
          () => undefined,
        );
      });
      const decide = (at: number, outcome: unknown) => {
        expected[at] = expected[at] === 'waiting' ? outcome : expected[at];
      };
      for (const happening of events) {
        if (happening.kind === 'forged') {
          pending.handleCallback(happening.query);
        } else if (happening.kind === 'returned') {
          const { at } = happening;
          const state = states[at] ?? '';
          pending.handleCallback(`code=TheTrueOne${at}&state=${state}`);
          decide(at, { kind: 'code', code: `TheTrueOne${at}`, state, stateVerified: true });
        } else {
          const question = questions.shift();
          if (question !== undefined && happening.yes) {
            decide(question.at, { ...question.answer, stateVerified: false });
          }
          question?.decide(happening.yes);
        }
        await new Promise((resolve) => setImmediate(resolve));
        assert.deepEqual(outcomes, expected);
        assert.ok(questions.length <= 1, 'more than one question at a time');
        assert.ok(questions.every(({ at }) => required[at] !== true));
        assert.ok(
          states.every((_state, at) => (pending.page(String(at)) !== undefined) === (expected[at] === 'waiting')),
        );
      }
      closing.abort();
    },
    10,
  );
});
