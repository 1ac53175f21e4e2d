import { getCACertificates } from 'node:tls';
import * as vscode from 'vscode';
import type { ServiceUrl } from '../api/serviceUrl.ts';
import type { Network } from '../workbench/network.ts';
import { proxyBySettings } from '../workbench/proxySettings.ts';
import { failureKind } from './failureKind.ts';
import { proxyKind } from './proxyKind.ts';
import type { Fact } from './report.ts';

/** Which proxy requests to the service take, and who decided that. */
export async function proxyFacts(service: ServiceUrl, network: Network): Promise<readonly Fact[]> {
  try {
    const proxy = await network.proxyFor(service.origin);
    return [['Proxy', proxy === undefined ? 'none' : `${proxyKind(proxy)}, from ${sourceOf(service, proxy.url)}`]];
  } catch (error) {
    return [['Proxy', failureKind(error)]];
  }
}

/** Who named a proxy. */
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

/** How many certificate authorities are trusted, and where they come from. */
export async function certificateFacts(network: Network): Promise<readonly Fact[]> {
  const authorities = await network.authorities();
  const ofNode = new Set(getCACertificates('default'));
  const ofSystem = authorities?.filter((pem) => !ofNode.has(pem)).length;
  return [
    ['Authorities that come with Node.js', String(getCACertificates('bundled').length)],
    ['Authorities of NODE_EXTRA_CA_CERTS', String(getCACertificates('extra').length)],
    [
      'Authorities of the operating system besides these',
      ofSystem === undefined ? 'not used: http.systemCertificates is off' : String(ofSystem),
    ],
    ['Authorities that are trusted', String(authorities?.length ?? ofNode.size)],
  ];
}
