/**
 * The known name that was probably meant: the one with the fewest typing errors. Case does not count. The opposite is never meant.
 *
 * @returns undefined when none is close enough, and for a name that is known.
 */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Infinity;
  const lowered = name.toLowerCase();
  for (const each of known) {
    if (each === name) {
      return undefined;
    }
    const distance = typos(lowered, each.toLowerCase(), Math.min(allowedTypos(name, each), bestDistance - 1));
    if (distance !== undefined && !isOpposite(name, each)) {
      best = each;
      bestDistance = distance;
    }
  }
  return best;
}

/** True when one name is the other one, misspelt. */
export function areSimilar(name: string, other: string): boolean {
  return typos(name.toLowerCase(), other.toLowerCase(), allowedTypos(name, other)) !== undefined;
}

/** True when one name says no where the other says yes: `disallow-navigation` and `allow-navigation`, `ModeDisabled` and `ModeEnabled`. */
export function isOpposite(name: string, other: string): boolean {
  const [words, others] = [wordsOf(name), wordsOf(other)];
  return (
    negationsIn(words) !== negationsIn(others) ||
    words.some((word) => others.some((each) => isNegationOf(word, each) || isNegationOf(each, word)))
  );
}

/** The words of a name in lower case, and all of them as one, as some write it. */
function wordsOf(name: string): readonly string[] {
  const spaced = name.slice(0, MAX_NAME_LENGTH).replace(/([a-z\d])([A-Z])/g, '$1 $2');
  const words = spaced.toLowerCase().split(/[\s_.:-]+/);
  return [...words, words.join('')];
}

/** Words that say no by themselves. */
const NEGATION = /^(?:no|non|not|never|off|without)$|block|deny|disabl|exclud|external|forbid|skip|stop/;
/** What makes a word say no: `disallow`, `insecure`, `untrusted`. */
const NEGATING_STARTS = ['de', 'dis', 'in', 'no', 'non', 'not', 'un'] as const;

function negationsIn(words: readonly string[]): string {
  return words.flatMap((word) => NEGATION.exec(word)?.[0] ?? []).join(' ');
}

/** True for `disallow` and `allow`, with a typing error, too. */
function isNegationOf(word: string, plain: string): boolean {
  return NEGATING_STARTS.some((start) => {
    const rest = word.slice(start.length);
    return word.startsWith(start) && plain.startsWith(rest.charAt(0)) && typos(rest, plain, 1) !== undefined;
  });
}

/** Typing errors that a name may have: one in four letters, none in the shortest. */
function allowedTypos(name: string, other: string): number {
  return Math.min(MAX_TYPOS, Math.floor((Math.max(name.length, other.length) + 1) / 4));
}

const MAX_TYPOS = 3;
/** No known name is longer. Comparing takes the square of the length, and a name may fill the file. */
const MAX_NAME_LENGTH = 60;

/**
 * Letters that were left out, typed too much, typed instead of another, or exchanged with the next one (the distance of Damerau and
 * Levenshtein, each place changed once).
 *
 * @returns undefined for more than `max`.
 */
function typos(from: string, to: string, max: number): number | undefined {
  if (Math.abs(from.length - to.length) > max || Math.max(from.length, to.length) > MAX_NAME_LENGTH) {
    return undefined;
  }
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1];
      let cost = Math.min(at(last, j - 1) + (isSame ? 0 : 1), at(last, j) + 1, at(row, j - 1) + 1);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > max) {
      return undefined;
    }
    [beforeLast, last] = [last, row];
  }
  const distance = at(last, to.length);
  return distance <= max ? distance : undefined;
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
