import ApkReader, { type ApkReaderManifest } from '@devicefarmer/adbkit-apkreader';

/** The manifest of a package as another program's reader sees it, which knows the names of attributes and looks at no signature. */
export async function readWithApkReader(bytes: Buffer): Promise<ApkReaderManifest> {
  const reader = await ApkReader.open(bytes);
  return reader.readManifest();
}
