import * as vscode from 'vscode';
import { CancelledError } from '../../errors/index.ts';
import { parseServiceUrl, type Redactor, type ServiceUrl } from '../../service-client/index.ts';
import { serviceLeft } from '../auth/authErrors.ts';
import type { Service, ServiceSelection } from '../auth/serviceSelection.ts';
import { Disposable } from '../workbench/disposable.ts';
import type { Log } from '../workbench/log.ts';
import type { EngineInstallationOptions, installEngine } from './serviceProgram.ts';
import type { LocalServiceProcess } from './localServiceProcess.ts';

/** Global state key of the service's address while the local service is in use. */
const ADDRESS_KEY = 'localService';
/** Global state key for whether that service has demo data. */
const DEMO_KEY = 'localServiceDemo';

interface LocalServiceDependencies {
  /** Path of the service's bundle. */
  readonly script: vscode.Uri;
  /** Folder of the user's own data. */
  readonly data: vscode.Uri;
  /** Folder of the demo data. */
  readonly demoData: vscode.Uri;
  readonly selection: ServiceSelection;
  readonly globalState: vscode.Memento;
  readonly log: Log;
  readonly redactor: Redactor;
  /** Loads the code that runs the service's program, when the service starts or installs its engine. */
  readonly loadProgram: () => Promise<{
    readonly LocalServiceProcess: typeof LocalServiceProcess;
    readonly installEngine: typeof installEngine;
  }>;
}

/**
 * The local service. It starts on demand, stops with the window, and keeps its data. All of a user's windows share it: one window runs it,
 * and after that window closes, the next request from another window starts it there. The service has the user's own data and demo data,
 * and serves one of them at a time.
 */
export class LocalService extends Disposable {
  readonly #dependencies: LocalServiceDependencies;
  #process: Promise<LocalServiceProcess> | undefined;
  /** True if the service that is running, or starts next, has demo data. */
  #demo = false;
  /** Aborts when the service is next stopped, so that calls in progress neither restart the service nor put it into use. */
  #untilStop = new AbortController();

  constructor(dependencies: LocalServiceDependencies) {
    super();
    this.#dependencies = dependencies;
  }

  /** Uses the local service again if it was in use before the window was reloaded. The service starts when it's needed. */
  resume(): void {
    const { globalState, selection } = this.#dependencies;
    const address = globalState.get<string>(ADDRESS_KEY);
    if (address !== undefined) {
      this.#demo = globalState.get<boolean>(DEMO_KEY) === true;
      selection.useLocal(this.#service(parseServiceUrl(address)));
    }
  }

  /**
   * Starts the service if it isn't running, and switches to it. First stops the service if it's running with the other data.
   * @param options `demo`: use the demo data instead of the user's own
   * @returns the service's address
   * @throws Failure; CancelledError if the service is stopped in the meantime
   */
  async start({ demo = false }: { readonly demo?: boolean } = {}): Promise<ServiceUrl> {
    const stopped = this.#untilStop.signal;
    const before = this.#demo;
    if (demo !== before) {
      const other = this.#process;
      this.#process = undefined;
      this.#demo = demo;
      await (await other?.catch(() => undefined))?.stop();
    }
    try {
      const { url } = await this.#running(stopped);
      await this.#use(url, stopped);
      return url;
    } catch (error) {
      if (!stopped.aborted) {
        // The current service is still the previous one.
        this.#demo = before;
      }
      throw error;
    }
  }

  /** Stops the local service and switches to the service in the settings. @returns true if the local service was in use */
  async stop(): Promise<boolean> {
    const { globalState, selection } = this.#dependencies;
    const starting = this.#process;
    const wasInUse = globalState.get<string>(ADDRESS_KEY) !== undefined;
    this.#process = undefined;
    this.#demo = false;
    this.#untilStop.abort(new CancelledError());
    this.#untilStop = new AbortController();
    // Must run before the first await. Otherwise, a request to the current service would start it again.
    selection.useLocal(undefined);
    await globalState.update(ADDRESS_KEY, undefined);
    await globalState.update(DEMO_KEY, undefined);
    await (await starting?.catch(() => undefined))?.stop();
    return wasInUse;
  }

  /** True from when this window starts or finds the service until the service stops. */
  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  /** Folder where {@link installEngine} installs the engine. */
  get engineFolder(): vscode.Uri {
    return vscode.Uri.joinPath(this.#data, 'engine');
  }

  /**
   * Installs the build engine and plugins. A running service uses them immediately, whichever window runs it.
   * @returns one line with the installed plugins and the tools that this computer still needs for builds
   * @throws Failure; CancelledError if the signal aborts
   */
  async installEngine(options: EngineInstallationOptions): Promise<string> {
    const { script, loadProgram } = this.#dependencies;
    const { installEngine } = await loadProgram();
    return installEngine(script.fsPath, this.#data.fsPath, options);
  }

  override dispose(): void {
    void this.#process?.then(
      (process) => process.end(),
      () => undefined,
    );
    super.dispose();
  }

  /** Folder of the current data. */
  get #data(): vscode.Uri {
    const { data, demoData } = this.#dependencies;
    return this.#demo ? demoData : data;
  }

  /**
   * Returns the running process and starts it if necessary. Another window's process may have exited since it was found.
   * @throws CancelledError if the process must be started, but the service was stopped in the meantime
   */
  async #running(stopped: AbortSignal): Promise<LocalServiceProcess> {
    const starting = this.#process;
    if (starting !== undefined) {
      const process = await starting;
      if (await process.isRunning()) {
        return process;
      }
      if (this.#process !== undefined && this.#process !== starting) {
        return this.#process;
      }
    }
    stopped.throwIfAborted();
    return this.#begin();
  }

  #begin(): Promise<LocalServiceProcess> {
    const starting = this.#launch();
    const forget = () => {
      if (this.#process === starting) {
        this.#process = undefined;
      }
    };
    this.#process = starting;
    starting.then((process) => process.onExit(forget), forget);
    return starting;
  }

  async #launch(): Promise<LocalServiceProcess> {
    const { script, loadProgram, log, redactor } = this.#dependencies;
    const [data, demo] = [this.#data, this.#demo];
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(data, '..'));
    const { LocalServiceProcess } = await loadProgram();
    const process = await LocalServiceProcess.start({
      script: script.fsPath,
      dataFolder: data.fsPath,
      demo,
      report: (line) => log.warn(line),
    });
    redactor.add(process.registration.clientSecret);
    return process;
  }

  /** Makes the service the current one. @throws CancelledError if the service was stopped in the meantime */
  async #use(url: ServiceUrl, stopped: AbortSignal): Promise<void> {
    const { globalState, selection } = this.#dependencies;
    stopped.throwIfAborted();
    const remembered = [globalState.update(ADDRESS_KEY, url.href), globalState.update(DEMO_KEY, this.#demo)];
    // Must run before the first await, so that a stop during it takes effect afterward.
    selection.useLocal(this.#service(url));
    await Promise.all(remembered);
  }

  #service(url: ServiceUrl): Service {
    const stopped = this.#untilStop.signal;
    const running = () => this.#running(stopped);
    /** Returns the process if it's still at the caller's address. @throws serviceLeft */
    const runningHere = async () => {
      const process = await running();
      if (process.url.origin !== url.origin) {
        throw serviceLeft(url.host);
      }
      return process;
    };
    return {
      url,
      local: true,
      demo: this.#demo,
      ready: async () => {
        try {
          const process = await running();
          if (process.url.origin !== url.origin) {
            // Another program has taken the port in the meantime.
            await this.#use(process.url, stopped);
          }
        } catch (error) {
          // After a stop, this isn't a failure.
          if (!stopped.aborted) {
            throw error;
          }
        }
      },
      registration: async () => (await running()).registration,
      registerCallback: async (callbackUrl) => (await running()).registerCallback(callbackUrl),
      ownerAccessToken: async () => {
        const accessToken = await (await runningHere()).accessToken();
        this.#dependencies.redactor.add(accessToken);
        return accessToken;
      },
      signInPage: async (page) => {
        const { pathname, search } = new URL(page);
        return (await runningHere()).signInPage(pathname + search);
      },
    };
  }
}
