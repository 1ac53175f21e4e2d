import { homedir, hostname, userInfo } from 'node:os';
import * as vscode from 'vscode';
import { isLoopback } from '../api/serviceUrl.ts';
import type { Service } from '../auth/serviceSelection.ts';
import type { Connections } from '../auth/connection.ts';
import type { Configuration } from '../workbench/configuration.ts';
import type { IdentifyingText } from './report.ts';

interface IdentifyingTextsDependencies {
  readonly configuration: Configuration;
  readonly connections: Connections;
}

/** Texts that the extension knows and that identify the person or the computer. Unreadable ones are left out. */
export async function identifyingTexts(
  service: Service | undefined,
  { configuration, connections }: IdentifyingTextsDependencies,
): Promise<readonly IdentifyingText[]> {
  const accounts = service === undefined ? [] : await connections.accountsAt(service).catch(() => []);
  const proxies = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [name, name.toUpperCase()]);
  const { serviceUrl, clientId, callbackUrl } = configuration;
  const { workspaceFolders = [], name: workspaceName } = vscode.workspace;
  return [
    ...addressTexts(service?.url.href, 'service'),
    ...addressTexts(serviceUrl, 'service'),
    ...addressTexts(callbackUrl, 'callback'),
    ...[vscode.workspace.getConfiguration('http').get<unknown>('proxy'), ...proxies.map((name) => process.env[name])]
      .filter((address) => typeof address === 'string')
      .flatMap((address) => addressTexts(address, 'proxy')),
    { text: clientId ?? '', kind: 'client' },
    ...accounts.flatMap(({ username, account }) => [
      { text: account.label, kind: 'user' },
      { text: username, kind: 'user' },
    ]),
    { text: homedir(), kind: 'home' },
    { text: hostname(), kind: 'computer' },
    { text: systemUser(), kind: 'user' },
    { text: workspaceName ?? '', kind: 'folder' },
    ...workspaceFolders.flatMap(({ name, uri }) => [
      { text: uri.fsPath, kind: 'folder' },
      { text: name, kind: 'folder' },
    ]),
  ];
}

/** The parts of an address that identify a host or a user; loopback addresses do not. */
function addressTexts(address: string | undefined, kind: string): readonly IdentifyingText[] {
  const url = address === undefined ? null : (URL.parse(address) ?? URL.parse(`http://${address}`));
  if (url === null) {
    return [{ text: address ?? '', kind }];
  }
  const hosts = isLoopback(url) ? [] : [url.host, url.hostname];
  return [...hosts, url.username, url.password].map((text) => ({ text, kind }));
}

/** Systems without a list of users have no name for the one who runs this. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
