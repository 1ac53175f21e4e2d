import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import type { Exchange } from '../api/http/requestPipeline.ts';
import type { Proxy } from '../api/http/transport.ts';
import type { ServiceProbe } from '../api/serviceProbe.ts';
import type { Failure, Recent } from '../workbench/log.ts';
import type { Block } from './report.ts';

/** Fields of our errors whose values are words of ours, or a status. */
const DETAILS = ['failure', 'fault', 'phase', 'status'] as const;
/** Where our own code stands in a stack: file, line and column, and nothing of the folders above. */
const OWN_FRAME = /\b((?:extension|later|undici|chunk-\w+)\.cjs:\d+:\d+)/g;
const MAX_FRAMES = 4;

/**
 * The kind of a failure. Its message is left out: it may name a host, a file or a person.
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

/** The kind of an answer, without its words. */
export function answerText(probe: ServiceProbe): string {
  switch (probe.kind) {
    case 'service':
      return 'a build service';
    case 'webPage':
      return `a web page (status ${probe.status})`;
    case 'somethingElse':
      return `another service, or one that cannot answer (status ${probe.status})`;
    case 'proxySignIn':
      return `the proxy or the network asks for a sign-in (status ${probe.status})`;
    case 'redirect':
      return `${failureKind(probe.error)}${probe.service === undefined ? '' : ', to what may be a build service'}`;
    case 'certificate':
    case 'nothing':
      return failureKind(probe.error);
  }
}

/** The kind of a proxy and whether a sign-in is set for it; neither its host nor the user. */
export function proxyKind({ url, authorization }: Proxy): string {
  const { protocol, username, password } = new URL(url);
  const hasSignIn = authorization !== undefined || username !== '' || password !== '';
  return `${protocol.slice(0, -1)} proxy, ${hasSignIn ? 'with' : 'without'} a sign-in`;
}

/**
 * The words of paths that the contract, the original service and the local service use. Whatever else stands in a path may be a
 * name: of a person, an app, a file.
 */
const PATH_WORDS: ReadonlySet<string> = new Set(
  `api apps authorize build builds collaborators current_support data download downloads icon install keys log logs manifest me
  plugins share status token www android browser electron ios windows winphone`.split(/\s+/),
);

const VERSION = /^v\d{1,2}$/;
const NUMBER = /^\d{1,12}$/;
/** Segments that are shown. */
const MAX_SEGMENTS = 12;

/**
 * The shape of a path, without anything that identifies: words of the interface and numbers stay, the rest is `…`; of a query
 * only that there is one; of another server only that it is another.
 *
 * @param path of an `Exchange`: it begins with a slash, or with the origin of another server.
 */
export function pathShape(path: string): string {
  const url = path.startsWith('/') ? URL.parse(`http://service${path}`) : URL.parse(path);
  if (url === null) {
    return '…';
  }
  const segments = url.pathname.split('/').slice(1);
  const shown = segments.slice(0, MAX_SEGMENTS).map((segment) => (isKnown(segment) ? segment : '…'));
  const rest = segments.length > MAX_SEGMENTS ? ['…'] : [];
  const server = path.startsWith('/') ? '' : 'another server: ';
  return `${server}/${[...shown, ...rest].join('/')}${url.search === '' ? '' : '?…'}`;
}

function isKnown(segment: string): boolean {
  return segment === '' || PATH_WORDS.has(segment) || VERSION.test(segment) || NUMBER.test(segment);
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** @param now milliseconds since the epoch. */
export function callTable(calls: readonly Recent<Exchange>[], now: number): Block {
  return calls.length === 0
    ? { kind: 'text', text: 'None since this window was opened.' }
    : {
        kind: 'table',
        columns: ['When', 'Method', 'Path', 'Result', 'ms'],
        rows: calls.map(({ time, method, path, status, error, milliseconds }) => [
          timeAgo(time, now),
          // A person can type a method of their own.
          METHODS.includes(method) ? method : 'another',
          pathShape(path),
          status === undefined ? failureKind(error) : String(status),
          String(Math.round(milliseconds)),
        ]),
      };
}

/** @param now milliseconds since the epoch. */
export function failureTable(failures: readonly Recent<Failure>[], now: number, commandIds: readonly string[]): Block {
  return failures.length === 0
    ? { kind: 'text', text: 'None since this window was opened.' }
    : {
        kind: 'table',
        columns: ['When', 'Command', 'Kind'],
        rows: failures.map(({ time, doing, error }) => [
          timeAgo(time, now),
          // Other words may be those of a button, with a name in them.
          commandIds.includes(doing) ? doing : '',
          failureKind(error),
        ]),
      };
}

function timeAgo(time: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - time) / 1000));
  if (seconds < 120) {
    return `${seconds} s ago`;
  }
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}
