import * as vscode from 'vscode';

import { BackError, type Input } from '../../workbench/input.ts';
import { notSignedIn } from '../authErrors.ts';
import { exchanged, notRegistered, type SignInFlow } from './flow.ts';

/**
 * Creates the contract's OAuth non-web application flow, in which the user pastes an authentication token from the
 * service's account page. It works for users without a password, and has no redirect that could be forged.
 */
export function authTokenFlow(): SignInFlow {
  return {
    id: 'authToken',
    label: vscode.l10n.t('Authentication Token'),
    detail: vscode.l10n.t('Paste a token from your account page. Works without a password or browser.'),
    worksIn: ({ registered }) => registered,
    async run({ service, client, registration, input, signal }) {
      if (registration === undefined) {
        throw notRegistered(service.url.host);
      }
      const authToken = await askForAuthToken(input, service.url.href, signal);
      const exchange = client.exchangeAuthenticationToken({ ...registration, authToken }, signal);
      const accessToken = await exchanged('token', service, exchange);
      return { token: { type: 'accessToken', accessToken }, stateVerified: true };
    },
  };
}

/**
 * Asks for an authentication token in a masked input box with a button that opens the service's website.
 *
 * @throws {@link CancelledError} when the box is closed or `signal` aborts.
 */
export async function askForAuthToken(input: Input, serviceUrl: string, signal?: AbortSignal): Promise<string> {
  return input.askText(
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
          : vscode.l10n.t('A token is a single word without spaces. Copy the whole token again.'),
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
}

/**
 * Creates the flow that exchanges the user name and password for an authentication token (contract, endpoint 3). If this extension is
 * registered, it exchanges that token for an access token. The password is used only once, and never stored.
 */
export function passwordFlow(): SignInFlow {
  return {
    id: 'password',
    label: vscode.l10n.t('User Name and Password'),
    detail: vscode.l10n.t('Used once and not stored. Not for accounts that sign in through a code host.'),
    worksIn: () => true,
    async run({ service, client, registration, input, signal }) {
      const credentials = await askForPassword(input, service.url.host, signal);
      const authToken = await client.createAuthenticationToken(credentials, signal);
      if (registration === undefined) {
        return { token: { type: 'authToken', authToken }, stateVerified: true };
      }
      const exchange = client.exchangeAuthenticationToken({ ...registration, authToken }, signal);
      const accessToken = await exchanged('password', service, exchange);
      return { token: { type: 'accessToken', accessToken }, stateVerified: true };
    },
  };
}

/** Asks for the user name and, in a masked box, the password. @throws {@link CancelledError} when a box is closed or `signal` aborts. */
export async function askForPassword(
  input: Input,
  host: string,
  signal?: AbortSignal,
): Promise<{ readonly username: string; readonly password: string }> {
  const title = vscode.l10n.t('Sign In to {0}', host);
  for (let username = ''; ;) {
    username = await input.askText(
      {
        title,
        step: 1,
        totalSteps: 2,
        prompt: vscode.l10n.t('Your user name at the service.'),
        placeholder: vscode.l10n.t('User name'),
        value: username,
        // A colon would end the user name (RFC 7617 §2).
        validate: (text) =>
          text === '' || text.includes(':') ? vscode.l10n.t('Enter a user name without a colon.') : undefined,
      },
      signal,
    );
    try {
      const password = await input.askText(
        {
          title,
          step: 2,
          totalSteps: 2,
          prompt: vscode.l10n.t('Used once to get a token, and not stored.'),
          placeholder: vscode.l10n.t('Password'),
          secret: true,
          exact: true,
          required: vscode.l10n.t('Enter your password.'),
        },
        signal,
      );
      return { username, password };
    } catch (error) {
      if (!(error instanceof BackError)) {
        throw error;
      }
    }
  }
}

/**
 * Flow for the user's local service. The service runs as this window's child process and returns an access token through the channel
 * between them, so no browser or consent is needed. The flow has no label, because it's never listed.
 */
export const ownerFlow: Pick<SignInFlow, 'run'> = {
  async run({ service }) {
    if (service.ownerAccessToken === undefined) {
      throw notSignedIn(service.url.host);
    }
    return { token: { type: 'accessToken', accessToken: await service.ownerAccessToken() }, stateVerified: true };
  },
};
