import { open, stat } from 'node:fs/promises';

import type { ArchiveContents, ArchivedFile } from './archiveContents.ts';
import { MAX_CONFIG_BYTES, parseConfig, summaryOf } from './packageConfig.ts';
import { PackageError, type PackageConfig, type PackageInfo } from './packageInfo.ts';
import { detectPackageType } from './packageType.ts';
import { chooseWebRoot } from './webRoot.ts';
import { ZipArchive } from './zipArchive.ts';

/** Bytes that tell the type of a file. */
const HEAD_BYTES = 4096;

/**
 * Checks an uploaded file before anything of it is used: a zip archive, a tar.gz archive, or a single HTML page. Its content
 * tells which, not its name. Of a zip archive only the directory and config.xml are read. Nothing is written.
 *
 * @throws PackageError that names what is wrong
 */
export async function checkPackage(path: string): Promise<PackageInfo> {
  const type = detectPackageType(await readHead(path));
  switch (type) {
    case 'zip':
      return checkZip(path);
    case 'tar.gz':
      return checkTar(path);
    case 'html':
      return { type, unpackedSize: (await stat(path)).size, fileCount: 1, config: undefined };
  }
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function checkZip(path: string): Promise<PackageInfo> {
  const archive = await ZipArchive.open(path);
  try {
    const configFile = configFileOf(archive.contents);
    const config = configFile === undefined ? undefined : await readConfig(archive.read(configFile));
    return { type: 'zip', ...countsOf(archive.contents), config };
  } finally {
    archive.close();
  }
}

async function checkTar(path: string): Promise<PackageInfo> {
  const { readTarArchive } = await import('./tarArchive.ts');
  const contents = await readTarArchive(path, () => undefined);
  const configFile = configFileOf(contents);
  const pieces: Buffer[] = [];
  if (configFile !== undefined) {
    // Only now is it known which config.xml is that of the app.
    await readTarArchive(path, (file, bytes) => {
      if (file.path === configFile.path) {
        pieces.push(bytes);
      }
    });
  }
  const config = configFile === undefined ? undefined : await readConfig(pieces);
  return { type: 'tar.gz', ...countsOf(contents), config };
}

function countsOf(contents: ArchiveContents): Pick<PackageInfo, 'unpackedSize' | 'fileCount'> {
  if (contents.files.length === 0) {
    throw new PackageError('The archive holds no files. Pack the files of the app, with an index.html.');
  }
  return { unpackedSize: contents.size, fileCount: contents.files.length };
}

function configFileOf(contents: ArchiveContents): ArchivedFile | undefined {
  const { config } = chooseWebRoot(contents.files.map((file) => file.path));
  return contents.files.find(({ path, size }) => path === config && size <= MAX_CONFIG_BYTES);
}

/** A malformed config.xml is told by the build, as the original service did. */
async function readConfig(content: AsyncIterable<Buffer> | readonly Buffer[]): Promise<PackageConfig | undefined> {
  const pieces: Buffer[] = [];
  for await (const bytes of content) {
    pieces.push(bytes);
  }
  try {
    return summaryOf(parseConfig(Buffer.concat(pieces)));
  } catch (error) {
    if (error instanceof PackageError) {
      return undefined;
    }
    throw error;
  }
}
