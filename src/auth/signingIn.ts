import type * as vscode from 'vscode';
import type { CallbackHandler } from './callback/callbackHandler.ts';
import type { Connections } from './connection.ts';
import { AuthTokenFlow } from './flows/authTokenFlow.ts';
import { LoopbackFlow } from './flows/loopbackFlow.ts';
import { PasswordFlow } from './flows/passwordFlow.ts';
import { PastedCallbackFlow } from './flows/pastedCallbackFlow.ts';
import { UriHandlerFlow } from './flows/uriHandlerFlow.ts';
import type { SessionStore } from './sessionStore.ts';
import { SignIn } from './signIn.ts';
import { StateMemory } from './callback/stateMemory.ts';

interface Parts {
  readonly extensionId: string;
  readonly callbacks: CallbackHandler;
  readonly state: vscode.Memento;
  readonly sessions: SessionStore;
  readonly connections: Connections;
}

/** Signing in, by every way there is, best first. Loaded when the first sign-in begins, not with the extension. */
export function signingIn({ extensionId, callbacks, state, sessions, connections }: Parts): SignIn {
  const browser = { callbacks, memory: new StateMemory(state) };
  const flows = [
    new UriHandlerFlow(extensionId, browser),
    new LoopbackFlow(browser),
    new AuthTokenFlow(),
    new PasswordFlow(),
    new PastedCallbackFlow(browser),
  ];
  return new SignIn(flows, sessions, (service) => connections.clientFor(service));
}
