import * as vscode from 'vscode';
import { isLoopback, type ServiceUrl } from '../api/serviceUrl.ts';
import type { Connections } from '../auth/connection.ts';
import type { Service } from '../auth/serviceSelection.ts';
import type { LocalService } from '../localServiceHost/localService.ts';
import { exists } from '../workbench/exists.ts';
import type { Network } from '../workbench/network.ts';
import { proxyBySettings } from '../workbench/proxySettings.ts';
import { answerText, failureKind, proxyKind } from './knownWords.ts';
import type { Fact } from './report.ts';

/** Of which kind the service is. */
export function serviceFacts({ url, local }: Service): readonly Fact[] {
  const { protocol, port } = new URL(url.href);
  const place = isLoopback(new URL(url.href)) ? 'this machine by name' : 'another host';
  const secure = protocol === 'https:' ? 'HTTPS' : 'plain HTTP';
  return [
    ['Service', `${local ? 'the local service of this extension' : place}, ${secure}`],
    ['Port', port === '' ? 'the usual one' : 'another one'],
    ['Path in its address', url.prefix === '' ? 'no' : 'yes'],
  ];
}

/** The signed-in accounts, without names. Starts nothing and sends nothing. */
export async function accountFacts(service: Service, connections: Connections): Promise<readonly Fact[]> {
  try {
    const accounts = await connections.accountsAt(service);
    const [current] = accounts;
    return [
      ['Connection', current === undefined ? 'signed out' : 'signed in'],
      ['Accounts at this service', String(accounts.length)],
      ...(current === undefined
        ? []
        : ([
            [
              'Signed in with',
              current.tokenType === 'accessToken' ? 'an access token (OAuth)' : 'an authentication token',
            ],
            ['Scopes', String(current.scopes.length)],
          ] as const)),
    ];
  } catch (error) {
    return [['Connection', `broken: ${failureKind(error)}`]];
  }
}

/** How the extension is registered at the service. */
export async function registrationFacts(service: Service): Promise<readonly Fact[]> {
  if (service.local) {
    // To ask the local service would start it.
    return [['Registration', 'made by the local service itself']];
  }
  const registration = await service.registration();
  return registration === undefined
    ? [['Registration', 'none, or not complete']]
    : [
        ['Registration', 'client ID and secret are there'],
        ['Callback', callbackKind(registration.callbackUrl)],
      ];
}

function callbackKind(callbackUrl: string | undefined): string {
  const url = callbackUrl === undefined ? undefined : URL.parse(callbackUrl);
  if (url === undefined) {
    return 'the extension’s own';
  }
  return url !== null && isLoopback(url) ? 'a loopback address' : 'another address';
}

/** The first answer of the service, and its time: one request without credentials, over the proxies and certificates of every call. */
export async function answerFacts(
  service: ServiceUrl,
  connections: Connections,
  signal: AbortSignal,
): Promise<readonly Fact[]> {
  const start = performance.now();
  const answer = answerText(await connections.probe(service, signal));
  return [['First answer', `${answer} (${Math.round(performance.now() - start)} ms)`]];
}

/** The proxy to the service, and where it is set. */
export async function proxyFacts(service: ServiceUrl, network: Network): Promise<readonly Fact[]> {
  try {
    const proxy = await network.proxyFor(service.origin);
    return [['Proxy', proxy === undefined ? 'none' : `${proxyKind(proxy)}, from ${sourceOf(service, proxy.url)}`]];
  } catch (error) {
    return [['Proxy', failureKind(error)]];
  }
}

/** Where a proxy is set. */
function sourceOf({ origin }: ServiceUrl, url: string): string {
  const isSame = (candidate: string | undefined) =>
    candidate !== undefined && URL.parse(candidate)?.host === new URL(url).host;
  const setting: unknown = vscode.workspace.getConfiguration('http').get('proxy');
  if (isSame(proxyBySettings(origin, { url: typeof setting === 'string' ? setting : '', noProxy: [] }, {}))) {
    return 'the setting http.proxy';
  }
  return isSame(proxyBySettings(origin, { url: '', noProxy: [] }, process.env))
    ? 'the environment'
    : 'the operating system, or VS Code’s resolver';
}

/** The builders of the local service, by the names that it gives. */
const BUILDERS: ReadonlyMap<string | undefined, string> = new Map([
  ['cordova', 'Apache Cordova'],
  ['builtin', 'the built-in builder'],
]);

/** How the service that ships with the extension stands. */
export async function localServiceFacts(localService: LocalService): Promise<readonly Fact[]> {
  const { isRunning, lastExit, engineFolder } = localService;
  const first = await localService.builder();
  const hasEngine = await exists(engineFolder);
  // One that is installed while the service runs is used from then on.
  const builder = BUILDERS.get(first !== undefined && hasEngine ? 'cordova' : first);
  return [
    [
      'Started in this window',
      isRunning ? 'yes, and it runs' : lastExit === undefined ? 'no' : 'yes, and it has ended',
    ],
    ...(builder === undefined ? [] : ([['Builds with', builder]] as const)),
    ...(lastExit === undefined ? [] : ([['Last end', `${lastExit}`]] as const)),
    ['Apache Cordova', hasEngine ? 'installed by this extension' : 'not installed by this extension'],
  ];
}
