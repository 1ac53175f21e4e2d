import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { InvalidInputError } from '../api/errors/invalidInputError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { withProgress } from '../workbench/progress.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';

export type BuilderDependencies = Pick<
  CommandDependencies,
  'input' | 'localService' | 'log' | 'notifications' | 'selection'
>;

/** Commands about what the local service builds with. */
export function builderCommands(dependencies: BuilderDependencies) {
  return {
    'appBuild.installBuildEngine': () => installBuildEngine(dependencies),
  } satisfies Handlers;
}

/** Brings Apache Cordova to the local service, once the person agrees to what is downloaded. */
async function installBuildEngine(dependencies: BuilderDependencies): Promise<void> {
  const { input, localService, log, notifications, selection } = dependencies;
  if (selection.current?.local !== true) {
    throw new InvalidInputError(
      sentence('Only the local service builds with an engine of this machine.'),
      sentence('Start it with the command Start Local Service.'),
    );
  }
  const question = vscode.l10n.t('Install Apache Cordova for the local service?');
  const detail = [
    vscode.l10n.t(
      'npm downloads about 50 MB from the registry that this computer is set up with: exact versions, checked against what was released. No scripts of the packages run.',
    ),
    vscode.l10n.t('They are installed into {0}, and nowhere else.', localService.engineFolder.fsPath),
    vscode.l10n.t('Builds then run on this computer. For Android they need the Android SDK, for iOS a Mac with Xcode.'),
  ].join('\n\n');
  if (!(await input.confirm(question, detail, vscode.l10n.t('Install'), 'information'))) {
    throw new CancelledError();
  }
  await withProgress({ notification: vscode.l10n.t('Installing Apache Cordova') }, (signal, report) =>
    localService.installEngine({
      signal,
      report: (line) => {
        log.info(`Build engine: ${line}`);
        report(line);
      },
    }),
  );
  notifications.information(vscode.l10n.t('Apache Cordova is installed. The local service builds with it.'));
}
