import * as vscode from 'vscode';
import type { App } from '../apps/model/app.ts';
import type { BuildDetails } from '../apps/model/build.ts';
import { BUILTIN_BUILDER } from '../apps/model/builderSupport.ts';
import type { InstallLink } from '../apps/model/artifact.ts';
import type { LinkPage } from './linkPage.ts';

/** The details of a shared build; undefined when the service has none. */
export type SharedBuild = Pick<BuildDetails, 'builder' | 'isTestSigned'> | undefined;

/** The page of a link that the service has made. */
export function installPage(
  id: string,
  app: Pick<App, 'title' | 'version'>,
  link: InstallLink,
  build: SharedBuild,
): LinkPage {
  const { hostname } = new URL(link.url);
  return {
    id,
    title: installTitle(app.title, link.platform),
    heading: installTitle(headingOf(app), link.platform),
    url: link.url,
    warnings: [
      ...buildWarnings(build),
      ...(isLoopback(hostname)
        ? [
            vscode.l10n.t(
              '{0} is this computer: a phone or another computer cannot reach it. An emulator on this computer may.',
              hostname,
            ),
          ]
        : []),
    ],
    end:
      link.revokeUrl === undefined
        ? undefined
        : { command: 'appBuild.revokeInstallLink', title: vscode.l10n.t('Revoke Link') },
    notes: [vscode.l10n.t('The link leads to this build only, not to those that come after it.'), validity(link)],
  };
}

/** Title and version: `Shop 1.2.0`. */
export function headingOf({ title, version }: Pick<App, 'title' | 'version'>): string {
  return version === undefined ? title : `${title} ${version}`;
}

/** Of a page by which an app is installed. */
export function installTitle(app: string, platform: string): string {
  return vscode.l10n.t('Install {0} for {1}', app, platform);
}

function validity({ expiresAt }: InstallLink): string {
  return expiresAt === undefined
    ? vscode.l10n.t('Whoever has it can install the build. It holds no token of your account.')
    : vscode.l10n.t(
        'Whoever has it can install the build until {0}. It holds no token of your account.',
        expiresAt.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }),
      );
}

export function buildWarnings(build: SharedBuild): readonly string[] {
  return [
    ...(build?.isTestSigned === true
      ? [vscode.l10n.t('The build is signed with a test key: for your own phones, not for shops.')]
      : []),
    ...(build?.builder === BUILTIN_BUILDER
      ? [
          vscode.l10n.t(
            'The built-in builder made it. The makers of this extension have not seen such an app run on a phone yet.',
          ),
        ]
      : []),
  ];
}

/** True for the names and addresses of a machine itself (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
}
