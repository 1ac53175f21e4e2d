import { buffer } from 'node:stream/consumers';
import { openPromise, type Entry } from 'yauzl';
import { MARK } from '../formats/pageDesign.ts';
import { pngSize } from '../formats/png.ts';
import { join } from '../projects/paths.ts';
import { type FoundProject, projectFolder } from '../projects/projectSearch.ts';
import { html, Html } from '../workbench/html.ts';

/** Bytes of an icon. It's part of each page that shows it. */
const MAX_ICON_BYTES = 512 * 1024;

/** The icon's path in packages of the built-in builder, and those of Cordova and Capacitor for each density. */
const ICON = /^res\/(?:icon|(?:mipmap|drawable)-(x{0,3}h|m|l)dpi(?:-v\d+)?\/(?:ic_launcher|icon))\.png$/;

/**
 * The icon of an Android package, as an address that holds it. Undefined when it isn't where builders have it, and for a file that
 * can't be read: whatever needs the package itself reports that.
 */
export async function iconOfPackage(file: string): Promise<string | undefined> {
  try {
    const zip = await openPromise(file, { strictFileNames: true, autoClose: false });
    try {
      let icon: Entry | undefined;
      for await (const entry of zip.eachEntry()) {
        if (entry.uncompressedSize <= MAX_ICON_BYTES && densityOf(entry) > densityOf(icon)) {
          icon = entry;
        }
      }
      return icon === undefined ? undefined : addressOf(await buffer(await zip.openReadStreamPromise(icon)));
    } finally {
      zip.close();
    }
  } catch {
    return undefined;
  }
}

/** The icon of a project's app, as {@link iconOfPackage} has it: the one that the package gets if the project has a PNG. */
export async function iconOfProject(project: FoundProject): Promise<string | undefined> {
  const file = project.facts.icon?.value;
  const folder = projectFolder(project);
  // A package gets no file that a link leads to outside of the folder.
  const isInside = file !== undefined && (await folder.tree.target(join(folder.path, file))) !== undefined;
  const bytes = isInside ? await folder.bytes(file, MAX_ICON_BYTES + 1) : undefined;
  return bytes === undefined || bytes.length > MAX_ICON_BYTES ? undefined : addressOf(Buffer.from(bytes));
}

/** Undefined if it isn't a PNG. */
function addressOf(bytes: Buffer): string | undefined {
  return pngSize(bytes) === undefined ? undefined : `data:image/png;base64,${bytes.toString('base64')}`;
}

const DENSITIES: readonly (string | undefined)[] = ['l', 'm', 'h', 'xh', 'xxh', 'xxxh', undefined];

/** The rank of the screen density that an icon is for: the higher the better. -1: no icon. */
function densityOf(entry: Entry | undefined): number {
  const match = ICON.exec(entry?.fileName ?? '');
  return match === null ? -1 : DENSITIES.indexOf(match[1]);
}

/** The icon of an app beside its name; the mark for an app that has none. */
export function pictureOf(icon: string | undefined): Html {
  return icon === undefined ? new Html(MARK) : html`<img class="picture" src="${icon}" alt="" />`;
}
