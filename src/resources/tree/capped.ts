/**
 * How much of each section is shown when all of them together may have `limit` rows. The longest are cut first, so that
 * what stands after a long list can still be reached.
 *
 * @param lengths of the sections
 */
export function capped(lengths: readonly number[], limit: number): readonly number[] {
  let left = limit;
  const ascending = [...lengths].sort((a, b) => a - b);
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (length > share) {
      return lengths.map((whole) => Math.min(whole, share));
    }
    left -= length;
  }
  return lengths;
}
