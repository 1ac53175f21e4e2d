/** How much code that reads a text does: the same each time, however busy the machine is. */
import inspector from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';

/** What counts: the code that reads config.xml, and the packages that it reads with. */
const COUNTED = /\/src\/configXml\/|\/@rgrove\/parse-xml\/|\/entities\//;

/** Machine code counts nothing, and when it is made depends on how busy the machine is. */
const COMPILERS = ['opt', 'maglev', 'sparkplug'];

/**
 * Counts the blocks of code that some work runs, and the characters that it has the engine look through.
 *
 * @param work reads a text
 */
export async function stepsOf(work: () => unknown): Promise<number> {
  const session = new inspector.Session();
  session.connect();
  COMPILERS.forEach((compiler) => {
    setFlagsFromString(`--no-${compiler}`);
  });
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
    COMPILERS.forEach((compiler) => {
      setFlagsFromString(`--${compiler}`);
    });
  }
}

/** Searches that are done by the engine itself, which no coverage sees. */
function charactersSearchedBy(work: () => unknown): number {
  let characters = 0;
  const strings = Object.getOwnPropertyDescriptors(String.prototype);
  const { exec } = Object.getOwnPropertyDescriptors(RegExp.prototype);
  const find = (text: string, searched: string, from: number): number => {
    const found = strings.indexOf.value?.call(text, searched, from) ?? -1;
    characters += (found < 0 ? text.length : found) - Math.min(from, text.length);
    return found;
  };
  String.prototype.indexOf = function (this: string, searched: string, from = 0): number {
    return find(this, searched, from);
  };
  String.prototype.includes = function (this: string, searched: string, from = 0): boolean {
    return find(this, searched, from) >= 0;
  };
  String.prototype.lastIndexOf = function (this: string, searched: string, from = this.length): number {
    const found = strings.lastIndexOf.value?.call(this, searched, from) ?? -1;
    characters += Math.min(from, this.length) - Math.max(found, 0);
    return found;
  };
  RegExp.prototype.exec = function (this: RegExp, text: string): RegExpExecArray | null {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.value?.call(this, text) ?? null;
    const end = match === null ? (this.sticky ? from : text.length) : match.index + match[0].length;
    characters += Math.max(0, end - from);
    return match;
  };
  try {
    work();
  } finally {
    const { indexOf, includes, lastIndexOf } = strings;
    Object.defineProperties(String.prototype, { indexOf, includes, lastIndexOf });
    Object.defineProperties(RegExp.prototype, { exec });
  }
  return characters;
}
