import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { NotRegisteredError } from '../auth/authErrors.ts';
import type { Connections } from '../auth/connection.ts';
import { askForAuthToken } from '../auth/flows/authTokenFlow.ts';
import { askForPassword } from '../auth/flows/passwordFlow.ts';
import type { Service } from '../auth/service.ts';
import type { ServiceSelection } from '../auth/serviceSelection.ts';
import type { SecretClipboard } from '../workbench/secretClipboard.ts';
import { callPatience, withProgress } from '../workbench/progress.ts';
import type { Handlers } from './registry.ts';
import { notConnected } from './signedIn.ts';

interface Parts {
  readonly connections: Connections;
  readonly selection: ServiceSelection;
  readonly clipboard: SecretClipboard;
}

/** The contract's token endpoints as commands (endpoints 3 and 6). Their results go to the clipboard and nowhere else. */
export function tokenCommands({ connections, selection, clipboard }: Parts) {
  return {
    'appBuild.getAuthenticationToken': async () => {
      const service = await inUse(selection);
      const { host } = new URL(service.url.href);
      const credentials = await askForPassword(host);
      const client = await connections.clientFor(service);
      const token = await withProgress(
        { notification: vscode.l10n.t('Asking {0} for an authentication token', host), patience: callPatience },
        (signal) => client.createAuthenticationToken(credentials, signal),
      );
      await offer(clipboard, vscode.l10n.t('The service gave you an authentication token.'), token);
    },

    'appBuild.exchangeAuthenticationToken': async () => {
      const service = await inUse(selection);
      const { host } = new URL(service.url.href);
      const registration = await service.registration();
      if (registration === undefined) {
        throw new NotRegisteredError(host);
      }
      const authToken = await askForAuthToken(service.url.href);
      const client = await connections.clientFor(service);
      const token = await withProgress(
        { notification: vscode.l10n.t('Exchanging the authentication token at {0}', host), patience: callPatience },
        (signal) => client.exchangeAuthenticationToken({ ...registration, authToken }, signal),
      );
      await offer(clipboard, vscode.l10n.t('The service gave this extension an access token for your account.'), token);
    },
  } satisfies Handlers;
}

async function inUse(selection: ServiceSelection): Promise<Service> {
  const service = selection.current;
  if (service === undefined) {
    throw notConnected();
  }
  await service.ready();
  return service;
}

/** A secret leaves the extension only when the person says so. */
async function offer(clipboard: SecretClipboard, what: string, token: string): Promise<void> {
  const copy = vscode.l10n.t('Copy to Clipboard');
  const chosen = await vscode.window.showInformationMessage(
    what,
    {
      modal: true,
      detail: vscode.l10n.t(
        'Whoever has it can act as you. It is copied to the clipboard, and cleared from there after a minute.',
      ),
    },
    copy,
  );
  if (chosen !== copy) {
    throw new CancelledError();
  }
  await clipboard.write(token);
}
