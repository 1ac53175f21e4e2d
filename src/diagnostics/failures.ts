import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import type { Failure, Recent } from '../workbench/log.ts';
import type { Fact } from './report.ts';

/** Fields of our errors whose values are words of ours, or a status. */
const DETAILS = ['failure', 'fault', 'phase', 'status'] as const;
/** Where our own code stands in a stack: file, line and column, and nothing of the folders above. */
const OWN_FRAME = /\b((?:extension|later|undici|chunk-\w+)\.cjs:\d+:\d+)/g;

/** @param now milliseconds since the epoch. */
export function failureFacts(
  failures: readonly Recent<Failure>[],
  now: number,
  commandIds: readonly string[],
): readonly Fact[] {
  return failures.length === 0
    ? [['Failures since this window was opened', 'none']]
    : failures.map(({ time, doing, error }): Fact => {
        // Other words may be those of a button, with a name in them.
        const command = commandIds.includes(doing) ? `${doing}, ` : '';
        return [`${Math.round((now - time) / 1000)} s ago`, `${command}${failureKind(error)}`];
      });
}

/**
 * The kind of a failure. Its message is left out, since it may name a host, a file or a user.
 *
 * @param error whatever was thrown.
 */
export function failureKind(error: unknown): string {
  if (error instanceof BuildServiceError) {
    return [error.kind, ...DETAILS.flatMap((name) => wordOf(Reflect.get(error, name)))].join(' ');
  }
  if (!(error instanceof Error)) {
    return 'not an error';
  }
  const [name = 'Error'] = wordOf(error.name);
  const code = wordOf('code' in error ? error.code : undefined);
  const frames = [...(error.stack ?? '').matchAll(OWN_FRAME)].flatMap(([, frame]) => frame ?? []);
  return [name, ...code, ...(frames.length === 0 ? [] : [`at ${frames.join(', ')}`])].join(' ');
}

function wordOf(value: unknown): readonly string[] {
  return (typeof value === 'string' && /^[A-Z_]{1,40}$/i.test(value)) || typeof value === 'number'
    ? [String(value)]
    : [];
}
