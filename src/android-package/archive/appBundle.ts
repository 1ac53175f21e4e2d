/**
 * Writes app bundles (`.aab`), which Google Play requires. They follow the rules in bundletool's
 * `BundleFilesValidator`, and their settings follow `config.proto`.
 */
import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';

import { writeArchive, type WrittenEntry } from './androidPackage.ts';
import { type PackageContent, COMPRESSED_EXTENSIONS } from './packageContent.ts';
import { encodeMessage, encodeProtoTable, encodeProtoXml, type ProtoMessage } from '../resources/protoResources.ts';
import { resourceIds } from '../resources/resources.ts';
import type { Signer } from '../keys/signer.ts';

/** Version of bundletool whose rules the bundles follow. `npm run test:android` uses it to verify a bundle. */
const BUNDLETOOL_VERSION = '1.18.2';
/** `SplitDimension.Value`: ABI, SCREEN_DENSITY, LANGUAGE. Disabled, because every phone needs the whole app. */
const SPLITS = [1, 2, 3];

/** Settings of a bundle (`BundleConfig`). */
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
  // Files that bundletool must not compress. Its patterns are case-sensitive.
  [
    3,
    COMPRESSED_EXTENSIONS.map((extension) => [
      1,
      `**.${extension.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)}`,
    ]),
  ],
];

/**
 * Writes a signed app bundle. Copies files from the package, so they aren't read or compressed again.
 *
 * @param path path of the new file, which must not exist. The file is deleted on failure.
 * @param apk the package with the same content, with its written entries and their digests
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
 * Finds the first folder whose name bundles don't support. In a folder name, bundletool treats `#` as the start of a
 * condition, as in `name#lang_de` (`TargetedDirectorySegment`).
 *
 * @returns the folder's path, relative to the assets
 */
export function findRefusedFolder({ files }: PackageContent): string | undefined {
  return files.flatMap(({ name }) => /^assets\/([^#]*#[^/]*)\//.exec(name)?.[1] ?? [])[0];
}

/** Converts a file name in a package to its name in a bundle. */
function moduleName(name: string): string {
  return /^classes\d*\.dex$/.test(name) ? `base/dex/${name}` : `base/${name}`;
}
