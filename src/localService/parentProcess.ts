/** The process that started this one: what it asks for, and its end. */
import { fstatSync } from 'node:fs';

import { callbackUrlFault } from './store/clients.ts';

/** When the program should end. */
export interface EndOfWork {
  readonly ended: Promise<void>;
  /** From here on, the end of a piped standard input counts. An input that had ended before tells nothing of the parent. */
  readonly endWithInput: () => void;
}

/**
 * Watches for the end: by a signal, or because the process that started this one is gone. That shows in the channel to
 * it, or in a piped standard input.
 */
export function watchForEnd(): EndOfWork {
  let endsWithInput = false;
  const ended = new Promise<void>((resolve) => {
    const end = (): void => resolve();
    process.on('SIGINT', end);
    process.on('SIGTERM', end);
    if (process.connected) {
      process.on('disconnect', end);
    }
    if (stdinIsPipe()) {
      const onInputEnd = (): void => {
        if (endsWithInput) {
          end();
        }
      };
      process.stdin.on('end', onInputEnd).on('error', onInputEnd).resume();
    }
  });
  return {
    ended,
    endWithInput: () => {
      endsWithInput = true;
    },
  };
}

function stdinIsPipe(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

/** Changes the Callback Url of the demo client. */
type ChangeCallbackUrl = (callbackUrl: string) => void;

/**
 * Answers the process that started this one, over the channel between them: a message `{callbackUrl}` changes the demo
 * client's Callback Url and is answered with `{callbackUrl}`, or with `{error}`. In a browser, VS Code has another way
 * back for each sign-in. Nobody but the parent can send such a message.
 */
export function answerParent(changeCallbackUrl: ChangeCallbackUrl): void {
  process.on('message', (message: unknown) => {
    process.send?.(answerMessage(message, changeCallbackUrl));
  });
}

function answerMessage(
  message: unknown,
  changeCallbackUrl: ChangeCallbackUrl,
): { callbackUrl: string } | { error: string } {
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
    changeCallbackUrl(callbackUrl);
    return { callbackUrl };
  } catch {
    return { error: 'The Callback Url could not be saved.' };
  }
}
