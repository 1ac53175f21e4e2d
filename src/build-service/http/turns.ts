/**
 * Returns a function that runs tasks in order, a few in each turn of the event loop. Work that has begun continues once per turn, for
 * example after it has written to a file, so it would otherwise wait for all new tasks each time.
 *
 * @param count maximum number of tasks per turn
 */
export function createTurns(count: number): (task: () => void) => void {
  const waiting: (() => void)[] = [];
  const run = (): void => {
    for (const task of waiting.splice(0, count)) {
      task();
    }
    if (waiting.length > 0) {
      setImmediate(run);
    }
  };
  return (task) => {
    if (waiting.push(task) === 1) {
      setImmediate(run);
    }
  };
}
