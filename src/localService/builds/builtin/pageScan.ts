/** What the scripts of an app do that its package has to allow, or doesn't have. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { httpAddressesIn } from '../../../formats/httpAddresses.ts';
import { type AskedPermission, permissionsIn } from '../../../formats/pagePermissions.ts';
import { type DeclaredPlugin, PluginSearch, type PluginUse } from '../../../formats/pluginCalls.ts';
import { isLibrary, mayHaveScripts, scriptsIn } from '../../../formats/pageScripts.ts';
import type { WebApp } from '../webApp.ts';

export interface PageScan {
  readonly asked: readonly AskedPermission[];
  /** What its own scripts and pages load that isn't encrypted. */
  readonly http: readonly { readonly origin: string; readonly file: string }[];
  /** Where the app's own scripts call plugins, by the plugins' names of today. */
  readonly pluginUses: ReadonlyMap<string, PluginUse>;
}

/** @param plugins that the app names. @throws the signal's reason when it is aborted */
export async function scanPages(
  { webRoot, webFiles }: Pick<WebApp, 'webRoot' | 'webFiles'>,
  plugins: readonly DeclaredPlugin[],
  signal: AbortSignal,
): Promise<PageScan> {
  const asked: AskedPermission[] = [];
  const http = new Map<string, string>();
  const search = new PluginSearch(plugins);
  for (const file of webFiles.filter(mayHaveScripts)) {
    signal.throwIfAborted();
    const text = await readFile(path.join(webRoot, file), 'utf8');
    const script = scriptsIn(file, text);
    asked.push(...Array.from(permissionsIn(script), (permission) => ({ permission, by: file })));
    for (const { origin } of httpAddressesIn(file, text, script)) {
      http.set(origin, http.get(origin) ?? file);
    }
    if (!isLibrary(file)) {
      search.read(file, script);
    }
  }
  return { asked, http: Array.from(http, ([origin, file]) => ({ origin, file })), pluginUses: search.uses };
}
