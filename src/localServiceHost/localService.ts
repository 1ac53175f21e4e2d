import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import type { Redactor } from '../api/redaction.ts';
import { parseServiceUrl, type ServiceUrl } from '../api/serviceUrl.ts';
import { serviceLeft } from '../auth/authErrors.ts';
import type { Service, ServiceSelection } from '../auth/serviceSelection.ts';
import { Disposable } from '../workbench/disposable.ts';
import type { Log } from '../workbench/log.ts';
import type { EngineInstallationOptions, installEngine } from './serviceProgram.ts';
import type { LocalServiceProcess } from './localServiceProcess.ts';

/** Key of the service's address in the global state, while the local service is the one in use. */
const ADDRESS_KEY = 'localService';
/** Key in the global state of whether that one has the demo data. */
const DEMO_KEY = 'localServiceDemo';

interface LocalServiceDependencies {
  /** The service's bundle. */
  readonly script: vscode.Uri;
  /** The folder of the person's own data. */
  readonly data: vscode.Uri;
  /** The folder of the demo data. */
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
 * The embedded service: started on demand, stopped with the window, its data kept. The windows of one person share it: while one of
 * them runs it, the others use that one, and start their own with the next request after its end. It has two sets of data, one at a
 * time: the person's own, and demo data.
 */
export class LocalService extends Disposable {
  readonly #dependencies: LocalServiceDependencies;
  #process: Promise<LocalServiceProcess> | undefined;
  /** Whether the service that runs, or starts next, has the demo data. */
  #demo = false;
  /** Aborts with the next stop: what is under way then neither starts the service again nor puts it into use. */
  #untilStop = new AbortController();

  constructor(dependencies: LocalServiceDependencies) {
    super();
    this.#dependencies = dependencies;
  }

  /** Uses the local service again when it was in use before the window reloaded; it starts when it is needed. */
  resume(): void {
    const { globalState, selection } = this.#dependencies;
    const address = globalState.get<string>(ADDRESS_KEY);
    if (address !== undefined) {
      this.#demo = globalState.get<boolean>(DEMO_KEY) === true;
      selection.useLocal(this.#service(parseServiceUrl(address)));
    }
  }

  /**
   * Starts the service, unless it runs, and uses it. That with the other data is stopped first.
   *
   * @param options `demo`: with the demo data instead of the person's own.
   * @returns its address.
   * @throws Failure; CancelledError when it is stopped meanwhile.
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
        // The one in use is still that of before.
        this.#demo = before;
      }
      throw error;
    }
  }

  /** Stops the service and uses the one of the settings. @returns true when the local service was in use. */
  async stop(): Promise<boolean> {
    const { globalState, selection } = this.#dependencies;
    const starting = this.#process;
    const wasInUse = globalState.get<string>(ADDRESS_KEY) !== undefined;
    this.#process = undefined;
    this.#demo = false;
    this.#untilStop.abort(new CancelledError());
    this.#untilStop = new AbortController();
    // Before anything is awaited: a question for the service in use meanwhile would start it again.
    selection.useLocal(undefined);
    await globalState.update(ADDRESS_KEY, undefined);
    await globalState.update(DEMO_KEY, undefined);
    await (await starting?.catch(() => undefined))?.stop();
    return wasInUse;
  }

  /** True from the moment that the service is started, or found, by this window until it ends. */
  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  /** The folder into which {@link installEngine} installs. */
  get engineFolder(): vscode.Uri {
    return vscode.Uri.joinPath(this.#data, 'engine');
  }

  /**
   * Installs the build engine and plugins. A running service, of whichever window, uses them from then on.
   *
   * @returns the installed plugins, and the tools that this computer still needs for builds, in one line.
   * @throws Failure; CancelledError when the signal aborts.
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

  /** The folder of the data in use. */
  get #data(): vscode.Uri {
    const { data, demoData } = this.#dependencies;
    return this.#demo ? demoData : data;
  }

  /**
   * The process that serves. Another window's may have ended since it was found.
   *
   * @throws CancelledError where it would have to be started, and was stopped meanwhile.
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

  /** @throws CancelledError when it was stopped meanwhile. */
  async #use(url: ServiceUrl, stopped: AbortSignal): Promise<void> {
    const { globalState, selection } = this.#dependencies;
    stopped.throwIfAborted();
    const remembered = [globalState.update(ADDRESS_KEY, url.href), globalState.update(DEMO_KEY, this.#demo)];
    // Before anything is awaited: a stop meanwhile comes after it.
    selection.useLocal(this.#service(url));
    await Promise.all(remembered);
  }

  #service(url: ServiceUrl): Service {
    const stopped = this.#untilStop.signal;
    const running = () => this.#running(stopped);
    /** The process, as long as it is where a caller knows it. @throws serviceLeft */
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
            // Another program has taken its port meanwhile.
            await this.#use(process.url, stopped);
          }
        } catch (error) {
          // After a stop there is nothing to start, and nothing has failed.
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
