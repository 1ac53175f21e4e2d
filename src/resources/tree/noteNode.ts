import * as vscode from 'vscode';

import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { NetworkError } from '../../api/errors/connectionErrors.ts';
import { ServiceError, UnauthorizedError } from '../../api/errors/serviceError.ts';
import type { Skipped } from '../../api/hypermedia/resource.ts';
import { localised, describe } from '../../workbench/notifications.ts';
import { numberText } from '../../workbench/texts.ts';
import { hasUrl, type Presentation, TreeNode } from './treeNode.ts';

interface Note {
  readonly text: string;
  readonly description?: string;
  readonly tooltip?: string;
  readonly icon?: string;
  /** What a screen reader says, where the icon says more than the text. */
  readonly accessibilityLabel?: string;
  readonly command?: `appBuild.${string}`;
}

/** Says something about its parent, such as "empty", and what to do about it. */
export class NoteNode extends TreeNode<Note> {
  /** The parent's URL: a command on the note acts on it. */
  get url(): string | undefined {
    return hasUrl(this.parent) ? this.parent.url : undefined;
  }

  present(): Presentation {
    const { text, icon = 'info', ...shown } = this.value;
    return { tooltip: text, ...shown, label: text, icon: new vscode.ThemeIcon(icon), contextValue: 'note' };
  }

  static empty(parent: TreeNode, isList: boolean): NoteNode {
    const text = isList ? vscode.l10n.t('The list is empty') : vscode.l10n.t('Nothing in here');
    return new NoteNode(parent, '?empty', {
      text,
      icon: 'circle-outline',
      tooltip: vscode.l10n.t('The service has nothing to show here. Refresh to look again.'),
    });
  }

  static noContent(parent: TreeNode): NoteNode {
    return new NoteNode(parent, '?none', {
      text: vscode.l10n.t('The service answered without content'),
      icon: 'circle-outline',
    });
  }

  static text(parent: TreeNode, characters: number): NoteNode {
    const text = vscode.l10n.t('Text, {0} characters. Select to open it.', numberText(characters));
    return new NoteNode(parent, '?text', { text, icon: 'file', command: 'appBuild.openResource' });
  }

  /** Stands above what the document embedded of a resource whose URL leads to nothing that can be shown. */
  static embedded(parent: TreeNode): NoteNode {
    return new NoteNode(parent, '?embedded', {
      text: vscode.l10n.t('Shown as it came with “{0}”', parent.parent?.present().label ?? ''),
      description: vscode.l10n.t('Select to open its address in a browser'),
      tooltip: vscode.l10n.t('Its address leads to nothing that can be shown here. Select to open it in a browser.'),
      command: 'appBuild.openInBrowser',
    });
  }

  static tooDeep(parent: TreeNode, key: string): NoteNode {
    return new NoteNode(parent, key, {
      text: vscode.l10n.t('Nested too deeply to be shown here. Open the resource as JSON.'),
    });
  }

  /** Stands behind rows of a list that may have more. */
  static limited(parent: TreeNode, shown: number): NoteNode {
    return new NoteNode(parent, '?limited', {
      text: vscode.l10n.t('Only {0} are shown here. Open the resource as JSON.', numberText(shown)),
    });
  }

  /** Parts that the reader could not use, with the first reasons. */
  static skipped(parent: TreeNode, skipped: readonly Skipped[]): NoteNode {
    const text =
      skipped.length === 1
        ? vscode.l10n.t('One part cannot be shown')
        : vscode.l10n.t('{0} parts cannot be shown', numberText(skipped.length));
    const reasons = skipped.slice(0, 10).map(({ pointer, reason }) => `${pointer}: ${localised(reason)}`);
    return new NoteNode(parent, '?skipped', { text, tooltip: [text, ...reasons].join('\n'), icon: 'question' });
  }
}

/** Stands for what could not be loaded: it says why, and a click tries again, or asks for the address that is wrong. */
export class FailureNode extends TreeNode {
  constructor(parent: TreeNode | undefined, error: unknown) {
    super(parent, '!', error);
  }

  present(): Presentation {
    const reason = describe(this.value);
    const common = { label: reason, tooltip: reason, icon: iconFor(this.value), contextValue: 'failure' };
    // Trying again does not help against a setting.
    return this.value instanceof BuildServiceError && this.value.remedy === 'connect'
      ? {
          ...common,
          description: vscode.l10n.t('Select to change it'),
          accessibilityLabel: vscode.l10n.t('Failed: {0} Select to change it.', reason),
          command: 'appBuild.connect',
        }
      : {
          ...common,
          description: vscode.l10n.t('Select to try again'),
          accessibilityLabel: vscode.l10n.t('Failed: {0} Select to try again.', reason),
          command: 'appBuild.retry',
        };
  }
}

/** Different for no connection, no permission, other refusals, and failures of the service. */
function iconFor(error: unknown): vscode.ThemeIcon {
  if (error instanceof NetworkError) {
    return new vscode.ThemeIcon('debug-disconnect', new vscode.ThemeColor('list.warningForeground'));
  }
  if (error instanceof UnauthorizedError) {
    return new vscode.ThemeIcon('lock', new vscode.ThemeColor('list.warningForeground'));
  }
  if (error instanceof ServiceError && error.status < 500) {
    return new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('list.warningForeground'));
  }
  return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.errorForeground'));
}
