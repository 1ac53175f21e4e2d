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
  /** The icon, a PNG file. */
  readonly picture: Buffer;
  /** Background color: 32-bit ARGB. */
  readonly background: number;
  /** The monochrome icon, a PNG file. Android shows its opaque parts in the user's theme color. */
  readonly monochrome: Buffer | undefined;
}

const OPAQUE = 0xff000000;
/** Base URL that represents the pages folder. */
const PAGES = 'https://localhost';

/** Icon sizes in pixels, keyed by density. */
const WIDTHS: ReadonlyMap<string, number> = new Map(
  Object.entries({ ldpi: 36, mdpi: 48, hdpi: 72, xhdpi: 96, xxhdpi: 144, xxxhdpi: 192 }),
);

/** Common paths of a PWA manifest, relative to the start page. */
const MANIFESTS = ['manifest.webmanifest', 'manifest.json', 'site.webmanifest'];

/**
 * Reads the app's icon: the largest PNG file that config.xml refers to, or the uploaded one. Also reads the
 * `monochrome` icon of a PWA manifest.
 *
 * @param uploaded path of a PNG file
 * @param fallback path of the default icon, a PNG file
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
  // Icons for Android take precedence over those for all platforms.
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

/** Returns the first PNG file that's meant to be shown in any color (Web App Manifest, "monochrome purpose"). */
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
    // The file isn't a manifest. Apps don't need one.
    return [];
  }
}

function getWidth({ width, density }: ConfigIcon): number {
  return Number.parseInt(width, 10) || (WIDTHS.get(density.replace(/^(?:land|port)-/, '')) ?? 0);
}

async function isPng(file: string): Promise<boolean> {
  // The file may not exist, or may be a folder.
  const head = await readBytes(file, PNG_HEAD_BYTES).catch(() => undefined);
  return head !== undefined && pngSize(head) !== undefined;
}
