import type { Exchange } from '../api/http/requestPipeline.ts';
import type { Failure, Recent } from '../workbench/log.ts';
import { failureKind, pathShape } from './knownWords.ts';
import type { Block } from './report.ts';

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
