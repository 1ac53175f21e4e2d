import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { PNG_HEAD_BYTES, pngSize } from '../../../formats/png.ts';
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

/** Pixels of an icon by its density. */
const WIDTHS: ReadonlyMap<string, number> = new Map(
  Object.entries({ ldpi: 36, mdpi: 48, hdpi: 72, xhdpi: 96, xxhdpi: 144, xxxhdpi: 192 }),
);

/**
 * The icon of an app: the largest PNG file that config.xml names, or the one that was uploaded.
 *
 * @param uploaded path of a PNG file
 * @param log receives a line when what config.xml names cannot be used
 * @returns `undefined` when the app has none
 */
export async function findIcon(
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

function widthOf({ width, density }: ConfigIcon): number {
  return Number.parseInt(width, 10) || (WIDTHS.get(density.replace(/^(?:land|port)-/, '')) ?? 0);
}

async function isPng(file: string): Promise<boolean> {
  // It may not be there, or be a folder.
  const head = await readBytes(file, PNG_HEAD_BYTES).catch(() => undefined);
  return head !== undefined && pngSize(head) !== undefined;
}
