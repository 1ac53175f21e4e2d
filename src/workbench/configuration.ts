import * as vscode from 'vscode';
import { Disposable } from './disposable.ts';

const SECTION = 'appBuild';

const NOTIFY = ['always', 'whenAway', 'failures', 'never'] as const;

/** When a notification reports the end of a build, as package.json declares it. */
export type Notify = (typeof NOTIFY)[number];

/**
 * The user's own settings. A workspace must not decide where a token goes, so values of workspaces and folders are not
 * read (package.json also declares the settings with application scope).
 */
export class Configuration extends Disposable {
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;

  constructor() {
    super();
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SECTION)) {
          this.#changed.fire();
        }
      }),
    );
  }

  /** URL of the service as the user wrote it; undefined when not set. */
  get serviceUrl(): string | undefined {
    return this.#userValue('serviceUrl');
  }

  /** Client ID of the user's registration at that service; undefined when not set. */
  get clientId(): string | undefined {
    return this.#userValue('clientId');
  }

  /** Callback Url of that registration; undefined when it is this extension's own. */
  get callbackUrl(): string | undefined {
    return this.#userValue('callbackUrl');
  }

  get notify(): Notify {
    const value = this.#userValue('notify');
    return NOTIFY.find((each) => each === value) ?? 'whenAway';
  }

  /** Path of adb; undefined when it is to be looked for. A workspace must not decide which program is run. */
  get adbPath(): string | undefined {
    return this.#userValue('adbPath');
  }

  /** Writes the settings of a service; undefined removes one. The URL comes last, because listeners react to it. */
  async connect(serviceUrl: string, clientId: string | undefined, callbackUrl: string | undefined): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(SECTION);
    await configuration.update('clientId', clientId, vscode.ConfigurationTarget.Global);
    await configuration.update('callbackUrl', callbackUrl, vscode.ConfigurationTarget.Global);
    await configuration.update('serviceUrl', serviceUrl, vscode.ConfigurationTarget.Global);
  }

  /** A second wall: of a setting of application scope VS Code itself gives no value of a workspace. */
  #userValue(key: string): string | undefined {
    const value: unknown = vscode.workspace.getConfiguration(SECTION).inspect(key)?.globalValue;
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  }
}
