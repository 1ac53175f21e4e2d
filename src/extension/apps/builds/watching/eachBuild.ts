import * as vscode from 'vscode';
import { toLocalName } from '../../../auth/localName.ts';
import type { ServiceSelection } from '../../../auth/serviceSelection.ts';
import { Disposable } from '../../../workbench/disposable.ts';
import type { Log } from '../../../workbench/log.ts';
import type { BuildSubject } from './buildProgress.ts';
import type { BuildProgress } from './buildProgress.ts';
import type { BuildWatcher } from './buildWatcher.ts';

interface EachBuildDependencies {
  readonly watcher: Pick<BuildWatcher, 'onDidEnd'>;
  readonly selection: Pick<ServiceSelection, 'current'>;
  readonly globalState: vscode.Memento;
  /** Installs a build on the device that was used last. Shows failures instead of throwing them. */
  readonly installOnLastDevice: (subject: BuildSubject) => Promise<void>;
  readonly log: Pick<Log, 'error'>;
}

const PREFIX = 'installEachBuild/';

/** Installs every new build of the apps that the user chose. The choice applies to all folders, so it's in the global state. */
export class EachBuild extends Disposable {
  readonly #dependencies: EachBuildDependencies;
  readonly #changed = this.register(new vscode.EventEmitter<string>());
  /** Fires with the address of an app that this window has added or removed. */
  readonly onDidChange = this.#changed.event;

  constructor(dependencies: EachBuildDependencies) {
    super();
    this.#dependencies = dependencies;
    this.register(
      dependencies.watcher.onDidEnd(({ end }) => {
        if (end.kind === 'ended' && this.includes(end.progress.appUrl) && isBuiltForAndroid(end.progress)) {
          dependencies
            .installOnLastDevice({ appUrl: end.progress.appUrl, platform: 'android' })
            .catch((error: unknown) => dependencies.log.error('Installing a new build', error));
        }
      }),
    );
  }

  /** Reports whether every new build of an app is installed. */
  includes(appUrl: string): boolean {
    return this.#dependencies.globalState.get(this.#getStorageKey(appUrl)) === true;
  }

  /** Adds or removes an app. */
  async set(appUrl: string, isInstalled: boolean): Promise<void> {
    await this.#dependencies.globalState.update(this.#getStorageKey(appUrl), isInstalled ? true : undefined);
    this.#changed.fire(appUrl);
  }

  #getStorageKey(appUrl: string): string {
    return PREFIX + toLocalName(appUrl, this.#dependencies.selection);
  }
}

function isBuiltForAndroid({ builds }: BuildProgress): boolean {
  return builds.some(({ platform, state }) => platform === 'android' && state === 'complete');
}
