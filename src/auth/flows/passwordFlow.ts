import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import { askText } from '../../workbench/textInput.ts';
import type { Flow, FlowContext, Grant } from './flow.ts';

/**
 * User name and password buy an authentication token (contract, endpoint 3), and that an access token where this
 * extension is registered. The password is used once and never stored.
 */
export class PasswordFlow implements Flow {
  readonly id = 'password';
  readonly label = vscode.l10n.t('User Name and Password');
  readonly detail = vscode.l10n.t(
    'The password is used once and not stored. Not for accounts of a code-hosting login.',
  );

  worksIn(): boolean {
    return true;
  }

  async run({ service, client, registration, signal }: FlowContext): Promise<Grant> {
    const authToken = await client.createAuthenticationToken(
      await askForPassword(new URL(service.url.href).host, signal),
      signal,
    );
    if (registration !== undefined) {
      const accessToken = await client.exchangeAuthenticationToken({ ...registration, authToken }, signal);
      return { token: { type: 'accessToken', accessToken }, proven: true };
    }
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'You are signed in with a simple authentication token, because this extension is not registered with the service. The service recommends OAuth for anything but trying out: connect with a client ID and secret for that.',
      ),
    );
    return { token: { type: 'authToken', authToken }, proven: true };
  }
}

/** Asks for user name and password, the password masked. */
export async function askForPassword(
  host: string,
  signal?: AbortSignal,
): Promise<{ readonly username: string; readonly password: string }> {
  const title = vscode.l10n.t('Sign In to {0}', host);
  for (let username = ''; ;) {
    const name = await askText(
      {
        title,
        step: 1,
        totalSteps: 2,
        prompt: vscode.l10n.t('Your user name at the service.'),
        placeholder: vscode.l10n.t('User name'),
        value: username,
        // RFC 7617 §2: a colon would end the user name.
        check: (text) =>
          text === '' || text.includes(':') ? vscode.l10n.t('Enter a user name without a colon.') : undefined,
      },
      signal,
    );
    if (name === 'back') {
      throw new CancelledError();
    }
    username = name.text;
    const password = await askText(
      {
        title,
        step: 2,
        totalSteps: 2,
        prompt: vscode.l10n.t('Used once to get a token, and not stored.'),
        placeholder: vscode.l10n.t('Password'),
        secret: true,
        exact: true,
        check: (text) => (text === '' ? vscode.l10n.t('Enter your password.') : undefined),
      },
      signal,
    );
    if (password !== 'back') {
      return { username, password: password.text };
    }
  }
}
