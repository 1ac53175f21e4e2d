import path from 'node:path';
import type { App } from '../apps/model/app.ts';
import { artifactName } from '../apps/model/artifactName.ts';
import { safeFileName } from '../resources/downloads/fileName.ts';

/** What packages of apps end in. A service's own name decides among these: another one could be run by some tool. */
const EXTENSIONS: ReadonlySet<string> = new Set(['.aab', '.apk', '.appx', '.ipa', '.msix', '.tgz', '.xap', '.zip']);

/** The name under which an agent saves a build: ours, with the service's ending where it is that of a package. */
export function packageFileName(
  app: Pick<App, 'title' | 'version'>,
  platform: string,
  suggested: string | undefined,
): string {
  const own = safeFileName(artifactName(app, platform));
  const extension = suggested === undefined ? '' : path.posix.extname(safeFileName(suggested)).toLowerCase();
  return EXTENSIONS.has(extension) ? `${own.slice(0, own.length - path.posix.extname(own).length)}${extension}` : own;
}
