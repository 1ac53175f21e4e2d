import { buffer } from 'node:stream/consumers';
import { openPromise, type Entry } from 'yauzl';
import { MARK } from '../../page-design/index.ts';
import { pngSize } from '../../android-package/index.ts';
import { type FoundProject, join, projectFolder } from '../../web-project/index.ts';
import { html, Html } from '../workbench/html.ts';

/** Maximum size of an icon in bytes. Every page that shows the icon contains it. */
const MAX_ICON_BYTES = 512 * 1024;

/** Paths of icons in packages of the built-in builder, Cordova, and Capacitor, one for each density. */
const ICON = /^res\/(?:icon|(?:mipmap|drawable)-(x{0,3}h|m|l)dpi(?:-v\d+)?\/(?:ic_launcher|icon))\.png$/;

/**
 * Returns an Android package's icon as a data URL, or undefined if no icon is at a usual path or the file can't be read. The caller
 * reports an unreadable file when it uses the package.
 */
export async function readPackageIcon(file: string): Promise<string | undefined> {
  try {
    const zip = await openPromise(file, { strictFileNames: true, autoClose: false });
    try {
      let icon: Entry | undefined;
      for await (const entry of zip.eachEntry()) {
        if (entry.uncompressedSize <= MAX_ICON_BYTES && getDensityRank(entry) > getDensityRank(icon)) {
          icon = entry;
        }
      }
      return icon === undefined ? undefined : toDataUrl(await buffer(await zip.openReadStreamPromise(icon)));
    } finally {
      zip.close();
    }
  } catch {
    return undefined;
  }
}

/** Returns the icon that a project's package would contain, if it's a PNG. See {@link readPackageIcon}. */
export async function readProjectIcon(project: FoundProject): Promise<string | undefined> {
  const file = project.facts.icon?.value;
  const folder = projectFolder(project);
  // Packages never contain a file that a link outside the folder points to.
  const isInside = file !== undefined && (await folder.tree.target(join(folder.path, file))) !== undefined;
  const bytes = isInside ? await folder.bytes(file, MAX_ICON_BYTES + 1) : undefined;
  return bytes === undefined || bytes.length > MAX_ICON_BYTES ? undefined : toDataUrl(Buffer.from(bytes));
}

/** Returns a PNG as a data URL, or undefined for any other format. */
function toDataUrl(bytes: Buffer): string | undefined {
  return pngSize(bytes) === undefined ? undefined : `data:image/png;base64,${bytes.toString('base64')}`;
}

const DENSITIES: readonly (string | undefined)[] = ['l', 'm', 'h', 'xh', 'xxh', 'xxxh', undefined];

/** Ranks an icon by its screen density: higher is better. Returns -1 if the entry isn't an icon. */
function getDensityRank(entry: Entry | undefined): number {
  const match = ICON.exec(entry?.fileName ?? '');
  return match === null ? -1 : DENSITIES.indexOf(match[1]);
}

/** Renders an app's icon, or the extension's logo for an app without one. */
export function renderIcon(icon: string | undefined): Html {
  return icon === undefined ? new Html(MARK) : html`<img class="picture" src="${icon}" alt="" />`;
}
