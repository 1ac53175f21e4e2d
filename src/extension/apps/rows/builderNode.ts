import * as vscode from 'vscode';
import { noteNode } from '../../resources/tree/leafNodes.ts';
import { ResourceNode } from '../../resources/tree/resourceNode.ts';
import type { Presentation, TreeNode } from '../../resources/tree/treeNode.ts';
import { listText } from '../../workbench/texts.ts';
import { readBuilderSupport } from '../model/readBuilderSupport.ts';
import { contextValue } from './rowTexts.ts';
import { type BuilderSupport, BUILTIN_BUILDER, isAvailable, platformName } from '../../../web-project/index.ts';

/** The builder of the local service, with the platforms that it supports on this computer. */
export class BuilderNode extends ResourceNode {
  get support(): BuilderSupport | undefined {
    return this.wholeResource && readBuilderSupport(this.wholeResource);
  }

  override present(): Presentation {
    const { builder, platforms = [] } = this.support ?? {};
    const available = listText(platforms.filter(isAvailable).map(({ platform }) => platformName(platform)));
    const label = builderText(builder);
    return {
      ...super.present(),
      label,
      description: available,
      tooltip: [getPurpose(builder), ...platforms.filter((each) => !isAvailable(each)).map(reasonText)].join('\n'),
      icon: new vscode.ThemeIcon('tools'),
      accessibilityLabel: available === '' ? label : vscode.l10n.t('{0}, for {1}', label, available),
      contextValue: contextValue('builder', { install: builder === BUILTIN_BUILDER }),
    };
  }

  get rows(): readonly TreeNode[] | undefined {
    const { platforms = [] } = this.support ?? {};
    return platforms.length === 0 ? undefined : platforms.map((each) => this.#row(each));
  }

  #row(each: BuilderSupport['platforms'][number]): TreeNode {
    const { platform, unavailable = '' } = each;
    const name = platformName(platform);
    if (isAvailable(each)) {
      const description = vscode.l10n.t('available');
      return noteNode(this, `=${platform}`, { text: name, description, icon: 'check' });
    }
    return noteNode(this, `=${platform}`, {
      text: name,
      description: unavailable,
      tooltip: `${name}\n${unavailable}`,
      accessibilityLabel: vscode.l10n.t('{0}, not available: {1}', name, unavailable),
      icon: 'circle-slash',
    });
  }
}

function getPurpose(builder: string | undefined): string {
  return builder === BUILTIN_BUILDER
    ? vscode.l10n.t(
        'Builds a signed Android app in seconds. For iOS and for plugins with native code, install the build engine.',
      )
    : vscode.l10n.t('The local service’s builder, and the platforms that it supports on this computer');
}

function reasonText({ platform, unavailable }: BuilderSupport['platforms'][number]): string {
  return vscode.l10n.t('{0}: {1}', platformName(platform), unavailable ?? '');
}

function builderText(builder: string | undefined): string {
  switch (builder) {
    case undefined:
      return vscode.l10n.t('Builder');
    case BUILTIN_BUILDER:
      return vscode.l10n.t('Builds with: built-in builder');
    case 'cordova':
      return vscode.l10n.t('Builds with: Apache Cordova');
    default:
      return vscode.l10n.t('Builds with: {0}', builder);
  }
}
