/** What the scripts of an app do that its package has to allow. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { type AskedPermission, permissionsIn } from '../../../formats/pagePermissions.ts';
import { mayHaveScripts, scriptsIn } from '../../../formats/pageScripts.ts';
import type { WebApp } from '../webApp.ts';

export interface PageScan {
  readonly asked: readonly AskedPermission[];
}

/** @throws the signal's reason when it is aborted */
export async function scanPages(
  { webRoot, webFiles }: Pick<WebApp, 'webRoot' | 'webFiles'>,
  signal: AbortSignal,
): Promise<PageScan> {
  const asked: AskedPermission[] = [];
  for (const file of webFiles.filter(mayHaveScripts)) {
    signal.throwIfAborted();
    const script = scriptsIn(file, await readFile(path.join(webRoot, file), 'utf8'));
    asked.push(...Array.from(permissionsIn(script), (permission) => ({ permission, by: file })));
  }
  return { asked };
}
