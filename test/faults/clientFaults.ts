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
import { stopRealService, throughProxy } from './cases/throughProxy.ts';
import { prompt, secrets, Stage, type FaultCase } from './faultCase.ts';
import { labelOf, sentenceOf, value, type Outcome } from './outcomes.ts';
import type { Row } from './row.ts';

const groups: Readonly<Record<string, readonly FaultCase[]>> = {
  connecting,
  messages,
  answers,
  redirects,
  downloads,
  'real service': throughProxy,
};

/** Cases that run at the same time: most of them wait. */
const concurrent = 8;

/** What no output may contain, in any encoding. */
const known = new Redactor();
known.add(secrets.accessToken, secrets.password, secrets.clientSecret, secrets.code, secrets.authToken);

/** Runs every case; a row for each, and one for what each group left behind. */
export async function clientFaults(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const unexpected: unknown[] = [];
  const note = (error: unknown): void => void unexpected.push(error);
  process.on('unhandledRejection', note).on('uncaughtException', note);
  for (const [group, cases] of Object.entries(groups)) {
    const before = resources();
    for (let at = 0; at < cases.length; at += concurrent) {
      rows.push(...(await Promise.all(cases.slice(at, at + concurrent).map((each) => run(group, each)))));
      await cleanUp();
    }
    if (cases === throughProxy) {
      await stopRealService();
    }
    rows.push(await leftBehind(group, before));
  }
  process.off('unhandledRejection', note).off('uncaughtException', note);
  rows.push({
    group: 'all',
    name: 'unhandled rejections and exceptions',
    expected: '0',
    got: String(unexpected.length),
    problems: unexpected.map((error) => inspect(error)),
  });
  return rows;
}

async function run(group: string, { name, expected, within = prompt, arrange }: FaultCase): Promise<Row> {
  const outcomes = 'label' in expected ? [expected] : expected;
  const stage = new Stage(
    (['connect', 'headers', 'idle', 'total'] as const).find((phase) =>
      outcomes.some(({ label }) => label === `NetworkError timeout ${phase}`),
    ),
  );
  const call = await arrange(stage);
  const start = performance.now();
  const result = await ending(call, within + 2000);
  const milliseconds = performance.now() - start;
  const wanted = [...new Set(outcomes.map(({ label }) => label))].join(' or ');
  const problems = [
    ...(outcomes.some((each) => isDeepStrictEqual(each, result.outcome))
      ? []
      : [`got ${result.outcome.label}: ${result.outcome.sentence}`]),
    ...(milliseconds > within ? ['too late'] : []),
    ...leaks(stage, result.error),
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

interface Ending {
  readonly outcome: Outcome;
  readonly error?: unknown;
}

async function ending(call: () => Promise<unknown>, patience: number): Promise<Ending> {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<Ending>((resolve) => {
    timer = setTimeout(() => resolve({ outcome: { label: 'hangs', sentence: '' } }), patience);
  });
  const end = call().then(
    (result): Ending => ({ outcome: value(String(result)) }),
    (error: unknown): Ending =>
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

/** Secrets in what could be logged or shown, or in what another server was told. */
function leaks({ exchanges, bystanders }: Stage, error: unknown): readonly string[] {
  const outputs: Readonly<Record<string, unknown>> = {
    'the error': [inspect(error, { depth: Infinity, showHidden: true }), String(error), JSON.stringify(error)],
    'the log': inspect(exchanges, { depth: Infinity, showHidden: true }),
    'another server': bystanders.map(({ received }) => received),
  };
  return Object.entries(outputs).flatMap(([where, output]) =>
    known.contains(inspect(output, { depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity }))
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

/** What is open and was not before. Closing takes a few turns of the event loop. */
async function leftBehind(group: string, before: Resources): Promise<Row> {
  const start = performance.now();
  const within = 5000;
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
