import * as vscode from 'vscode';
import { localName } from '../../auth/localName.ts';
import type { ServiceSelection } from '../../auth/serviceSelection.ts';
import { Disposable } from '../../workbench/disposable.ts';
import type { Log } from '../../workbench/log.ts';
import { SharedState } from '../../workbench/sharedState.ts';
import type { BuildSubject } from './buildProgress.ts';
import type { BuildProgress } from './buildProgress.ts';
import type { BuildWatcher } from './buildWatcher.ts';

interface EachBuildDependencies {
  readonly watcher: Pick<BuildWatcher, 'onDidEnd'>;
  readonly selection: Pick<ServiceSelection, 'current'>;
  readonly globalState: vscode.Memento;
  /** Installs a build on the device that was used last. Failures are shown there. */
  readonly installOnLastDevice: (subject: BuildSubject) => Promise<void>;
  readonly log: Pick<Log, 'error'>;
}

const PREFIX = 'installEachBuild/';

/**
 * Installs each new build of the apps that the user chose. They're stored in the global state: the choice is for all folders.
 */
export class EachBuild extends Disposable {
  readonly #dependencies: EachBuildDependencies;
  readonly #state: SharedState;
  readonly #changed = this.register(new vscode.EventEmitter<string>());
  /** Fires with the address of an app that was added or taken out in this window. */
  readonly onDidChange = this.#changed.event;

  constructor(dependencies: EachBuildDependencies) {
    super();
    this.#dependencies = dependencies;
    this.#state = new SharedState(dependencies.globalState);
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

  includes(appUrl: string): boolean {
    return this.#state.get(this.#nameOf(appUrl)) === true;
  }

  async set(appUrl: string, isInstalled: boolean): Promise<void> {
    await this.#state.update(this.#nameOf(appUrl), isInstalled ? true : undefined);
    this.#changed.fire(appUrl);
  }

  #nameOf(appUrl: string): string {
    return PREFIX + localName(appUrl, this.#dependencies.selection);
  }
}

function isBuiltForAndroid({ builds }: BuildProgress): boolean {
  return builds.some(({ platform, state }) => platform === 'android' && state === 'complete');
}
