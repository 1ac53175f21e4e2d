import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { Input } from '../../workbench/input.ts';
import { NotRegisteredError } from '../signInErrors.ts';
import type { Environment, Flow, FlowContext, Grant } from './flow.ts';

/**
 * The contract's OAuth non-web application flow: the person brings an authentication token from the service's account
 * page. For those who have no password; there is no redirect that somebody could forge.
 */
export class AuthTokenFlow implements Flow {
  readonly id = 'authToken';
  readonly label = vscode.l10n.t('Authentication Token');
  readonly detail = vscode.l10n.t('Paste a token from your account page. Works without a password and a browser.');

  worksIn({ registered }: Environment): boolean {
    return registered;
  }

  async run({ service, client, registration, input, signal }: FlowContext): Promise<Grant> {
    if (registration === undefined) {
      throw new NotRegisteredError(new URL(service.url.href).host);
    }
    const authToken = await askForAuthToken(input, service.url.href, signal);
    const accessToken = await client.exchangeAuthenticationToken({ ...registration, authToken }, signal);
    return { token: { type: 'accessToken', accessToken }, stateVerified: true };
  }
}

/**
 * Asks for an authentication token, masked, with a button that opens the service's website.
 *
 * @throws CancelledError when the box is closed or `signal` aborts.
 */
export async function askForAuthToken(input: Input, serviceUrl: string, signal?: AbortSignal): Promise<string> {
  const answer = await input.askText(
    {
      title: vscode.l10n.t('Authentication Token'),
      prompt: vscode.l10n.t(
        'Create one on your account page at {0}, under authentication tokens.',
        new URL(serviceUrl).host,
      ),
      placeholder: vscode.l10n.t('Authentication token'),
      secret: true,
      validate: (text) =>
        /^[\x21-\x7E]{4,512}$/.test(text)
          ? undefined
          : vscode.l10n.t('A token is a single word without spaces. Copy it again, whole.'),
      buttons: [
        {
          iconPath: new vscode.ThemeIcon('link-external'),
          tooltip: vscode.l10n.t('Open the Account Page'),
          run: () => vscode.env.openExternal(vscode.Uri.parse(serviceUrl, true)),
        },
      ],
    },
    signal,
  );
  if (answer === 'back') {
    throw new CancelledError();
  }
  return answer.text;
}
