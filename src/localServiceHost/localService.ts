import * as vscode from 'vscode';
import type { Redactor } from '../api/redaction.ts';
import { parseServiceUrl, type ServiceUrl } from '../api/serviceUrl.ts';
import type { Service } from '../auth/service.ts';
import type { ServiceSelection } from '../auth/serviceSelection.ts';
import { Disposable } from '../workbench/disposable.ts';
import type { LocalServiceProcess } from './localServiceProcess.ts';

/** Where the choice of the local service, and its address, outlive the window. */
const memory = 'localService';

interface Places {
  /** The service's bundle. */
  readonly script: vscode.Uri;
  /** The service's data. */
  readonly data: vscode.Uri;
}

/** The embedded service: started on demand, stopped with the window, its data kept. */
export class LocalService extends Disposable {
  readonly #places: Places;
  readonly #selection: ServiceSelection;
  readonly #state: vscode.Memento;
  readonly #redactor: Redactor;
  readonly #loadProcess: () => Promise<typeof LocalServiceProcess>;
  #process: Promise<LocalServiceProcess> | undefined;

  /** @param loadProcess loads what runs the service; called when it starts. */
  constructor(
    places: Places,
    selection: ServiceSelection,
    state: vscode.Memento,
    redactor: Redactor,
    loadProcess: () => Promise<typeof LocalServiceProcess>,
  ) {
    super();
    this.#places = places;
    this.#loadProcess = loadProcess;
    this.#selection = selection;
    this.#state = state;
    this.#redactor = redactor;
  }

  /** Whoever used the local service before the window reloaded uses it again; it starts when it is needed. */
  resume(): void {
    const address = this.#state.get<string>(memory);
    if (address !== undefined) {
      this.#selection.useLocal(this.#service(parseServiceUrl(address)));
    }
  }

  /** Starts the service, unless it runs, and uses it. */
  async start(): Promise<ServiceUrl> {
    const { url } = await this.#running();
    await this.#use(url);
    return url;
  }

  /** Stops the service and goes back to the one of the settings. */
  async stop(): Promise<boolean> {
    const process = this.#process;
    const chosen = this.#state.get<string>(memory) !== undefined;
    this.#process = undefined;
    await this.#state.update(memory, undefined);
    this.#selection.useLocal(undefined);
    await (await process?.catch(() => undefined))?.stop();
    return chosen;
  }

  override dispose(): void {
    void this.#process?.then(
      (process) => process.kill(),
      () => undefined,
    );
    super.dispose();
  }

  #running(): Promise<LocalServiceProcess> {
    if (this.#process === undefined) {
      const starting = this.#launch();
      const forget = () => {
        if (this.#process === starting) {
          this.#process = undefined;
        }
      };
      this.#process = starting;
      starting.then((process) => process.onExit(forget), forget);
    }
    return this.#process;
  }

  async #launch(): Promise<LocalServiceProcess> {
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(this.#places.data, '..'));
    const processClass = await this.#loadProcess();
    const process = await processClass.start(this.#places.script.fsPath, this.#places.data.fsPath);
    this.#redactor.add(process.registration.clientSecret);
    return process;
  }

  async #use(url: ServiceUrl): Promise<void> {
    await this.#state.update(memory, url.href);
    this.#selection.useLocal(this.#service(url));
  }

  #service(url: ServiceUrl): Service {
    return {
      url,
      local: true,
      ready: async () => {
        const process = await this.#running();
        if (process.url.origin !== url.origin) {
          // Its port was taken by another program meanwhile.
          await this.#use(process.url);
        }
      },
      registration: async () => (await this.#running()).registration,
      registerCallback: async (callbackUrl) => (await this.#running()).registerCallback(callbackUrl),
    };
  }
}
