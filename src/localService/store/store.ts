import type { State } from './state.ts';

/** A next state and what the caller gets once that state is safe. */
export interface Change<T> {
  readonly state: State;
  readonly result: T;
}

/**
 * Holds the state. Changes happen one after the other; each is written before it counts, so that an acknowledged
 * change survives a crash, and a change that could not be written never happened.
 */
export class Store {
  #state: State;
  readonly #write: (state: State) => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();

  /** @param write makes a state safe; keeps nothing when it throws */
  constructor(state: State, write: (state: State) => Promise<void>) {
    this.#state = state;
    this.#write = write;
  }

  get state(): State {
    return this.#state;
  }

  /**
   * Replaces the state by what `change` makes of the latest one. Returning the same state writes nothing; what `change`
   * throws reaches the caller and changes nothing.
   */
  update<T>(change: (state: State) => Change<T>): Promise<T> {
    const run = async (): Promise<T> => {
      const { state, result } = change(this.#state);
      if (state !== this.#state) {
        await this.#write(state);
        this.#state = state;
      }
      return result;
    };
    const done = this.#last.then(run, run);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when every change so far is on disk or has failed. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
