import type { Redactor } from '../../api/redaction.ts';
import { cleanLine, withoutColours } from './logLine.ts';
import { lastLines, partsOfLog } from './logParts.ts';
import { kindOf } from './logSteps.ts';

/** Errors that are found, from the first. */
const MAX_ERRORS = 20;

/** The lines of a log as far as it is there. */
export interface StoredLog {
  /** Without colours, and without characters that cannot be seen. */
  readonly lines: readonly string[];
  /** The first lines that say that something failed; lines count from one. */
  readonly errors: readonly { readonly line: number; readonly text: string }[];
  /** True when there are lines before these. */
  readonly isCut: boolean;
}

/** Reads the text of a log, without secrets. Of a long one the last lines. */
export async function storedLogOf(text: string, redactor: Pick<Redactor, 'hideSecretsInText'>): Promise<StoredLog> {
  const end = await lastLines(text);
  const lines: string[] = [];
  const errors: { line: number; text: string }[] = [];
  for await (const part of partsOfLog(end.text)) {
    const clean = part
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => withoutColours(cleanLine(line)));
    for (const line of (await redactor.hideSecretsInText(clean.join('\n'))).split('\n')) {
      lines.push(line);
      const kind = errors.length < MAX_ERRORS ? kindOf(line) : undefined;
      if (kind?.kind === 'error') {
        errors.push({ line: lines.length, text: kind.text });
      }
    }
  }
  while (lines.at(-1) === '') {
    lines.pop();
  }
  return { lines, errors, isCut: end.leftOut > 0 };
}
