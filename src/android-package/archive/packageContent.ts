import type { ZipEntry } from './androidPackage.ts';
import { encodeBinaryTable, encodeBinaryXml } from '../resources/binaryResources.ts';
import type { ResourceElement, AndroidResource } from '../resources/resources.ts';
import { extname } from 'node:path';

/** The content of an Android app. An APK and an app bundle encode it differently. */
export interface PackageContent {
  readonly packageName: string;
  readonly manifest: ResourceElement;
  /** Resources in the order of their IDs. */
  readonly resources: readonly AndroidResource[];
  /** XML documents that resources refer to, keyed by their name in an APK, such as `res/icon.xml`. */
  readonly documents: ReadonlyMap<string, ResourceElement>;
  /** Pictures that resources refer to, keyed by their name in an APK, such as `res/icon.png`. */
  readonly pictures: ReadonlyMap<string, Buffer>;
  /** `classes.dex` and the assets. */
  readonly files: readonly ZipEntry[];
}

/** Returns the entries of an APK. */
export function apkEntries(content: PackageContent): readonly ZipEntry[] {
  return [
    { name: 'AndroidManifest.xml', content: encodeBinaryXml(content.manifest) },
    // Stored uncompressed, because Android reads it directly from the archive.
    {
      name: 'resources.arsc',
      content: encodeBinaryTable(content.packageName, content.resources),
      isStored: true,
    },
    ...[...content.documents].map(([name, document]) => ({ name, content: encodeBinaryXml(document) })),
    ...[...content.pictures].map(([name, picture]) => ({ name, content: picture, isStored: true })),
    ...content.files,
  ];
}

/** Extensions of file formats that are already compressed. */
export const COMPRESSED_EXTENSIONS: readonly string[] =
  'png jpg jpeg gif webp avif mp3 mp4 m4a aac ogg webm woff woff2 zip gz tgz br xz 7z jar apk aab ipa'.split(' ');

/** Reports whether a file name's extension is that of a compressed format. */
export function isCompressed(name: string): boolean {
  return COMPRESSED_EXTENSIONS.includes(extname(name).slice(1).toLowerCase());
}
