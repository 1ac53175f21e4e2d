/** An app bundle (`.aab`), which Google Play requires. Follows bundletool's `BundleFilesValidator`, and `config.proto` for its settings. */
import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';

import { writeArchive, type WrittenEntry } from './androidPackage.ts';
import { type PackageContent, COMPRESSED_EXTENSIONS } from './packageContent.ts';
import { encodeMessage, encodeProtoTable, encodeProtoXml, type ProtoMessage } from '../resources/protoResources.ts';
import { resourceIds } from '../resources/resources.ts';
import type { Signer } from '../keys/signer.ts';

/** Version of bundletool whose rules the bundle follows. `npm run test:android` verifies the bundle with it. */
const BUNDLETOOL_VERSION = '1.18.2';
/** `SplitDimension.Value`: ABI, SCREEN_DENSITY, LANGUAGE. Nothing in an app can be left out for some phones. */
const SPLITS = [1, 2, 3];

/** `BundleConfig` */
const CONFIG: ProtoMessage = [
  [1, [[2, BUNDLETOOL_VERSION]]],
  [
    2,
    [
      [
        1,
        SPLITS.map((split) => [
          1,
          [
            [1, split],
            [2, true],
          ],
        ]),
      ],
    ],
  ],
  // Files that bundletool leaves uncompressed. Globs are case-sensitive.
  [
    3,
    COMPRESSED_EXTENSIONS.map((extension) => [
      1,
      `**.${extension.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)}`,
    ]),
  ],
];

/**
 * Writes a signed app bundle. Copies files from the package without reading or compressing them again.
 *
 * @param path path of a file that doesn't exist. After a failure, the file is deleted.
 * @param apk the package with the same content, and its written entries with digests
 * @throws BuildError if the bundle is too large, or the signal's reason when it's aborted
 */
export async function writeAppBundle(
  path: string,
  content: PackageContent,
  apk: { readonly path: string; readonly written: readonly WrittenEntry[] },
  signer: Signer,
  signal: AbortSignal,
): Promise<void> {
  const ids = resourceIds(content.resources);
  const made = [
    { name: 'BundleConfig.pb', content: encodeMessage(CONFIG) },
    { name: 'base/manifest/AndroidManifest.xml', content: encodeProtoXml(content.manifest, ids) },
    { name: 'base/resources.pb', content: encodeProtoTable(content.packageName, content.resources) },
    ...[...content.documents].map(([name, root]) => ({ name: `base/${name}`, content: encodeProtoXml(root, ids) })),
    ...[...content.pictures].map(([name, picture]) => ({ name: `base/${name}`, content: picture })),
  ];
  const files = new Set(content.files.map(({ name }) => name));
  const archive = await open(apk.path);
  try {
    const copied = apk.written
      .filter(({ name }) => files.has(name))
      .map((entry) => ({ name: moduleName(entry.name), content: { archive, entry } }));
    const { signJar } = await import('./jarSignature.ts');
    const signature = signJar(
      [
        ...made.map((each) => ({ name: each.name, digest: hash('sha256', each.content, 'base64') })),
        ...copied.map(({ name, content: { entry } }) => ({ name, digest: entry.digest })),
      ],
      signer,
    );
    await writeArchive(path, [...signature, ...made, ...copied], undefined, signal);
  } finally {
    await archive.close();
  }
}

/**
 * Finds the first folder with a name that bundles don't support: bundletool treats `#` in a folder's name as a condition such as
 * `name#lang_de` (its `TargetedDirectorySegment`).
 *
 * @returns the folder's path, relative to the assets
 */
export function findRefusedFolder({ files }: PackageContent): string | undefined {
  return files.flatMap(({ name }) => /^assets\/([^#]*#[^/]*)\//.exec(name)?.[1] ?? [])[0];
}

/** Returns the name of a package's file in a bundle. */
function moduleName(name: string): string {
  return /^classes\d*\.dex$/.test(name) ? `base/dex/${name}` : `base/${name}`;
}
