/** Runs the fault cases of the client, and checks what must not happen in any of them. */
import { isDeepStrictEqual, inspect } from 'node:util';

import { BuildServiceError } from '../../src/api/errors/buildServiceError.ts';
import { Redactor } from '../../src/api/redaction.ts';
import { cleanUp } from '../support/servers.ts';
import { answers } from './cases/answers.ts';
import { connecting } from './cases/connecting.ts';
import { downloads } from './cases/downloads.ts';
import { messages } from './cases/messages.ts';
import { redirects } from './cases/redirects.ts';
import { uploads } from './cases/uploads.ts';
import { stopRealService, throughProxy } from './cases/throughProxy.ts';
import { MAX_CALL_MS, secrets, CaseContext, type FaultCase } from './faultCase.ts';
import { labelOf, sentenceOf, value, type Outcome } from './outcomes.ts';
import type { Row } from './row.ts';

const GROUPS: Readonly<Record<string, readonly FaultCase[]>> = {
  connecting,
  messages,
  answers,
  redirects,
  downloads,
  'packages of folders': uploads,
  'real service': throughProxy,
};

/** They run at the same time: most of them wait. */
const CONCURRENT_CASES = 8;

/** For what a group of cases opened to be closed. */
const CLOSE_TIMEOUT_MS = 5000;

/** What no output may contain, in any encoding. */
const knownSecrets = new Redactor();
knownSecrets.add(secrets.accessToken, secrets.password, secrets.clientSecret, secrets.code, secrets.authToken);

/** Runs every case; a row for each, and one for what each group left behind. */
export async function clientFaults(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const unexpected: unknown[] = [];
  const recordUnexpected = (error: unknown): void => void unexpected.push(error);
  process.on('unhandledRejection', recordUnexpected).on('uncaughtException', recordUnexpected);
  for (const [group, cases] of Object.entries(GROUPS)) {
    const before = resources();
    for (let at = 0; at < cases.length; at += CONCURRENT_CASES) {
      rows.push(...(await Promise.all(cases.slice(at, at + CONCURRENT_CASES).map((each) => run(group, each)))));
      await cleanUp();
    }
    if (cases === throughProxy) {
      await stopRealService();
    }
    rows.push(await leftBehind(group, before));
  }
  process.off('unhandledRejection', recordUnexpected).off('uncaughtException', recordUnexpected);
  rows.push({
    group: 'all',
    name: 'unhandled rejections and exceptions',
    expected: '0',
    got: String(unexpected.length),
    problems: unexpected.map((error) => inspect(error)),
  });
  return rows;
}

async function run(group: string, { name, expected, within = MAX_CALL_MS, arrange }: FaultCase): Promise<Row> {
  const outcomes = 'label' in expected ? [expected] : expected;
  const context = new CaseContext(
    (['connect', 'headers', 'idle', 'total'] as const).find((phase) =>
      outcomes.some(({ label }) => label === `NetworkError timeout ${phase}`),
    ),
  );
  const call = await arrange(context);
  const start = performance.now();
  const result = await settle(call, within + 2000);
  const milliseconds = performance.now() - start;
  const wanted = [...new Set(outcomes.map(({ label }) => label))].join(' or ');
  const problems = [
    ...(outcomes.some((each) => isDeepStrictEqual(each, result.outcome))
      ? []
      : [`got ${result.outcome.label}: ${result.outcome.sentence}`]),
    ...(milliseconds > within ? ['too late'] : []),
    ...leaks(context, result.error),
  ];
  return {
    group,
    name,
    expected: wanted,
    got: result.outcome.label,
    sentence: result.outcome.sentence,
    milliseconds,
    within,
    problems,
  };
}

/** How a call ended. */
interface Settled {
  readonly outcome: Outcome;
  readonly error?: unknown;
}

async function settle(call: () => Promise<unknown>, timeoutMs: number): Promise<Settled> {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<Settled>((resolve) => {
    timer = setTimeout(() => resolve({ outcome: { label: 'hangs', sentence: '' } }), timeoutMs);
  });
  const end = call().then(
    (result): Settled => ({ outcome: value(String(result)) }),
    (error: unknown): Settled =>
      error instanceof BuildServiceError
        ? { outcome: { label: labelOf(error), sentence: sentenceOf(error) }, error }
        : { outcome: { label: `untyped: ${String(error)}`, sentence: '' }, error },
  );
  try {
    return await Promise.race([end, hang]);
  } finally {
    clearTimeout(timer);
  }
}

/** Secrets in what could be logged or shown, or in what another server received. */
function leaks({ exchanges, bystanders }: CaseContext, error: unknown): readonly string[] {
  const outputs: Readonly<Record<string, unknown>> = {
    'the error': [inspect(error, { depth: Infinity, showHidden: true }), String(error), JSON.stringify(error)],
    'the log': inspect(exchanges, { depth: Infinity, showHidden: true }),
    'another server': bystanders.map(({ received }) => received),
  };
  return Object.entries(outputs).flatMap(([where, output]) =>
    knownSecrets.containsSecret(
      inspect(output, { depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity }),
    )
      ? [`a secret in ${where}`]
      : [],
  );
}

type Resources = ReadonlyMap<string, number>;

/** Open sockets, timers and the like, by kind. */
function resources(): Resources {
  const counts = new Map<string, number>();
  // The client opens no pipes; those of this process's output come and go.
  for (const kind of process.getActiveResourcesInfo().filter((each) => each !== 'PipeWrap')) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** A row about what is open and was not before. Closing takes a few turns of the event loop. */
async function leftBehind(group: string, before: Resources): Promise<Row> {
  const start = performance.now();
  const within = CLOSE_TIMEOUT_MS;
  for (;;) {
    const more = [...resources()]
      .filter(([kind, count]) => count > (before.get(kind) ?? 0))
      .map(([kind, count]) => `${count} ${kind}`);
    const milliseconds = performance.now() - start;
    if (more.length === 0 || milliseconds > within) {
      return {
        group,
        name: 'sockets, timers and requests left behind',
        expected: '0',
        got: more.join(', ') || '0',
        milliseconds,
        within,
        problems: more,
      };
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}
