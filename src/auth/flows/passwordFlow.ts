import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { Input } from '../../workbench/input.ts';
import type { Flow, FlowContext, Grant } from './flow.ts';

/**
 * User name and password are exchanged for an authentication token (contract, endpoint 3), and that for an access token
 * where this extension is registered. The password is used once and never stored.
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

  async run({ service, client, registration, input, signal }: FlowContext): Promise<Grant> {
    const credentials = await askForPassword(input, new URL(service.url.href).host, signal);
    const authToken = await client.createAuthenticationToken(credentials, signal);
    if (registration === undefined) {
      return { token: { type: 'authToken', authToken }, stateVerified: true };
    }
    const accessToken = await client.exchangeAuthenticationToken({ ...registration, authToken }, signal);
    return { token: { type: 'accessToken', accessToken }, stateVerified: true };
  }
}

/**
 * Asks for user name and password, the password masked.
 *
 * @throws CancelledError when a box is closed or `signal` aborts.
 */
export async function askForPassword(
  input: Input,
  host: string,
  signal?: AbortSignal,
): Promise<{ readonly username: string; readonly password: string }> {
  const title = vscode.l10n.t('Sign In to {0}', host);
  for (let username = ''; ;) {
    const name = await input.askText(
      {
        title,
        step: 1,
        totalSteps: 2,
        prompt: vscode.l10n.t('Your user name at the service.'),
        placeholder: vscode.l10n.t('User name'),
        value: username,
        // RFC 7617 §2: a colon would end the user name.
        validate: (text) =>
          text === '' || text.includes(':') ? vscode.l10n.t('Enter a user name without a colon.') : undefined,
      },
      signal,
    );
    if (name === 'back') {
      throw new CancelledError();
    }
    username = name.text;
    const password = await input.askText(
      {
        title,
        step: 2,
        totalSteps: 2,
        prompt: vscode.l10n.t('Used once to get a token, and not stored.'),
        placeholder: vscode.l10n.t('Password'),
        secret: true,
        exact: true,
        validate: (text) => (text === '' ? vscode.l10n.t('Enter your password.') : undefined),
      },
      signal,
    );
    if (password !== 'back') {
      return { username, password: password.text };
    }
  }
}
