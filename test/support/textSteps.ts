/** How much code that reads a text does: the same each time, however busy the machine is. */
import inspector from 'node:inspector/promises';

/** What counts: the code that reads config.xml, and the packages that it reads with. */
const COUNTED = /\/src\/configXml\/|\/@rgrove\/parse-xml\/|\/entities\//;

/**
 * Counts the blocks of code that some work runs, and the characters that it has the engine look through.
 *
 * @param work reads a text
 */
export async function stepsOf(work: () => unknown): Promise<number> {
  const session = new inspector.Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    const characters = charactersSearchedBy(work);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const blocks = result
      .filter(({ url }) => COUNTED.test(url))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
      .reduce((sum, count) => sum + count, 0);
    await session.post('Profiler.stopPreciseCoverage');
    return blocks + characters;
  } finally {
    session.disconnect();
  }
}

/** Searches that are done by the engine itself, which no coverage sees. */
function charactersSearchedBy(work: () => unknown): number {
  let characters = 0;
  const { indexOf, lastIndexOf, includes } = String.prototype;
  const { exec } = RegExp.prototype;
  String.prototype.indexOf = function (this: string, searched: string, from = 0): number {
    const found = indexOf.call(this, searched, from);
    characters += (found < 0 ? this.length : found) - Math.min(from, this.length);
    return found;
  };
  String.prototype.includes = function (this: string, searched: string, from = 0): boolean {
    return this.indexOf(searched, from) >= 0;
  };
  String.prototype.lastIndexOf = function (this: string, searched: string, from = this.length): number {
    const found = lastIndexOf.call(this, searched, from);
    characters += Math.min(from, this.length) - Math.max(found, 0);
    return found;
  };
  RegExp.prototype.exec = function (this: RegExp, text: string): RegExpExecArray | null {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    const end = match === null ? (this.sticky ? from : text.length) : match.index + match[0].length;
    characters += Math.max(0, end - from);
    return match;
  };
  try {
    work();
  } finally {
    String.prototype.indexOf = indexOf;
    String.prototype.lastIndexOf = lastIndexOf;
    String.prototype.includes = includes;
    RegExp.prototype.exec = exec;
  }
  return characters;
}
