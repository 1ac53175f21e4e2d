/** Runs the fault cases of the client, and checks what must not happen in any of them. */
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual, inspect } from 'node:util';

import { BuildServiceError } from '../../src/api/errors/buildServiceError.ts';
import { Redactor } from '../../src/api/redaction.ts';
import { accessToken, cleanUp } from '../support/servers.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { downloads } from './cases/downloads.ts';
import { stopRealService, throughProxy } from './cases/throughProxy.ts';
import { CaseContext, type FaultCase } from './faultCase.ts';
import { labelOf, sentenceOf, value, type Outcome } from './outcomes.ts';
import type { Row } from './row.ts';

const GROUPS: Readonly<Record<string, readonly FaultCase[]>> = {
  downloads,
  'real service': throughProxy,
};

/** Milliseconds after which a call that has not ended hangs, and what is still open was left behind. */
const HANG_MS = 120_000;

/** What no output may contain, in any encoding. */
const knownSecrets = new Redactor();
knownSecrets.add(accessToken);

/** Runs every case at the same time: most of them wait. A row for each, and one for what they left behind. */
export async function clientFaults(): Promise<readonly Row[]> {
  const unexpected: unknown[] = [];
  const recordUnexpected = (error: unknown): void => void unexpected.push(error);
  process.on('unhandledRejection', recordUnexpected).on('uncaughtException', recordUnexpected);
  const before = resources();
  const rows = await Promise.all(
    Object.entries(GROUPS).flatMap(([group, cases]) => cases.map((each) => run(group, each))),
  );
  await cleanUp();
  await stopRealService();
  rows.push(await leftBehind(before));
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

async function run(group: string, { name, expected, arrange }: FaultCase): Promise<Row> {
  const outcomes = 'label' in expected ? [expected] : expected;
  const context = new CaseContext(
    (['connect', 'headers'] as const).find((phase) =>
      outcomes.some(({ label }) => label === `NetworkError ${phase}Timeout`),
    ),
  );
  const start = performance.now();
  const result = await settle(async () => (await arrange(context))());
  const milliseconds = performance.now() - start;
  const wanted = [...new Set(outcomes.map(({ label }) => label))].join(' or ');
  const problems = [
    ...(outcomes.some((each) => isDeepStrictEqual(each, result.outcome))
      ? []
      : [`got ${result.outcome.label}: ${result.outcome.sentence}`]),
    ...leaks(context, result.error),
  ];
  return {
    group,
    name,
    expected: wanted,
    got: result.outcome.label,
    sentence: result.outcome.sentence,
    milliseconds,
    problems,
  };
}

/** How a call ended. */
interface Settled {
  readonly outcome: Outcome;
  readonly error?: unknown;
}

async function settle(call: () => Promise<unknown>): Promise<Settled> {
  const done = new AbortController();
  const hang = delay(HANG_MS, { outcome: { label: 'hangs', sentence: '' } }, { signal: done.signal });
  // It is ended when the call comes first.
  hang.catch(() => undefined);
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
    done.abort();
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
async function leftBehind(before: Resources): Promise<Row> {
  const more = (): readonly string[] =>
    [...resources()]
      .filter(([kind, count]) => count > (before.get(kind) ?? 0))
      .map(([kind, count]) => `${count} ${kind}`);
  await Promise.race([waitUntil(() => more().length === 0), delay(HANG_MS, undefined, { ref: false })]);
  return {
    group: 'all',
    name: 'sockets, timers and requests left behind',
    expected: '0',
    got: more().join(', ') || '0',
    problems: more(),
  };
}
