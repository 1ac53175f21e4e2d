import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { PNG_HEAD_BYTES, pngSize } from '../../../formats/png.ts';
import { MAX_CONFIG_BYTES } from '../../limits.ts';
import { readBytes } from '../../store/dataFiles.ts';
import type { ConfigIcon } from '../packages/packageConfig.ts';
import type { AppFiles } from '../packages/appFiles.ts';
import type { Log } from '../builder.ts';

/** The icon of an app as Android shows it. */
export interface AppIcon {
  /** A PNG file. */
  readonly picture: Buffer;
  /** 32 bits: alpha, red, green, blue. */
  readonly background: number;
  /** A PNG file whose opaque parts Android shows in a color of the user's. */
  readonly monochrome: Buffer | undefined;
}

const OPAQUE = 0xff000000;
/** Stands for the folder of the pages. */
const PAGES = 'https://localhost';

/** Pixels of an icon by its density. */
const WIDTHS: ReadonlyMap<string, number> = new Map(
  Object.entries({ ldpi: 36, mdpi: 48, hdpi: 72, xhdpi: 96, xxhdpi: 144, xxxhdpi: 192 }),
);

/** Common places of a PWA's manifest, relative to the start page. */
const MANIFESTS = ['manifest.webmanifest', 'manifest.json', 'site.webmanifest'];

/**
 * The icon of an app: the largest PNG file that config.xml names, or the one that was uploaded; and the one with the purpose
 * `monochrome` in the manifest of a PWA.
 *
 * @param uploaded path of a PNG file
 * @param fallback path of a PNG file for an app that has none
 * @param background 32 bits: behind the transparent parts of the picture
 * @param log receives a line when what config.xml names cannot be used
 */
export async function readIcon(
  files: AppFiles,
  uploaded: string | undefined,
  fallback: string,
  background: number,
  log: Log,
): Promise<AppIcon> {
  return {
    picture: (await findPicture(files, uploaded, log)) ?? (await readFile(fallback)),
    background: background | OPAQUE,
    monochrome: await findMonochrome(files),
  };
}

async function findPicture(
  { config, imageFolders }: AppFiles,
  uploaded: string | undefined,
  log: Log,
): Promise<Buffer | undefined> {
  const named = config.icons.filter(({ src }) => src !== '');
  // One for Android alone comes before one for all.
  const sorted = named.toSorted(
    (left, right) => Number(right.isForPlatform) - Number(left.isForPlatform) || widthOf(right) - widthOf(left),
  );
  for (const { src } of sorted) {
    for (const folder of imageFolders) {
      const file = path.join(folder, src);
      if (file.startsWith(`${folder}${path.sep}`) && (await isPng(file))) {
        return readFile(file);
      }
    }
  }
  if (sorted.length > 0) {
    log('config.xml: no <icon> names a PNG file of the app that can be used.');
  }
  return uploaded === undefined ? undefined : readFile(uploaded);
}

/** The first PNG file whose color doesn't matter (Web App Manifest, "monochrome purpose"). */
async function findMonochrome({ webRoot, webFiles }: AppFiles): Promise<Buffer | undefined> {
  const manifest = MANIFESTS.find((name) => webFiles.includes(name));
  const text = manifest && (await readBytes(path.join(webRoot, manifest), MAX_CONFIG_BYTES)).toString();
  for (const name of monochromeIcons(text ?? '{}')) {
    if (webFiles.includes(name) && (await isPng(path.join(webRoot, name)))) {
      return readFile(path.join(webRoot, name));
    }
  }
  return undefined;
}

interface WebManifest {
  readonly icons?: readonly { readonly src: string; readonly purpose?: string }[];
}

/** Paths of the icons that the text of a manifest names, relative to its folder. */
function monochromeIcons(text: string): readonly string[] {
  try {
    const { icons = [] } = JSON.parse(text) as WebManifest;
    return icons
      .filter(({ purpose }) => purpose?.split(/\s+/).includes('monochrome'))
      .map(({ src }) => new URL(src, PAGES))
      .filter(({ origin }) => origin === PAGES)
      .map(({ pathname }) => decodeURIComponent(pathname).slice(1));
  } catch {
    // Not a manifest: the app has an icon without it.
    return [];
  }
}

function widthOf({ width, density }: ConfigIcon): number {
  return Number.parseInt(width, 10) || (WIDTHS.get(density.replace(/^(?:land|port)-/, '')) ?? 0);
}

async function isPng(file: string): Promise<boolean> {
  // It may not be there, or be a folder.
  const head = await readBytes(file, PNG_HEAD_BYTES).catch(() => undefined);
  return head !== undefined && pngSize(head) !== undefined;
}
