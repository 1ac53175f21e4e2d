/**
 * The known name that was probably meant.
 *
 * @returns undefined when none is close enough.
 */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  return [...known].find((each) => each.toLowerCase() === name.toLowerCase());
}
