import { open, readFile } from 'node:fs/promises';
import path from 'node:path';

import type { WebApp } from '../webApp.ts';
import type { ConfigIcon } from '../packages/packageConfig.ts';
import { PNG_HEAD_BYTES, pngSize } from '../../../formats/png.ts';

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
  { config, configFolder, webRoot }: WebApp,
  uploaded: string | undefined,
  log: (line: string) => void,
): Promise<Buffer | undefined> {
  const named = (config?.icons ?? []).filter(
    ({ platform, src }) => src !== '' && (platform ?? 'android') === 'android',
  );
  // One for Android alone comes before one for all.
  const sorted = named.toSorted(
    (left, right) =>
      Number(right.platform !== undefined) - Number(left.platform !== undefined) || widthOf(right) - widthOf(left),
  );
  for (const { src } of sorted) {
    for (const folder of [configFolder, webRoot]) {
      const file = path.join(folder, src);
      if (isInside(folder, file) && (await isPng(file))) {
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

function isInside(folder: string, file: string): boolean {
  return file.startsWith(`${folder}${path.sep}`);
}

async function isPng(file: string): Promise<boolean> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(PNG_HEAD_BYTES));
      return pngSize(buffer.subarray(0, bytesRead)) !== undefined;
    } finally {
      await handle.close();
    }
  } catch {
    // It is not there, or it is a folder.
    return false;
  }
}
