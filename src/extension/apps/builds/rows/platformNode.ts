import * as vscode from 'vscode';
import type { Sentence } from '../../../../errors/index.ts';
import type { Resource } from '../../../../service-client/index.ts';
import { type Presentation, TreeNode } from '../../../resources/tree/treeNode.ts';
import { localize } from '../../../workbench/notifications.ts';
import { isForAndroid, isUnderWay, type PlatformBuild } from '../../model/app.ts';
import type { BuildDetails } from '../../model/build.ts';
import { findOperation } from '../../model/operation.ts';
import { findBuildProblem, platformName } from '../../../../web-project/index.ts';
import { stateText, stateIcon, contextValue, dateAndTime, timeAgo } from '../../rows/rowTexts.ts';

interface PlatformValue {
  readonly appUrl: string;
  readonly appTitle: string;
  /** Resource of the app, which contains the operations. */
  readonly resource: Resource;
  readonly build: PlatformBuild;
  readonly details: BuildDetails | undefined;
  /** When the build ended. Undefined if it's running, or if the service doesn't report it. */
  readonly finishedAt: Date | undefined;
  readonly watched: boolean;
  readonly installsBuilds: boolean;
  readonly shared: boolean;
  readonly linked: boolean;
}

/** An app's build for one platform. */
export class PlatformNode extends TreeNode<PlatformValue> {
  get appUrl(): string {
    return this.value.appUrl;
  }

  get platform(): string {
    return this.value.build.platform;
  }

  present(): Presentation {
    const { build, details, finishedAt, appUrl, appTitle } = this.value;
    const { platform, state, error } = build;
    const isTestSigned = details?.isTestSigned === true && !isUnderWay(state);
    const ago = finishedAt && timeAgo(finishedAt, new Date(), vscode.env.language);
    // The tooltip contains the whole error.
    const reason = error?.split('. ', 1)[0];
    const notes = [stateText(build), reason, ago, isTestSigned ? vscode.l10n.t('test key') : undefined];
    const description = notes.filter((note) => note !== undefined && note !== '').join(' · ');
    const problem = this.#problem();
    const tooltip = [
      vscode.l10n.t('{0} for {1}: {2}', appTitle, platformName(platform), stateText(build)),
      error,
      problem && vscode.l10n.t('{0} Use Show the Problem to go there.', localize(problem)),
      finishedAt && vscode.l10n.t('Ended: {0}', dateAndTime(finishedAt, vscode.env.language)),
      details?.fileName,
      isTestSigned
        ? vscode.l10n.t(
            'Signed with a test key. Fine for your own phones, not for app stores. For Google Play, add your own signing key and build again.',
          )
        : undefined,
    ];
    return {
      label: platformName(platform),
      description,
      tooltip: tooltip.filter(Boolean).join('\n'),
      icon: stateIcon(state, 'circle-outline'),
      contextValue: contextValue('platform', this.#flags(appUrl)),
      ...(build.logUrl !== undefined && { command: 'appBuild.showBuildLog' as const }),
    };
  }

  /** The check's explanation of the failure, if a folder is linked to the app and can be checked. */
  #problem(): Sentence | undefined {
    const { build, linked } = this.value;
    return build.state === 'failed' && linked ? findBuildProblem(build.error ?? '') : undefined;
  }

  #flags(appUrl: string): Readonly<Record<string, boolean>> {
    const { build, details, resource, watched, installsBuilds, shared } = this.value;
    const { platform, state, downloadUrl, bundleUrl, logUrl } = build;
    return {
      build: !isUnderWay(state) && findOperation(resource, 'build', platform, appUrl) !== undefined,
      log: logUrl !== undefined,
      download: downloadUrl !== undefined,
      bundle: bundleUrl !== undefined,
      android: isForAndroid(build),
      installsBuilds,
      shared,
      cancel: isUnderWay(state) && findOperation(resource, 'cancel', platform, appUrl) !== undefined,
      watched,
      failed: state === 'failed',
      problem: this.#problem() !== undefined,
      fingerprint: details?.fingerprints !== undefined,
    };
  }
}

/** The app bundle for Google Play that a build created in addition to the package for phones. */
export class BundleNode extends TreeNode<{ readonly appUrl: string; readonly platform: string }> {
  get appUrl(): string {
    return this.value.appUrl;
  }

  get platform(): string {
    return this.value.platform;
  }

  present(): Presentation {
    const label = vscode.l10n.t('Bundle for Google Play');
    return {
      label,
      description: '.aab',
      tooltip: [label, vscode.l10n.t('Google Play creates packages from it for each type of phone.')].join('\n'),
      icon: new vscode.ThemeIcon('archive'),
      contextValue: 'bundle',
    };
  }
}
