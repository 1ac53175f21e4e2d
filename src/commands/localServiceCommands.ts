import * as vscode from 'vscode';
import { RESOURCES_VIEW_ID } from '../resources/tree/resourceTree.ts';
import { withProgress } from '../workbench/progress.ts';
import type { LocalService } from '../localServiceHost/localService.ts';
import type { Handlers } from './registry.ts';

/** Commands about the embedded service. */
export function localServiceCommands(localService: LocalService) {
  return {
    'appBuild.startLocalService': async () => {
      const url = await withProgress({ view: RESOURCES_VIEW_ID }, () => localService.start());
      const signIn = vscode.l10n.t('Sign In');
      const text = vscode.l10n.t(
        'The local service is running at {0}, with demo data. It stops with this window.',
        url.href,
      );
      void vscode.window.showInformationMessage(text, signIn).then((chosen) => {
        if (chosen === signIn) {
          void vscode.commands.executeCommand('appBuild.signIn');
        }
      });
    },

    'appBuild.stopLocalService': async () => {
      const ran = await localService.stop();
      void vscode.window.showInformationMessage(
        ran
          ? vscode.l10n.t('The local service is stopped. Its data is kept for the next start.')
          : vscode.l10n.t('The local service is not running.'),
      );
    },
  } satisfies Handlers;
}
