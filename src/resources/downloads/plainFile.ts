import { lstat, open, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Whether a path on this disk is a file in a folder: itself, and not by way of a link. @throws Node's error, `ENOENT` too */
export async function isPlainFile(folder: string, file: string): Promise<boolean> {
  if (!(await lstat(file)).isFile()) {
    return false;
  }
  const [top, there] = await Promise.all([realpath(folder), realpath(file)]);
  const relative = path.relative(top, there);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Makes an empty file unless something of this name is there, also a link that leads nowhere. @throws Node's error */
export async function createUnlessThere(file: string): Promise<void> {
  try {
    await (await open(file, 'wx')).close();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      throw error;
    }
  }
}

/** Makes a file. Nothing that is there is written over, and no link is followed. @throws Node's error, `EEXIST` too */
export async function createFile(file: string, bytes: Uint8Array): Promise<void> {
  await writeFile(file, bytes, { flag: 'wx' });
}
