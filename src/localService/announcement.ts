/** The output of the program for a service, its own or that of another process: a text for people, or a line of JSON for programs. */
import { X509Certificate } from 'node:crypto';

import type { Builder, Obstacles } from './builds/builder.ts';
import type { InstanceProof } from './runningInstance.ts';
import { PLATFORMS } from './store/model.ts';
import type { OwnerCredentials } from './store/owner.ts';

export interface Announcement {
  readonly baseUrl: string;
  readonly credentials: OwnerCredentials;
  /** Whether the sign-in page offers the demo users. */
  readonly hasDemoData: boolean;
  readonly dataFolder: string | undefined;
  /** `undefined`: another process serves, which answers the name of its builder. */
  readonly builder?: Builder['name'];
  /** The proof of the other process that serves; `undefined`: this one does. */
  readonly instance?: InstanceProof;
  /** The certificate of this process, PEM; `undefined` without TLS. */
  readonly certificate?: string | undefined;
}

/**
 * The announcement as one line. Unknown values are `null`.
 *
 * @param unavailable why the builder cannot build for each platform, as far as it is known
 */
export function jsonLine(announcement: Announcement, unavailable: Obstacles | undefined): string {
  const { baseUrl, credentials, dataFolder, builder, certificate, instance } = announcement;
  return `${JSON.stringify({
    baseUrl,
    ...credentials,
    dataFolder: dataFolder ?? null,
    builder: builder === undefined ? null : { name: builder, platforms: unavailable ?? null },
    certificate: certificate ?? null,
    instance: instance ?? null,
  })}\n`;
}

export function welcomeText(announcement: Announcement): string {
  const { baseUrl, credentials, hasDemoData, dataFolder, builder, certificate, instance } = announcement;
  const { username, password } = credentials;
  return `The local application build service is running${instance === undefined ? '' : ' already, in another process: this one ends'}.

  Base URL   ${baseUrl}
  Account    ${baseUrl}/account
  Sign in    ${username} / ${password}${
    hasDemoData ? '\n             or as a demo user, on the sign-in page, without a password' : ''
  }
  Data       ${dataFolder ?? 'in memory, gone when the service stops (keep it with --data DIR)'}${
    certificate === undefined ? '' : `\n  TLS        certificate ${new X509Certificate(certificate).fingerprint256}`
  }${builder === undefined ? '' : `\n  Builder    ${BUILDER_TEXTS[builder]}`}
`;
}

/** The platforms of a builder, one line each. */
export function platformsText(builder: Builder['name'], unavailable: Obstacles): string {
  const possible = builder === 'demo' ? 'a demo package' : 'can be built';
  const width = Math.max(...PLATFORMS.map(({ length }) => length));
  return PLATFORMS.map(
    (platform) => `             ${platform.padEnd(width)}  ${unavailable[platform] ?? possible}\n`,
  ).join('');
}

const BUILDER_TEXTS: Readonly<Record<Builder['name'], string>> = {
  builtin:
    'builtin: builds Android apps without plugins that have code of their own\n             (npm run service -- --data DIR --install-engine brings Apache Cordova, which builds all others)',
  demo: 'demo: packs the files of an app for tests of clients; what comes out cannot be installed',
  cordova: 'cordova: builds with Apache Cordova',
  command: 'command: builds with the program that --builder-command names',
};
