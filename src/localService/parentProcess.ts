/** The process that started this one: its questions, and its end. */
import { ticketUrl } from './routes/signIn.ts';
import { validateCallbackUrl } from './store/clients.ts';
import { ensureOwnerCredentials, issueOwnerAccessToken } from './store/owner.ts';
import type { Store } from './store/store.ts';

/** Resolves when the program should end: by a signal, or because the process that started this one is gone and its channel with it. */
export function watchForEnd(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => resolve();
    process.on('SIGINT', end);
    process.on('SIGTERM', end);
    if (process.connected) {
      process.on('disconnect', end);
    }
  });
}

/** A message of the parent; nothing of it is certain. */
type Message = Readonly<Partial<Record<'id' | 'callbackUrl' | 'ask' | 'path', unknown>>>;

/**
 * Answers the process that started this one, over the channel between them. Only the parent can send such a message, so
 * that it speaks for the owner of the service:
 *
 * - `{id, callbackUrl}` changes the Callback Url of the owner's client: in a browser, VS Code has another way back for each
 *   sign-in. The answer repeats it.
 * - `{id, ask: 'accessToken'}` asks for a token of the owner for that client.
 * - `{id, ask: 'signInPage', path}` asks for the address of a page that signs a browser in as the owner, once, and leads on to `path`.
 *
 * They are answered with `{id, value}` or, after a failure, with `{id, error}`, a sentence for a person.
 *
 * @param baseUrl of the service, which another process may run
 */
export function answerParent(store: Store, baseUrl: string): void {
  process.on('message', (message: unknown) => {
    const known = typeof message === 'object' && message !== null ? (message as Message) : {};
    process.send?.({ id: known.id, ...answerMessage(store, baseUrl, known) });
  });
}

/** The answer, without the `id` of the message. */
function answerMessage(store: Store, baseUrl: string, { callbackUrl, ask, path }: Message): object {
  try {
    if (ask === 'accessToken') {
      return { value: issueOwnerAccessToken(store) };
    }
    if (ask === 'signInPage' && typeof path === 'string') {
      return { value: ticketUrl(store, baseUrl, path) };
    }
    if (typeof callbackUrl !== 'string') {
      return { error: 'The message asks for nothing that is known.' };
    }
    const fault = validateCallbackUrl(callbackUrl);
    if (fault !== undefined) {
      return { error: fault };
    }
    ensureOwnerCredentials(store, callbackUrl);
    return { value: callbackUrl };
  } catch {
    return { error: 'The data of the service could not be written.' };
  }
}
