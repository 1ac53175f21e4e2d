/**
 * Returns the known name that was probably meant: the one with the fewest typing errors, ignoring case. Never suggests
 * the opposite, such as `allow` for `disallow`.
 *
 * @returns undefined if the name is known or none is close enough
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

/** Reports whether one name is a misspelling of the other. */
export function areSimilar(name: string, other: string): boolean {
  return isWithin(name.toLowerCase(), other.toLowerCase(), allowedTypos(name, other));
}

/**
 * Reports whether one name negates the other, such as `disallow-navigation` and `allow-navigation`, or `ModeDisabled`
 * and `ModeEnabled`.
 */
function isOpposite(name: string, other: string): boolean {
  const [words, others] = [splitWords(name), splitWords(other)];
  return (
    negationsIn(words) !== negationsIn(others) ||
    words.some((word) => others.some((each) => isNegation(word, each) || isNegation(each, word)))
  );
}

/** Returns the words of a name in lower case, followed by all words joined into one. */
function splitWords(name: string): readonly string[] {
  const spaced = name.replace(/([a-z\d])([A-Z])/g, '$1 $2');
  const words = spaced.toLowerCase().split(/[\s_.:-]+/);
  return [...words, words.join('')];
}

/** Matches words that negate. */
const NEGATION = /^(?:no|non|not|never|off|without)$|block|deny|disabl|exclud|external|forbid|skip|stop/;
/** Prefixes that negate a word: `disallow`, `insecure`, `untrusted`. */
const NEGATING_STARTS = ['de', 'dis', 'in', 'no', 'non', 'not', 'un'] as const;

function negationsIn(words: readonly string[]): string {
  return words.flatMap((word) => NEGATION.exec(word)?.[0] ?? []).join(' ');
}

/** Reports whether one word negates the other, such as `disallow` and `allow`. Tolerates one typing error. */
function isNegation(word: string, plain: string): boolean {
  return NEGATING_STARTS.some((start) => {
    const rest = word.slice(start.length);
    return word.startsWith(start) && plain.startsWith(rest.charAt(0)) && isWithin(rest, plain, 1);
  });
}

/** Returns the number of typing errors that a name may contain: one per four letters, at most three. */
function allowedTypos(name: string, other: string): number {
  return Math.min(3, Math.floor((Math.max(name.length, other.length) + 1) / 4));
}

/**
 * Reports whether at most this many typing errors turn one string into the other. A typing error is a missing, extra,
 * or wrong letter, or two swapped letters.
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
