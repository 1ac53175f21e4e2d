import * as vscode from 'vscode';
import { NotRegisteredError } from '../signInErrors.ts';
import { listenOnLoopback } from '../callback/loopbackListener.ts';
import { CallbackFlow } from './callbackFlow.ts';
import type { Environment, FlowContext } from './flow.ts';

/** The registered Callback Url is an address on this machine: the browser returns to a listener that waits there. */
export class LoopbackFlow extends CallbackFlow {
  readonly id = 'loopback';
  readonly label = vscode.l10n.t('Browser, Returning to This Machine');
  readonly detail = vscode.l10n.t(
    'Allow access on the service’s page; the browser then calls an address on this machine.',
  );

  /** By Callback Url: sign-ins at two services may wait for the browser at the same address. */
  readonly #listeners = new Map<string, { readonly listener: Promise<vscode.Disposable>; users: number }>();

  /** In a remote window the browser and this extension may be on different machines. */
  worksIn({ registered, callback, remote }: Environment): boolean {
    return registered && callback === 'loopback' && !remote;
  }

  protected async listen({ service, registration }: FlowContext): Promise<vscode.Disposable> {
    if (registration?.callbackUrl === undefined) {
      throw new NotRegisteredError(new URL(service.url.href).host);
    }
    const { href } = new URL(registration.callbackUrl);
    const shared = this.#listeners.get(href) ?? {
      listener: listenOnLoopback(new URL(href), (query) => this.callbacks.pending.handleCallback(query)),
      users: 0,
    };
    this.#listeners.set(href, shared);
    shared.users += 1;
    const release = new vscode.Disposable(() => {
      shared.users -= 1;
      if (shared.users === 0) {
        this.#listeners.delete(href);
        shared.listener.then(
          (listener) => void listener.dispose(),
          () => undefined,
        );
      }
    });
    try {
      await shared.listener;
      return release;
    } catch (error) {
      release.dispose();
      throw error;
    }
  }
}
