import * as vscode from 'vscode';
import type { PlatformBuild } from './model/app.ts';

/** What a person is told of a build's state; a status that nobody knows as it was sent. */
export function stateText({ state, status }: Pick<PlatformBuild, 'state' | 'status'>): string {
  switch (state) {
    case 'none':
      return vscode.l10n.t('not built yet');
    case 'waiting':
      return vscode.l10n.t('waiting');
    case 'building':
      return vscode.l10n.t('building');
    case 'complete':
      return vscode.l10n.t('complete');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'skipped':
      return vscode.l10n.t('skipped');
    case 'other':
      return status ?? '';
  }
}
