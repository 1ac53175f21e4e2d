import * as vscode from 'vscode';
import type { Input } from '../../workbench/input.ts';
import { localised } from '../../workbench/notifications.ts';
import { readPastedCallback } from '../callback/callback.ts';
import type { PendingSignIns } from '../callback/pendingSignIns.ts';
import { CallbackFlow } from './callbackFlow.ts';
import type { Environment, FlowContext } from './flow.ts';

/** For hosts that no callback can reach: the person pastes the callback's address. */
export class PastedCallbackFlow extends CallbackFlow {
  readonly id = 'pastedCallback';
  readonly label = vscode.l10n.t('Browser, Pasting the Result');
  readonly detail = vscode.l10n.t(
    'Allow access on the service’s page, then paste the address that the browser ends at.',
  );

  worksIn({ registered }: Environment): boolean {
    return registered;
  }

  protected listen(): Promise<vscode.Disposable> {
    return Promise.resolve(vscode.Disposable.from());
  }

  protected override async whileWaiting({ input, service, signal }: FlowContext): Promise<void> {
    await askForCallback(input, this.callbacks.pending, service.url.origin, signal);
  }
}

/**
 * Lets a person paste the callback's address, or the code in it, for a pending sign-in. What does not fit is answered
 * in the box.
 *
 * @param origin the service of the sign-in; the latest one when it is undefined.
 * @throws CancelledError when the box is closed or `signal` aborts.
 */
export async function askForCallback(
  input: Input,
  pending: PendingSignIns,
  origin?: string,
  signal = pending.signal(origin),
): Promise<void> {
  await input.askText(
    {
      title: vscode.l10n.t('Sign In'),
      prompt: vscode.l10n.t('Paste the whole address that the browser ended at, or the code in it.'),
      placeholder: 'https://…?code=…',
      secret: true,
      validate: (text) => handlePasted(text, pending, origin),
    },
    signal,
  );
}

/** Hands what was pasted to the pending sign-in. @returns what is wrong with it. */
function handlePasted(text: string, pending: PendingSignIns, origin: string | undefined): string | undefined {
  const pasted = readPastedCallback(text);
  if (pasted.kind === 'unusable') {
    return vscode.l10n.t(
      'This is neither the address that the browser ended at nor a code. The address contains “code=”.',
    );
  }
  if (pending.page(origin) === undefined) {
    return vscode.l10n.t('No sign-in is waiting any more. Start it again.');
  }
  const outcome = pending.handlePasted(pasted, origin);
  return outcome.accepted ? undefined : vscode.l10n.t('This address does not fit: {0}', localised(outcome.reason));
}
