/** How much a reader looks at a document: the same each time, however busy the machine is. */

export interface Steps {
  /** Looks at a member, an element or a list of names, all together. */
  readonly total: number;
  /** The most of them between two turns of the event loop. */
  readonly largest: number;
}

/**
 * Counts what some work looks at in a JSON value.
 *
 * @param read gets the value, in which each look is counted
 */
export async function countSteps(value: unknown, read: (counted: unknown) => Promise<unknown>): Promise<Steps> {
  let total = 0;
  let sinceTurn = 0;
  let largest = 0;
  const look = (): void => {
    total += 1;
    sinceTurn += 1;
    largest = Math.max(largest, sinceTurn);
  };
  const watched = new WeakMap<object, unknown>();
  const watch = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) {
      return part;
    }
    const known = watched.get(part);
    if (known !== undefined) {
      return known;
    }
    const proxy = new Proxy(part, {
      get(target, name) {
        look();
        return watch(Reflect.get(target, name));
      },
      getOwnPropertyDescriptor(target, name) {
        look();
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
      ownKeys(target) {
        look();
        return Reflect.ownKeys(target);
      },
    });
    watched.set(part, proxy);
    return proxy;
  };
  let next: NodeJS.Immediate;
  const turn = (): void => {
    sinceTurn = 0;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  try {
    await read(watch(value));
  } finally {
    clearImmediate(next);
  }
  return { total, largest };
}
