import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { InvalidResponseError } from '../api/errors/responseErrors.ts';
import { NotRegisteredError } from '../auth/signInErrors.ts';
import { askForAuthToken, askForPassword } from '../auth/flows/tokenFlows.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../workbench/progress.ts';
import type { SecretClipboard } from '../workbench/secretClipboard.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';

interface TokenDependencies extends Pick<CommandDependencies, 'connections' | 'selection' | 'input'> {
  readonly clipboard: SecretClipboard;
}

/** The contract's token endpoints as commands (endpoints 3 and 6). Their results go to the clipboard and nowhere else. */
export function tokenCommands(dependencies: TokenDependencies) {
  return {
    'appBuild.getAuthenticationToken': () => getAuthenticationToken(dependencies),
    'appBuild.exchangeAuthenticationToken': () => exchangeAuthenticationToken(dependencies),
  } satisfies Handlers;
}

async function getAuthenticationToken(dependencies: TokenDependencies): Promise<void> {
  const { connections, selection, input } = dependencies;
  const service = await selection.requireStarted();
  const { host } = new URL(service.url.href);
  const credentials = await askForPassword(input, host);
  const client = await connections.anonymousClient(service);
  const title = vscode.l10n.t('Asking {0} for an authentication token', host);
  const token = await withProgress({ notification: title, delayMs: CALL_PROGRESS_DELAY_MS }, (signal) =>
    client.createAuthenticationToken(credentials, signal),
  );
  await copyToken(dependencies, vscode.l10n.t('The service gave you an authentication token.'), token);
}

async function exchangeAuthenticationToken(dependencies: TokenDependencies): Promise<void> {
  const { connections, selection, input } = dependencies;
  const service = await selection.requireStarted();
  const { host } = new URL(service.url.href);
  const registration = await service.registration();
  if (registration === undefined) {
    throw new NotRegisteredError(host);
  }
  const authToken = await askForAuthToken(input, service.url.href);
  const client = await connections.anonymousClient(service);
  const title = vscode.l10n.t('Exchanging the authentication token at {0}', host);
  const token = await withProgress({ notification: title, delayMs: CALL_PROGRESS_DELAY_MS }, (signal) =>
    client.exchangeAuthenticationToken({ ...registration, authToken }, signal),
  );
  const question = vscode.l10n.t('The service gave this extension an access token for your account.');
  await copyToken(dependencies, question, token);
}

/** Of what a token consists (RFC 6749 Appendix A.12): what is pasted into a terminal must not hold a key for it. */
const TOKEN = /^[ -~]+$/;

/** A secret leaves the extension only when the person agrees. */
async function copyToken({ clipboard, input }: TokenDependencies, question: string, token: string): Promise<void> {
  if (!TOKEN.test(token)) {
    throw new InvalidResponseError('missingField', 'token');
  }
  const detail = vscode.l10n.t(
    'Whoever has it can act as you. It is copied to the clipboard, and cleared from there after a minute.',
  );
  if (!(await input.confirm(question, detail, vscode.l10n.t('Copy to Clipboard'), 'information'))) {
    throw new CancelledError();
  }
  await clipboard.write(token);
}
