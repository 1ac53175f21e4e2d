import * as vscode from 'vscode';
import { Disposable } from './disposable.ts';

const SECTION = 'appBuild';

const NOTIFY = ['always', 'whenAway', 'failures', 'never'] as const;

/** Option for when to show a notification after a build, as declared in package.json. */
export type NotifySetting = (typeof NOTIFY)[number];

/**
 * The user's settings. A workspace must not decide where tokens are sent, so workspace and folder values are ignored.
 * In addition, the settings have application scope in package.json.
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

  /** URL of the service as the user entered it. Undefined when not set. */
  get serviceUrl(): string | undefined {
    return this.#userValue('serviceUrl');
  }

  /** Client ID of the user's registration at that service. Undefined when not set. */
  get clientId(): string | undefined {
    return this.#userValue('clientId');
  }

  /** Callback URL of that registration. Undefined for the extension's own URL. */
  get callbackUrl(): string | undefined {
    return this.#userValue('callbackUrl');
  }

  /** When to show a notification after a build. Defaults to `whenAway`. */
  get notify(): NotifySetting {
    const value = this.#userValue('notify');
    return NOTIFY.find((each) => each === value) ?? 'whenAway';
  }

  /** Path of adb. Undefined when the extension must find it. A workspace must not decide which program runs. */
  get adbPath(): string | undefined {
    return this.#userValue('adbPath');
  }

  /**
   * Writes the settings of a service. Undefined removes a setting. The URL is written last, because listeners react to
   * it.
   */
  async connect(serviceUrl: string, clientId: string | undefined, callbackUrl: string | undefined): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(SECTION);
    await configuration.update('clientId', clientId, vscode.ConfigurationTarget.Global);
    await configuration.update('callbackUrl', callbackUrl, vscode.ConfigurationTarget.Global);
    await configuration.update('serviceUrl', serviceUrl, vscode.ConfigurationTarget.Global);
  }

  /**
   * Returns a user setting. This check is a second safeguard, because VS Code itself ignores workspace values of settings with application
   * scope.
   */
  #userValue(key: string): string | undefined {
    const value: unknown = vscode.workspace.getConfiguration(SECTION).inspect(key)?.globalValue;
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  }
}
