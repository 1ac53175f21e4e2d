/** What the scripts of an app do that its package has to allow. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { httpAddressesIn } from '../../../formats/httpAddresses.ts';
import { type AskedPermission, permissionsIn } from '../../../formats/pagePermissions.ts';
import { mayHaveScripts, scriptsIn } from '../../../formats/pageScripts.ts';
import type { WebApp } from '../webApp.ts';

export interface PageScan {
  readonly asked: readonly AskedPermission[];
  /** What its own scripts and pages load that isn't encrypted. */
  readonly http: readonly { readonly origin: string; readonly file: string }[];
}

/** @throws the signal's reason when it is aborted */
export async function scanPages(
  { webRoot, webFiles }: Pick<WebApp, 'webRoot' | 'webFiles'>,
  signal: AbortSignal,
): Promise<PageScan> {
  const asked: AskedPermission[] = [];
  const http = new Map<string, string>();
  for (const file of webFiles.filter(mayHaveScripts)) {
    signal.throwIfAborted();
    const text = await readFile(path.join(webRoot, file), 'utf8');
    const script = scriptsIn(file, text);
    asked.push(...Array.from(permissionsIn(script), (permission) => ({ permission, by: file })));
    for (const { origin } of httpAddressesIn(file, text, script)) {
      http.set(origin, http.get(origin) ?? file);
    }
  }
  return { asked, http: Array.from(http, ([origin, file]) => ({ origin, file })) };
}
