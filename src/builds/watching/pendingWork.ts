/** Work that nobody waits for, except when all of it is to be finished. */
export class PendingWork {
  readonly #pending = new Set<Promise<void>>();
  readonly #failed: (error: unknown) => void;

  /** @param failed is told of work that rejects. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  run(work: () => Promise<void>): void {
    const running = work()
      .catch(this.#failed)
      .finally(() => this.#pending.delete(running));
    this.#pending.add(running);
  }

  /** Resolves when nothing is under way, what was begun in the meantime included. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) {
      await Promise.all(this.#pending);
    }
  }
}

/**
 * Work that is done one at a time: calls while it is under way have it done once more, together, afterwards.
 *
 * @returns what asks for it; the promise resolves when it has been done since the call.
 */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isWanted = false;
  const repeat = async () => {
    while (isWanted) {
      isWanted = false;
      await work();
    }
  };
  return () => {
    isWanted = true;
    running ??= repeat().finally(() => {
      running = undefined;
    });
    return running;
  };
}
