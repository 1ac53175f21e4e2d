/** The first file looks at a window in which nothing has run yet. */
const FIRST = 'activation.test.cjs';

/** Files in an order that the seed alone decides; as they are without one. */
export function inOrderOf(seed: string | undefined, files: readonly string[]): readonly string[] {
  if (seed === undefined) {
    return files;
  }
  let state = Array.from(seed).reduce((sum, character) => Math.imul(sum, 31) + character.charCodeAt(0), 7) >>> 0;
  // A linear congruential generator is random enough for an order, and the same everywhere.
  const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const keys = new Map(files.map((file) => [file, file === FIRST ? -1 : random()]));
  return files.toSorted((left, right) => (keys.get(left) ?? 0) - (keys.get(right) ?? 0));
}
