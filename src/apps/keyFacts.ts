import type * as vscode from 'vscode';

/** What the files of a key said on this machine before they were sent: services do not give them back. No secret is among it. */
export interface KeyFacts {
  /** The earliest of its files. */
  readonly expiresAt: Date | undefined;
  /** The identifier that a provisioning profile is for, such as `com.example.app` or `com.example.*`. */
  readonly appId: string | undefined;
  readonly team: string | undefined;
}

/** Remembers {@link KeyFacts} by the address of the key. */
export class KeyFactsStore {
  readonly #globalState: vscode.Memento;

  constructor(globalState: vscode.Memento) {
    this.#globalState = globalState;
  }

  find(keyUrl: string): KeyFacts | undefined {
    return this.#globalState.get(`appBuild.keyFacts ${keyUrl}`);
  }
}
