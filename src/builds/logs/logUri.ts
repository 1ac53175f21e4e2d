import * as vscode from 'vscode';
import { label } from '../../api/hypermedia/label.ts';
import { localNameOf } from '../../auth/localName.ts';
import type { Service } from '../../auth/serviceSelection.ts';
import { plainText } from '../../workbench/plainText.ts';
import type { App } from '../../apps/model/app.ts';
import { LOG_SCHEME } from '../activation.ts';

/** What a log is of. */
export interface LogAddress {
  /** Host of the service; the local service's port changes, so it goes by a name. */
  readonly authority: string;
  /** Of the app at the service, with its query. */
  readonly path: string;
  readonly platform: string;
}

/** The host that addresses of logs of a service have. */
export function authorityOf(service: Pick<Service, 'local' | 'demo' | 'url'>): string {
  return localNameOf(service) ?? new URL(service.url.href).host;
}

/** What the log of an app's build goes by. */
export function addressOf(
  { url }: Pick<App, 'url'>,
  platform: string,
  service: Pick<Service, 'local' | 'demo' | 'url'>,
): LogAddress {
  const { pathname, search } = new URL(url);
  return { authority: authorityOf(service), path: pathname + search, platform };
}

/** Address of the document with the log of an app's build. The tab is called by its last part; package.json knows the folder. */
export function logUri(
  { url, title }: Pick<App, 'url' | 'title'>,
  platform: string,
  service: Pick<Service, 'local' | 'demo' | 'url'>,
): vscode.Uri {
  const { authority, path } = addressOf({ url }, platform, service);
  const name = plainText(label(`${title} – ${platform}`)).replaceAll('/', '∕');
  return vscode.Uri.from({
    scheme: LOG_SCHEME,
    authority,
    path: `/Build Logs/${name}.log`,
    query: JSON.stringify([path, platform]),
  });
}

/** What the log of a document is of; undefined for an address that nobody here has made. */
export function logAddress({ authority, query }: vscode.Uri): LogAddress | undefined {
  try {
    const parts: unknown = JSON.parse(query);
    if (Array.isArray(parts) && parts.length === 2 && parts.every((part) => typeof part === 'string')) {
      const [path = '', platform = ''] = parts;
      return { authority, path, platform };
    }
  } catch {
    // Anybody can open a document of any address.
  }
  return undefined;
}

/** Address of the app at a service, wherever that runs. A path that begins with two slashes is no other host. */
export function appUrlAt({ path }: Pick<LogAddress, 'path'>, { url }: Pick<Service, 'url'>): string {
  const address = new URL(url.origin);
  const query = path.indexOf('?');
  address.pathname = query < 0 ? path : path.slice(0, query);
  address.search = query < 0 ? '' : path.slice(query);
  return address.href;
}
