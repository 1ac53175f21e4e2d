import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { PNG_HEAD_BYTES, pngSize } from '../png.ts';
import type { ConfigIcon } from './packageConfig.ts';
import type { AppFiles } from './appFiles.ts';
import { MAX_CONFIG_BYTES } from '../limits.ts';
import type { WriteLog } from '../buildError.ts';
import { readBytes } from '../files.ts';

/** The icon of an app on Android. */
export interface AppIcon {
  /** A PNG file. */
  readonly picture: Buffer;
  /** 32-bit ARGB color. */
  readonly background: number;
  /** A PNG file whose opaque parts Android shows in a color that the user chose. */
  readonly monochrome: Buffer | undefined;
}

const OPAQUE = 0xff000000;
/** Represents the folder of the pages. */
const PAGES = 'https://localhost';

/** Icon sizes in pixels, keyed by density. */
const WIDTHS: ReadonlyMap<string, number> = new Map(
  Object.entries({ ldpi: 36, mdpi: 48, hdpi: 72, xhdpi: 96, xxhdpi: 144, xxxhdpi: 192 }),
);

/** Common paths of a PWA manifest, relative to the start page. */
const MANIFESTS = ['manifest.webmanifest', 'manifest.json', 'site.webmanifest'];

/**
 * Reads the app's icon: the largest PNG file that config.xml names, or the uploaded one. Also reads the icon with the purpose `monochrome`
 * in a PWA manifest.
 *
 * @param uploaded path of a PNG file
 * @param fallback path of a PNG file for an app without an icon
 * @param background 32-bit ARGB color under the picture's transparent parts
 * @param log receives a line if an icon in config.xml can't be used
 */
export async function readIcon(
  files: AppFiles,
  uploaded: string | undefined,
  fallback: string,
  background: number,
  log: WriteLog,
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
  log: WriteLog,
): Promise<Buffer | undefined> {
  const named = config.icons.filter(({ src }) => src !== '');
  // An icon for Android comes before one for all platforms.
  const sorted = named.toSorted(
    (left, right) => Number(right.isForPlatform) - Number(left.isForPlatform) || getWidth(right) - getWidth(left),
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
    log('config.xml: no <icon> names a usable PNG file of the app.');
  }
  return uploaded === undefined ? undefined : readFile(uploaded);
}

/** Returns the first PNG file whose color doesn't matter (Web App Manifest, "monochrome purpose"). */
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

interface IconManifest {
  readonly icons?: readonly { readonly src: string; readonly purpose?: string }[];
}

/** Returns the paths of the monochrome icons in a manifest, relative to its folder. */
function monochromeIcons(text: string): readonly string[] {
  try {
    const { icons = [] } = JSON.parse(text) as IconManifest;
    return icons
      .filter(({ purpose }) => purpose?.split(/\s+/).includes('monochrome'))
      .map(({ src }) => new URL(src, PAGES))
      .filter(({ origin }) => origin === PAGES)
      .map(({ pathname }) => decodeURIComponent(pathname).slice(1));
  } catch {
    // Not a manifest. The app doesn't need one.
    return [];
  }
}

function getWidth({ width, density }: ConfigIcon): number {
  return Number.parseInt(width, 10) || (WIDTHS.get(density.replace(/^(?:land|port)-/, '')) ?? 0);
}

async function isPng(file: string): Promise<boolean> {
  // The file may be missing or be a folder.
  const head = await readBytes(file, PNG_HEAD_BYTES).catch(() => undefined);
  return head !== undefined && pngSize(head) !== undefined;
}
