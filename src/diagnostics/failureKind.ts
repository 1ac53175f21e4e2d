import { BuildServiceError } from '../api/errors/buildServiceError.ts';

/** Fields of our errors whose values are words of ours, or a status. */
const DETAILS = ['failure', 'fault', 'phase', 'status'] as const;
/** Where our own code stands in a stack: file, line and column, and nothing of the folders above. */
const OWN_FRAME = /\b((?:extension|later|undici|chunk-\w+)\.cjs:\d+:\d+)/g;
const MAX_FRAMES = 4;

/**
 * What kind of failure an error is. Its message is left out: it may name a host, a file or a person.
 *
 * @param error whatever was thrown.
 */
export function failureKind(error: unknown): string {
  if (error instanceof BuildServiceError) {
    const details = DETAILS.flatMap((name) => wordOf(Reflect.get(error, name)));
    return [error.kind, ...details].join(' ');
  }
  if (!(error instanceof Error)) {
    return 'not an error';
  }
  const [name = 'Error'] = wordOf(error.name);
  const code = wordOf('code' in error ? error.code : undefined);
  const frames = [...(error.stack ?? '').matchAll(OWN_FRAME)].slice(0, MAX_FRAMES).flatMap(([, frame]) => frame ?? []);
  return [name, ...code, ...(frames.length === 0 ? [] : [`at ${frames.join(', ')}`])].join(' ');
}

function wordOf(value: unknown): readonly string[] {
  return (typeof value === 'string' && /^[A-Z_]{1,40}$/i.test(value)) || typeof value === 'number'
    ? [String(value)]
    : [];
}
