import { timingSafeEqual } from 'node:crypto';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import type { Log } from '../../workbench/log.ts';
import { MAX_UNCONFIRMED_ANSWERS } from '../limits.ts';
import { readCallback, type Callback, type PastedCallback } from './callback.ts';

/** A callback that could be read. */
export type Answer = Exclude<Callback, { readonly kind: 'invalid' }>;

/** The service's answer to a sign-in that a person started (RFC 6749 §4.1.2). */
export type AuthorizationResponse = Answer & {
  /** True when the service sent the right `state` back: then the answer belongs to this sign-in. */
  readonly stateVerified: boolean;
};

/** A sign-in that waits for the browser. */
interface PendingSignIn {
  /** Origin of the service. One sign-in waits at each. */
  readonly origin: string;
  readonly state: string;
  /** The service has sent `state` back before: an answer without it is not the service's. */
  readonly stateRequired: boolean;
  /** The page in the browser that it waits for. */
  readonly page: string;
  /** Asks the person whether an answer without `state` is the one that they have just given on that page. */
  readonly confirm: (answer: Answer) => Promise<boolean>;
}

interface PendingEntry extends PendingSignIn {
  /** Aborts when the wait is over, however it ends. */
  readonly signal: AbortSignal;
  readonly resolve: (response: AuthorizationResponse) => void;
  readonly cancel: () => void;
}

/** `accepted` also while the person is being asked about the callback. */
export type CallbackOutcome =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly reason: Sentence; readonly unsolicited?: true };

/**
 * The sign-ins of this window that wait for the browser. Every web page and every program can forge an answer (RFC 9700 §4.7).
 * Sign-ins at several services can wait at the same time. Each accepts one answer:
 *
 * - An answer with the `state` of a sign-in completes that sign-in immediately.
 * - An answer with an unknown `state` is ignored.
 * - The contract allows answers without `state`. They're ignored if the service has sent `state` before. Otherwise the user has to
 *   confirm such an answer. Until then, neither its code nor its refusal has an effect, and an answer with the right `state` wins.
 *
 * An answer that isn't accepted causes no request and isn't stored.
 */
export class PendingSignIns {
  readonly #log: Pick<Log, 'error'>;
  readonly #onChange: (waiting: boolean) => void;
  /** By the origin of the service, in the order in which they started. */
  readonly #pending = new Map<string, PendingEntry>();
  /** Settles when the person has answered every question so far: there is one at a time. */
  #questions: Promise<unknown> = Promise.resolve();
  #unconfirmed = 0;

  /** @param onChange is called when a sign-in starts to wait (true) and when none waits any more (false). */
  constructor(log: Pick<Log, 'error'>, onChange: (waiting: boolean) => void) {
    this.#log = log;
    this.#onChange = onChange;
  }

  /**
   * Waits for the answer to the sign-in that sent `state`.
   *
   * @throws CancelledError when `signal` aborts, or another sign-in at the same service starts to wait.
   */
  async wait(signIn: PendingSignIn, signal: AbortSignal): Promise<AuthorizationResponse> {
    return new Promise<AuthorizationResponse>((resolve, reject) => {
      const over = new AbortController();
      const end = () => {
        signal.removeEventListener('abort', cancel);
        over.abort();
        if (this.#pending.get(signIn.origin) === pending) {
          this.#pending.delete(signIn.origin);
          if (this.#pending.size === 0) {
            this.#onChange(false);
          }
        }
      };
      const cancel = () => {
        end();
        reject(new CancelledError());
      };
      const pending: PendingEntry = {
        ...signIn,
        signal: over.signal,
        resolve: (response) => {
          end();
          resolve(response);
        },
        cancel,
      };
      if (signal.aborted) {
        cancel();
        return;
      }
      this.#pending.get(signIn.origin)?.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      this.#pending.set(signIn.origin, pending);
      this.#onChange(true);
    });
  }

  /** Hands a callback's query to the sign-in that it belongs to. */
  handleCallback(query: string): CallbackOutcome {
    const callback = readCallback(query);
    if (callback.kind === 'invalid') {
      return { accepted: false, reason: callback.reason };
    }
    const pending = [...this.#pending.values()];
    if (pending.length === 0) {
      return { accepted: false, reason: sentence('No sign-in is waiting for one.'), unsolicited: true };
    }
    const { state } = callback;
    if (state !== undefined) {
      return accept(
        callback,
        pending.find((signIn) => isEqual(state, signIn.state)),
      );
    }
    const takers = pending.filter(({ stateRequired }) => !stateRequired).reverse();
    return takers.length === 0
      ? { accepted: false, reason: sentence('It lacks the state that this service always returns.'), unsolicited: true }
      : this.#ask(callback, takers);
  }

  /**
   * Hands over what the person pasted for the sign-in at this origin, or for the latest. It needs no
   * confirmation of its own; without `state` its origin is unknown, so that the person confirms the account.
   */
  handlePasted(pasted: Exclude<PastedCallback, { readonly kind: 'unusable' }>, origin?: string): CallbackOutcome {
    const pending = this.#find(origin);
    const callback: Callback =
      pasted.kind === 'url' ? readCallback(pasted.query) : { kind: 'code', code: pasted.code, state: undefined };
    if (callback.kind === 'invalid') {
      return { accepted: false, reason: callback.reason };
    }
    if (pending === undefined) {
      return { accepted: false, reason: sentence('No sign-in is waiting for one.') };
    }
    if (callback.state !== undefined) {
      return accept(callback, isEqual(callback.state, pending.state) ? pending : undefined);
    }
    // A bare code never has a state with it.
    if (pasted.kind === 'url' && pending.stateRequired) {
      return { accepted: false, reason: sentence('It lacks the state that this service always returns.') };
    }
    pending.resolve({ ...callback, stateVerified: false });
    return { accepted: true };
  }

  /** Aborts when the sign-in at this origin, or the latest one, no longer waits; undefined when none is pending. */
  signal(origin?: string): AbortSignal | undefined {
    return this.#find(origin)?.signal;
  }

  /** The page that the sign-in at this origin waits for, or the latest one; undefined when none is pending. */
  page(origin?: string): string | undefined {
    return this.#find(origin)?.page;
  }

  /** The `state` of each sign-in that this window waits for, and whether one of them takes an answer without. */
  get expected(): { readonly states: readonly string[]; readonly withoutState: boolean } {
    const pending = [...this.#pending.values()];
    return {
      states: pending.map(({ state }) => state),
      withoutState: pending.some(({ stateRequired }) => !stateRequired),
    };
  }

  #find(origin: string | undefined): PendingEntry | undefined {
    return origin === undefined ? [...this.#pending.values()].at(-1) : this.#pending.get(origin);
  }

  /** Has the person say which of these sign-ins the answer is for, if any. */
  #ask(answer: Answer, takers: readonly PendingEntry[]): CallbackOutcome {
    if (this.#unconfirmed >= MAX_UNCONFIRMED_ANSWERS) {
      return { accepted: false, reason: sentence('Too many others wait for a confirmation.') };
    }
    this.#unconfirmed += 1;
    const ask = async () => {
      for (const signIn of takers) {
        if (!signIn.signal.aborted && (await signIn.confirm(answer))) {
          signIn.resolve({ ...answer, stateVerified: false });
          return;
        }
      }
    };
    this.#questions = this.#questions
      .then(ask)
      .catch((error: unknown) => this.#log.error('Asking about a sign-in callback', error))
      .finally(() => (this.#unconfirmed -= 1));
    return { accepted: true };
  }
}

function accept(answer: Answer, signIn: PendingEntry | undefined): CallbackOutcome {
  if (signIn === undefined) {
    return { accepted: false, reason: sentence('It belongs to another sign-in.'), unsolicited: true };
  }
  signIn.resolve({ ...answer, stateVerified: true });
  return { accepted: true };
}

/** Compares in constant time. */
function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
