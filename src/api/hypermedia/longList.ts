/** Items between two steps; reading them takes about two milliseconds. */
const IN_A_STEP = 4096;

/** Calls `read` with every item of a list, and stops between steps, so that others can run. */
export function* readSteps<Item>(
  items: readonly Item[],
  read: (item: Item, index: number) => void,
): Generator<undefined, void> {
  for (let from = 0; from < items.length; from += IN_A_STEP) {
    if (from > 0) {
      yield;
    }
    const end = Math.min(items.length, from + IN_A_STEP);
    for (let index = from; index < end; index += 1) {
      read(items[index] as Item, index);
    }
  }
}
