import type { State } from './model.ts';
import { signValue } from './secrets.ts';

/** The next state, and what the caller gets once that state is safe. */
export interface Change<T> {
  readonly state: State;
  readonly result: T;
}

/**
 * Holds the data of the service. Changes happen one after the other; each is written before it counts, so that an
 * acknowledged change survives a crash, and a change that could not be written never happened.
 *
 * The modules beside this one read and change the data; all others call those modules and never see a {@link State}.
 */
export class Store {
  #state: State;
  readonly #write: (state: State) => Promise<void>;
  #lastChange: Promise<unknown> = Promise.resolve();

  /** @param write makes a state safe; keeps nothing when it rejects */
  constructor(state: State, write: (state: State) => Promise<void>) {
    this.#state = state;
    this.#write = write;
  }

  /** The data as of the last change. A state never changes: as long as this is the same object, nothing has changed. */
  get state(): State {
    return this.#state;
  }

  /**
   * Replaces the state by what `change` makes of the latest one. The same state again is not written; what `change` throws
   * reaches the caller and changes nothing.
   *
   * @returns the result of `change`, once the state is written
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
    const done = this.#lastChange.then(run, run);
    this.#lastChange = done.catch(() => undefined);
    return done;
  }

  /** {@link update} for a change without a result. */
  replace(change: (state: State) => State): Promise<void> {
    return this.update((state) => ({ state: change(state), result: undefined }));
  }

  /** Resolves when every change so far is written or has failed. */
  async settled(): Promise<void> {
    await this.#lastChange;
  }

  /** The port of the last run; `null` before the first. Clients keep tokens per origin, so it is used again. */
  get lastPort(): number | null {
    return this.#state.port;
  }

  setLastPort(port: number): Promise<void> {
    return this.replace((state) => (state.port === port ? state : { ...state, port }));
  }

  /** Signs with the key of this store, base64url. `purpose` keeps a signature made for one thing from being valid for another. */
  sign(purpose: string, value: string): string {
    return signValue(this.#state.signingKey, purpose, value);
  }
}
