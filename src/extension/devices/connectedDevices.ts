import { homedir } from 'node:os';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { CancelledError } from '../../errors/index.ts';
import type { AppCalls } from '../apps/calls/appCalls.ts';
import type { App } from '../apps/model/app.ts';
import { artifactName } from '../apps/model/build.ts';
import type { Configuration } from '../workbench/configuration.ts';
import type { Log } from '../workbench/log.ts';
import type { ReportProgress } from '../workbench/progress.ts';
import { sizeText } from '../workbench/texts.ts';
import { read } from '../workbench/readStored.ts';
import { Adb } from './adb/adb.ts';
import type { ConnectedDevice } from './adb/deviceList.ts';
import { InstallRefusedError } from './adb/adbErrors.ts';
import { findAdb } from './adb/adbProgram.ts';
import { fetchPackage } from './fetchPackage.ts';
import { BUILTIN_BUILDER } from '../../web-project/index.ts';

/** The device that the user chose last. */
type LastDevice = Pick<ConnectedDevice, 'serial' | 'name'>;

const LAST_DEVICE = z.object({ serial: z.string(), name: z.string() });

/** An Android build to install. */
export interface AndroidBuild {
  readonly calls: AppCalls;
  readonly app: App;
  readonly downloadUrl: string;
}

/** Key of the last device in the global state. All windows share this computer's devices. */
const LAST_DEVICE_KEY = 'lastDevice';
/** The only platform whose packages adb can install. */
const ANDROID = 'android';

/** The phones that are connected to this computer, over USB or over the network. */
export class ConnectedDevices {
  readonly #configuration: Configuration;
  readonly #globalState: vscode.Memento;
  readonly #log: Log;

  constructor(configuration: Configuration, globalState: vscode.Memento, log: Log) {
    this.#configuration = configuration;
    this.#globalState = globalState;
    this.#log = log;
  }

  get last(): LastDevice | undefined {
    return read(LAST_DEVICE, this.#globalState.get(LAST_DEVICE_KEY));
  }

  async remember({ serial, name }: LastDevice): Promise<void> {
    await this.#globalState.update(LAST_DEVICE_KEY, { serial, name });
  }

  /** Lists adb's devices, with the last used device first. @throws AdbNotFoundError; Failure; CancelledError */
  async list(signal: AbortSignal): Promise<readonly ConnectedDevice[]> {
    const devices = await (await this.#adb()).devices(signal);
    const isLast = ({ serial }: ConnectedDevice) => serial === this.last?.serial;
    return devices.toSorted((one, other) => Number(isLast(other)) - Number(isLast(one)));
  }

  /**
   * Downloads a build, installs it on a device, and starts it there. Deletes the downloaded file.
   * @param device a device from {@link list}
   * @returns true if the app was started; false if the user must open it
   * @throws AdbNotFoundError; InstallRefusedError; Failure; CancelledError; BuildServiceError
   */
  async install(
    device: ConnectedDevice,
    { calls, app, downloadUrl }: AndroidBuild,
    { signal, report }: { readonly signal: AbortSignal; readonly report: ReportProgress },
  ): Promise<boolean> {
    const adb = await this.#adb();
    report(vscode.l10n.t('Downloading…'));
    const source = { client: calls.client, url: downloadUrl, name: artifactName(app, ANDROID) };
    const file = await fetchPackage(source, signal, (received) => report(sizeText(received)));
    try {
      report(vscode.l10n.t('Installing on {0}…', device.name));
      await adb.install(device, file.path, signal);
    } catch (error) {
      if (error instanceof InstallRefusedError) {
        this.#log.warn(`adb install: ${error.detail}`);
      }
      throw error;
    } finally {
      await file.dispose();
    }
    return start(adb, device, { calls, app }, signal);
  }

  async #adb(): Promise<Adb> {
    const { adbPath: setting } = this.#configuration;
    const workspaces = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? [];
    const { platform, env: environment } = process;
    return new Adb(await findAdb({ setting, environment, platform, home: homedir(), workspaces }));
  }
}

/** Starts the installed app. A failure only means that the user must open it. @returns false if it didn't start */
async function start(
  adb: Adb,
  device: ConnectedDevice,
  { calls, app }: Pick<AndroidBuild, 'calls' | 'app'>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const builds = await calls.builds(app, { signal });
    const { builder } = builds.find(({ platform }) => platform === ANDROID) ?? {};
    const activity = builder === BUILTIN_BUILDER ? 'appbuild.shell.MainActivity' : '.MainActivity';
    return await adb.start(device, app.packageId ?? '', activity, signal);
  } catch (error) {
    if (error instanceof CancelledError) {
      throw error;
    }
    return false;
  }
}
