import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import { askText } from '../../workbench/textInput.ts';
import { NotRegisteredError } from '../authErrors.ts';
import type { Environment, Flow, FlowContext, Grant } from './flow.ts';

/**
 * The contract's OAuth non-web application flow: the person brings an authentication token from the service's account
 * page. The way for those who have no password; there is no redirect to forge.
 */
export class AuthTokenFlow implements Flow {
  readonly id = 'authToken';
  readonly label = vscode.l10n.t('Authentication Token');
  readonly detail = vscode.l10n.t('Paste a token from your account page. Works without a password and a browser.');

  worksIn({ registered }: Environment): boolean {
    return registered;
  }

  async run({ service, client, registration, signal }: FlowContext): Promise<Grant> {
    const { host } = new URL(service.url.href);
    if (registration === undefined) {
      throw new NotRegisteredError(host);
    }
    const authToken = await askForAuthToken(service.url.href, signal);
    const accessToken = await client.exchangeAuthenticationToken({ ...registration, authToken }, signal);
    return { token: { type: 'accessToken', accessToken }, proven: true };
  }
}

/** Asks for an authentication token, masked, with a button that opens the service's website. */
export async function askForAuthToken(serviceUrl: string, signal?: AbortSignal): Promise<string> {
  const answer = await askText(
    {
      title: vscode.l10n.t('Authentication Token'),
      prompt: vscode.l10n.t(
        'Create one on your account page at {0}, under authentication tokens.',
        new URL(serviceUrl).host,
      ),
      placeholder: vscode.l10n.t('Authentication token'),
      secret: true,
      check: (text) =>
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
