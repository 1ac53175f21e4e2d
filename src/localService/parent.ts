import { callbackUrlFault } from './store/accounts.ts';
import { StartError } from './errors.ts';

/**
 * Serves the program that started this one, over the channel between them: a message `{callbackUrl}` changes the demo
 * client's Callback Url and is answered with `{callbackUrl}`, or with `{error}`. In a browser, an editor has another way
 * back for each sign-in. Nobody but the parent can send such a message.
 *
 * @param register makes the change; what it throws is answered as the error.
 */
export function serveParent(register: (callbackUrl: string) => Promise<void>): void {
  process.on('message', (message: unknown) => {
    void answer(message, register).then((reply) => process.send?.(reply));
  });
}

async function answer(
  message: unknown,
  register: (callbackUrl: string) => Promise<void>,
): Promise<{ callbackUrl: string } | { error: string }> {
  const callbackUrl =
    typeof message === 'object' && message !== null && 'callbackUrl' in message ? message.callbackUrl : undefined;
  if (typeof callbackUrl !== 'string') {
    return { error: 'The message has no callbackUrl.' };
  }
  const fault = callbackUrlFault(callbackUrl);
  if (fault !== undefined) {
    return { error: fault };
  }
  try {
    await register(callbackUrl);
    return { callbackUrl };
  } catch (error) {
    return { error: error instanceof StartError ? error.message : 'The Callback Url could not be saved.' };
  }
}
