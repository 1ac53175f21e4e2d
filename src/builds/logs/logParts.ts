import { WorkPauses } from '../../api/workPauses.ts';

/** Lines of a log that are kept; the oldest go first. */
export const MAX_LINES = 50_000;
/** Of a part: what is done with one takes some milliseconds. */
const MAX_LINES_OF_PART = 2_000;
const MAX_PART_LENGTH = 128 * 1024;
/** Line feeds that are counted without a pause: some milliseconds. */
const COUNTED_AT_ONCE = 100_000;

/** The end of a log. */
export interface LogEnd {
  readonly text: string;
  /** Lines before it. */
  readonly leftOut: number;
}

/** The last {@link MAX_LINES} lines of a text; all of it where it has no more. */
export async function lastLines(text: string): Promise<LogEnd> {
  let lineFeed = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let lines = 0; lines < MAX_LINES; lines += 1) {
    lineFeed = lineFeed <= 0 ? -1 : text.lastIndexOf('\n', lineFeed - 1);
    if (lineFeed < 0) {
      return { text, leftOut: 0 };
    }
  }
  const pauses = new WorkPauses();
  let leftOut = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at <= lineFeed; at = text.indexOf('\n', at + 1)) {
    leftOut += 1;
    if (leftOut % COUNTED_AT_ONCE === 0) {
      await pauses.pauseIfDue();
    }
  }
  return { text: text.slice(lineFeed + 1), leftOut };
}

/** A text in parts of whole lines, each with its line feed, between which others have their turn. */
export async function* partsOfLog(text: string): AsyncGenerator<string> {
  const pauses = new WorkPauses();
  for (let start = 0, end = 0; start < text.length; start = end) {
    for (let lines = 0; lines < MAX_LINES_OF_PART && end - start < MAX_PART_LENGTH && end < text.length; lines += 1) {
      end = text.indexOf('\n', end) + 1 || text.length;
    }
    await pauses.pauseIfDue();
    yield text.slice(start, end);
  }
}
