import * as vscode from 'vscode';
import { Disposable } from './disposable.ts';

const section = 'appBuild';

/**
 * The person's own settings. A workspace never has a say in where a token goes, so values of workspaces and folders
 * are not even looked at (the settings are also declared with application scope).
 */
export class Configuration extends Disposable {
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  /** Fires when the service's URL or the client ID changes. */
  readonly onDidChange = this.#changed.event;

  constructor() {
    super();
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(section)) {
          this.#changed.fire();
        }
      }),
    );
  }

  /** URL of the service as the person wrote it; undefined when not set. */
  get serviceUrl(): string | undefined {
    return this.#own('serviceUrl');
  }

  /** Client ID of the person's registration at that service; undefined when not set. */
  get clientId(): string | undefined {
    return this.#own('clientId');
  }

  /** Callback Url of that registration; undefined when it is this extension's own. */
  get callbackUrl(): string | undefined {
    return this.#own('callbackUrl');
  }

  /** Writes what connects to a service; what is undefined is removed. The URL comes last: it is what others wait for. */
  async connect(serviceUrl: string, clientId: string | undefined, callbackUrl: string | undefined): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(section);
    await configuration.update('clientId', clientId, vscode.ConfigurationTarget.Global);
    await configuration.update('callbackUrl', callbackUrl, vscode.ConfigurationTarget.Global);
    await configuration.update('serviceUrl', serviceUrl, vscode.ConfigurationTarget.Global);
  }

  #own(key: string): string | undefined {
    const value: unknown = vscode.workspace.getConfiguration(section).inspect(key)?.globalValue;
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  }
}
