import { ServiceError } from '../api/errors/serviceError.ts';
import type { Redactor } from '../api/redaction.ts';
import { cleanLine, withoutColours } from '../builds/logs/logLine.ts';
import { kindOf } from '../builds/logs/logSteps.ts';
import { NoBuildLogError } from '../builds/logs/noBuildLogError.ts';
import type { App, PlatformBuild } from '../apps/model/app.ts';
import type { ToolAccount } from './toolAccount.ts';

/** Parts that are read of a log that goes on growing. */
const MAX_PARTS = 50;
/** Characters that are looked at: the end of a log. */
const MAX_LOG_LENGTH = 5_000_000;
/** Errors that are told, from the first. */
const MAX_ERRORS = 20;

/** A log as far as it is there. */
export interface StoredLog {
  /** Without colours, and without characters that cannot be seen. */
  readonly lines: readonly string[];
  /** The first lines that say that something failed; lines count from one. */
  readonly errors: readonly { readonly line: number; readonly text: string }[];
  /** True when nothing will be added; undefined when the service does not say. */
  readonly isComplete: boolean | undefined;
}

/**
 * Reads the log of a build as far as it is there.
 *
 * @throws NoBuildLogError; BuildServiceError
 */
export async function readStoredLog(
  { title }: Pick<App, 'title'>,
  { platform, logUrl }: PlatformBuild,
  { calls, signal }: Pick<ToolAccount, 'calls' | 'signal'>,
  redactor: Redactor,
): Promise<StoredLog> {
  if (logUrl === undefined) {
    throw new NoBuildLogError(title, platform);
  }
  let text = '';
  let isComplete: boolean | undefined;
  let offset = 0;
  for (let parts = 0; parts < MAX_PARTS; parts++) {
    const part = await calls.log(logUrl, offset, { signal }).catch((error: unknown) => {
      throw error instanceof ServiceError && (error.status === 404 || error.status === 410)
        ? new NoBuildLogError(title, platform, error)
        : error;
    });
    text = (text + part.text).slice(-MAX_LOG_LENGTH);
    isComplete = part.completed;
    if (isComplete === true || part.text === '' || part.nextOffset === undefined || part.nextOffset <= offset) {
      break;
    }
    offset = part.nextOffset;
  }
  const clean = text.split('\n').map((line) => withoutColours(cleanLine(line)));
  // The end of the last line is no line of its own.
  const shown = await redactor.hideSecretsInText(clean.join('\n').replace(/\n+$/, ''));
  const lines = shown === '' ? [] : shown.split('\n');
  return { lines, errors: errorsIn(lines), isComplete };
}

function errorsIn(lines: readonly string[]): StoredLog['errors'] {
  const found: { line: number; text: string }[] = [];
  for (const [index, line] of lines.entries()) {
    const kind = kindOf(line);
    if (kind?.kind === 'error') {
      found.push({ line: index + 1, text: kind.text });
      if (found.length === MAX_ERRORS) {
        break;
      }
    }
  }
  return found;
}
