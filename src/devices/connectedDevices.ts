import { homedir } from 'node:os';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { CancelledError } from '../api/errors/cancelledError.ts';
import type { AppCalls } from '../apps/calls/appCalls.ts';
import type { App } from '../apps/model/app.ts';
import { artifactName } from '../apps/model/build.ts';
import { BUILTIN_BUILDER } from '../apps/model/builderSupport.ts';
import type { Configuration } from '../workbench/configuration.ts';
import type { Log } from '../workbench/log.ts';
import type { Report } from '../workbench/progress.ts';
import { sizeText } from '../workbench/texts.ts';
import { read } from '../workbench/readStored.ts';
import { Adb } from './adb/adb.ts';
import type { ConnectedDevice } from './adb/deviceList.ts';
import { InstallRefusedError } from './adb/adbErrors.ts';
import { findAdb } from './adb/adbProgram.ts';
import { fetchPackage } from './fetchPackage.ts';

/** The device that a person chose last. */
type LastDevice = Pick<ConnectedDevice, 'serial' | 'name'>;

const LAST_DEVICE = z.object({ serial: z.string(), name: z.string() });

/** A build for Android that is installed. */
export interface AndroidBuild {
  readonly calls: AppCalls;
  readonly app: App;
  readonly downloadUrl: string;
}

/** Key in the global state: the devices are those of this machine, in whatever window they were used. */
const LAST_DEVICE_KEY = 'lastDevice';
/** The only platform that adb installs. */
const ANDROID = 'android';

/** The phones that are connected to this machine, by cable or through adb's network. */
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

  /** The devices that adb knows, the one that was used last first. @throws AdbNotFoundError; Failure; CancelledError */
  async list(signal: AbortSignal): Promise<readonly ConnectedDevice[]> {
    const devices = await (await this.#adb()).devices(signal);
    const isLast = ({ serial }: ConnectedDevice) => serial === this.last?.serial;
    return devices.toSorted((one, other) => Number(isLast(other)) - Number(isLast(one)));
  }

  /**
   * Downloads a build, installs it on a device and starts it there. Nothing of the download is left on this machine.
   *
   * @param device of {@link list}.
   * @returns true when the app was started; false when it is there for a person to open.
   * @throws AdbNotFoundError; InstallRefusedError; Failure; CancelledError; BuildServiceError
   */
  async install(
    device: ConnectedDevice,
    { calls, app, downloadUrl }: AndroidBuild,
    { signal, report }: { readonly signal: AbortSignal; readonly report: Report },
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

/** An app that cannot be started is installed all the same. @returns false when it was not started. */
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
