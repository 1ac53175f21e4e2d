/**
 * The known name that was probably meant: the one with the fewest typing errors. Case does not count. The opposite is never meant.
 *
 * @returns undefined when none is close enough, and for a name that is known.
 */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) {
    return undefined;
  }
  const lowered = name.toLowerCase();
  for (let errors = 0; errors <= 3; errors += 1) {
    const found = known.find(
      (each) =>
        errors <= allowedTypos(name, each) && isWithin(lowered, each.toLowerCase(), errors) && !isOpposite(name, each),
    );
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** True when one name is the other one, misspelt. */
export function areSimilar(name: string, other: string): boolean {
  return isWithin(name.toLowerCase(), other.toLowerCase(), allowedTypos(name, other));
}

/** True when one name says no where the other says yes: `disallow-navigation` and `allow-navigation`, `ModeDisabled` and `ModeEnabled`. */
function isOpposite(name: string, other: string): boolean {
  const [words, others] = [wordsOf(name), wordsOf(other)];
  return (
    negationsIn(words) !== negationsIn(others) ||
    words.some((word) => others.some((each) => isNegationOf(word, each) || isNegationOf(each, word)))
  );
}

/** The words of a name in lower case, and all of them as one, as some write it. */
function wordsOf(name: string): readonly string[] {
  const spaced = name.replace(/([a-z\d])([A-Z])/g, '$1 $2');
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
    return word.startsWith(start) && plain.startsWith(rest.charAt(0)) && isWithin(rest, plain, 1);
  });
}

/** Typing errors that a name may have: one in four letters, none in the shortest, and three at most. */
function allowedTypos(name: string, other: string): number {
  return Math.min(3, Math.floor((Math.max(name.length, other.length) + 1) / 4));
}

/**
 * Whether so many typing errors, or fewer, make one text of the other: a letter is left out, typed too much, typed instead of another,
 * or exchanged with the next one.
 */
function isWithin(text: string, other: string, errors: number): boolean {
  let same = 0;
  while (same < text.length && text[same] === other[same]) {
    same += 1;
  }
  const [rest, otherRest] = [text.slice(same), other.slice(same)];
  if (rest === '' || otherRest === '') {
    return rest.length + otherRest.length <= errors;
  }
  if (errors === 0 || Math.abs(rest.length - otherRest.length) > errors) {
    return false;
  }
  const exchanged = rest.charAt(1) + rest.charAt(0);
  return (
    isWithin(rest.slice(1), otherRest, errors - 1) ||
    isWithin(rest, otherRest.slice(1), errors - 1) ||
    isWithin(rest.slice(1), otherRest.slice(1), errors - 1) ||
    (otherRest.startsWith(exchanged) && isWithin(rest.slice(2), otherRest.slice(2), errors - 1))
  );
}
