import { timingSafeEqual } from 'node:crypto';
import { CancelledError, sentence, type Sentence } from '../../../errors/index.ts';
import type { Log } from '../../workbench/log.ts';
import { MAX_UNCONFIRMED_ANSWERS } from '../limits.ts';
import { readCallback, type Callback, type PastedCallback } from './callback.ts';

/** Reasons to reject a callback. */
const NOTHING_PENDING = sentence('No sign-in is waiting for an address.');
const WITHOUT_STATE = sentence('It doesn’t contain the state that this service always returns.');

/** Callback that was parsed successfully. */
export type CallbackAnswer = Exclude<Callback, { readonly kind: 'invalid' }>;

/** The service's response to a sign-in that the user started (RFC 6749 §4.1.2). */
export type AuthorizationResponse = CallbackAnswer & {
  /** Whether the service returned the right `state`, which proves that the response belongs to this sign-in. */
  readonly stateVerified: boolean;
};

/** Sign-in that is waiting for the browser. */
interface PendingSignIn {
  /** Origin of the service. Only one sign-in per service can wait at a time. */
  readonly origin: string;
  readonly state: string;
  /** Whether a response must have a `state`, because the service has returned it before. */
  readonly stateRequired: boolean;
  /** URL of the page in the browser. */
  readonly page: string;
  /** Asks the user whether a response without `state` is the one they just gave on that page. */
  readonly confirm: (answer: CallbackAnswer) => Promise<boolean>;
}

interface PendingEntry extends PendingSignIn {
  /** Aborts when the wait ends for any reason. */
  readonly signal: AbortSignal;
  readonly resolve: (response: AuthorizationResponse) => void;
  readonly cancel: () => void;
}

/** Result of handling a callback. `accepted` is also true while the user is being asked about the callback. */
export type CallbackOutcome =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly reason: Sentence; readonly unsolicited?: true };

/**
 * This window's sign-ins that are waiting for the browser. Any web page or program can forge a response (RFC 9700 §4.7). Sign-ins at
 * several services can wait at the same time. Each accepts one response:
 *
 * - A response with the `state` of a sign-in completes that sign-in immediately.
 * - A response with an unknown `state` is ignored.
 * - The contract allows responses without `state`. Such a response is ignored if the service has returned `state` before. Otherwise, the
 *   user must confirm the response. Until then, neither its code nor its refusal has an effect, and a response with the right `state` takes
 *   precedence.
 *
 * A response that isn't accepted causes no request and isn't stored.
 */
export class PendingSignIns {
  readonly #log: Pick<Log, 'error'>;
  readonly #onChange: (waiting: boolean) => void;
  /** Pending sign-ins by service origin, in start order. */
  readonly #pending = new Map<string, PendingEntry>();
  /** Settles when the user has answered all questions so far. Only one is open at a time. */
  #questions: Promise<unknown> = Promise.resolve();
  #unconfirmed = 0;

  /** @param onChange called with true when a sign-in starts waiting, and with false when none is waiting anymore. */
  constructor(log: Pick<Log, 'error'>, onChange: (waiting: boolean) => void) {
    this.#log = log;
    this.#onChange = onChange;
  }

  /**
   * Waits for the response to the sign-in that sent `state`.
   *
   * @throws {@link CancelledError} when `signal` aborts, or another sign-in at the same service starts waiting.
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

  /** Passes a callback to the matching sign-in. @param query query of the callback URL, without the question mark. */
  handleCallback(query: string): CallbackOutcome {
    const callback = readCallback(query);
    if (callback.kind === 'invalid') {
      return { accepted: false, reason: callback.reason };
    }
    const pending = [...this.#pending.values()];
    if (pending.length === 0) {
      return { accepted: false, reason: NOTHING_PENDING, unsolicited: true };
    }
    const { state } = callback;
    if (state !== undefined) {
      return accept(
        callback,
        pending.find((signIn) => isEqualInConstantTime(state, signIn.state)),
      );
    }
    const takers = pending.filter(({ stateRequired }) => !stateRequired).reverse();
    return takers.length === 0
      ? {
          accepted: false,
          reason: WITHOUT_STATE,
          unsolicited: true,
        }
      : this.#ask(callback, takers);
  }

  /**
   * Passes pasted text to the sign-in at this origin, or to the latest one. The user isn't asked to confirm the text. Text without `state`
   * may come from anywhere, so the user must confirm the account later.
   */
  handlePasted(pasted: Exclude<PastedCallback, { readonly kind: 'unusable' }>, origin?: string): CallbackOutcome {
    const pending = this.#find(origin);
    const callback: Callback =
      pasted.kind === 'url' ? readCallback(pasted.query) : { kind: 'code', code: pasted.code, state: undefined };
    if (callback.kind === 'invalid') {
      return { accepted: false, reason: callback.reason };
    }
    if (pending === undefined) {
      return { accepted: false, reason: NOTHING_PENDING };
    }
    if (callback.state !== undefined) {
      return accept(callback, isEqualInConstantTime(callback.state, pending.state) ? pending : undefined);
    }
    // A bare code never includes a state.
    if (pasted.kind === 'url' && pending.stateRequired) {
      return { accepted: false, reason: WITHOUT_STATE };
    }
    pending.resolve({ ...callback, stateVerified: false });
    return { accepted: true };
  }

  /**
   * Returns a signal that aborts when the sign-in at this origin, or the latest one, stops waiting. Returns undefined
   * when none is pending.
   */
  signal(origin?: string): AbortSignal | undefined {
    return this.#find(origin)?.signal;
  }

  /**
   * Returns the URL of the page that the sign-in at this origin, or the latest one, is waiting for. Returns undefined when none is pending.
   */
  page(origin?: string): string | undefined {
    return this.#find(origin)?.page;
  }

  /** `state` of each pending sign-in, and whether any of them accepts a response without `state`. */
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

  /** Asks the user which of these sign-ins the response belongs to, if any. */
  #ask(answer: CallbackAnswer, takers: readonly PendingEntry[]): CallbackOutcome {
    if (this.#unconfirmed >= MAX_UNCONFIRMED_ANSWERS) {
      return { accepted: false, reason: sentence('Too many other addresses are waiting to be confirmed.') };
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

function accept(answer: CallbackAnswer, signIn: PendingEntry | undefined): CallbackOutcome {
  if (signIn === undefined) {
    return { accepted: false, reason: sentence('It belongs to another sign-in.'), unsolicited: true };
  }
  signIn.resolve({ ...answer, stateVerified: true });
  return { accepted: true };
}

/** Compares two strings in constant time. */
function isEqualInConstantTime(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
