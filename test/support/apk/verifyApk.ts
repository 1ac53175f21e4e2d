/** Whether Android can install a package: a reader of its own, which shares nothing with what writes packages. */
import type { X509Certificate } from 'node:crypto';

import { readBinaryXml, type XmlElement } from './binaryXml.ts';
import { readDexClasses } from './dexFile.ts';
import { demand } from './invalidApkError.ts';
import { checkAttributes, checkManifest, withDescendants } from './manifest.ts';
import {
  APP_PACKAGE_ID,
  readResourceTable,
  resourceOf,
  type ResourceTable,
  type ResourceValue,
} from './resourceTable.ts';
import { readSignatures, type Signatures } from './signingBlock.ts';
import type { TypedValue } from './typedValue.ts';
import { readZip, type ZipEntry } from './zipEntries.ts';

const ANDROID_PACKAGE_ID = 0x01;
/** The types of resources that have several values at once. */
const BAG_TYPES = ['style', 'attr', 'array', 'plurals'];
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

export interface VerifiedApk {
  readonly entries: readonly ZipEntry[];
  /** The root of AndroidManifest.xml. */
  readonly manifest: XmlElement;
  readonly resources: ResourceTable;
  readonly signatures: Signatures;
}

/**
 * What a package says, when it keeps every rule: of zip, of signatures v2 and v3, of compiled XML, resource tables and
 * classes.dex, and those by which one file of it refers to another.
 *
 * @throws InvalidApkError whose message names the rule
 */
export function verifyApk(bytes: Buffer): VerifiedApk {
  const zip = readZip(bytes);
  const signatures = readSignatures(bytes, zip);
  const { entries } = zip;
  return { entries, signatures, ...readContents(entries) };
}

/**
 * What the files of a package say, whoever has packed and signed them.
 *
 * @throws InvalidApkError whose message names the rule
 */
export function readContents(entries: readonly ZipEntry[]): Pick<VerifiedApk, 'manifest' | 'resources'> {
  const table = demandedEntry(entries, 'resources.arsc');
  demand(table.method === 'stored', 'resources.arsc is stored: Android 11 and later refuse it otherwise');
  const resources = readResourceTable(table.content());
  checkResources(entries, resources);

  const root = readBinaryXml(demandedEntry(entries, 'AndroidManifest.xml').content(), 'AndroidManifest.xml');
  const launcherClass = checkManifest(root);
  checkReferences(root, resources, 'AndroidManifest.xml');
  checkKinds(root, resources);
  const classes = readDexClasses(demandedEntry(entries, 'classes.dex').content());
  demand(classes.includes(launcherClass), `classes.dex: it has the class ${launcherClass} for the launcher`);
  return { manifest: root, resources };
}

/** The certificate by which Android knows who may update the app. */
export function certificateOf({ signatures }: VerifiedApk): X509Certificate {
  const [certificate] = signatures.v3.certificates;
  demand(certificate !== undefined, 'v3: there is a certificate');
  return certificate;
}

/** What is in a file of the package. */
export function contentOf({ entries }: Pick<VerifiedApk, 'entries'>, name: string): Buffer {
  return demandedEntry(entries, name).content();
}

function demandedEntry(entries: readonly ZipEntry[], name: string): ZipEntry {
  const found = entries.find((entry) => entry.name === name);
  demand(found !== undefined, `zip: there is an entry ${name}`);
  return found;
}

/** What the table names is there, and can be read. */
function checkResources(entries: readonly ZipEntry[], table: ResourceTable): void {
  for (const { name: type, entries: resources } of table.types) {
    for (const { name, values } of resources) {
      const where = `resources.arsc: ${type}/${name}`;
      for (const { value } of values) {
        for (const part of partsOf(value)) {
          checkReference(part, table, where);
        }
        demand(
          (value.type === 'bag') === BAG_TYPES.includes(type),
          `${where}: of all types only ${BAG_TYPES.join(', ')} are bags`,
        );
        // Whatever is no value itself, such as a color, a text or a number, is in a file.
        if (value.type === 'string' && type !== 'string') {
          checkFile(demandedEntry(entries, value.value), table);
        }
      }
    }
  }
}

/** The values that a value consists of, and what it refers to besides. */
function partsOf(value: ResourceValue): readonly TypedValue[] {
  return value.type === 'bag'
    ? [
        { type: 'reference', value: value.parent },
        ...value.items.flatMap((item): TypedValue[] => [{ type: 'reference', value: item.id }, item.value]),
      ]
    : [value];
}

function checkFile(file: ZipEntry, table: ResourceTable): void {
  if (file.name.endsWith('.xml')) {
    const root = readBinaryXml(file.content(), file.name);
    checkAttributes(root, file.name);
    checkReferences(root, table, file.name);
  } else if (file.name.endsWith('.png')) {
    demand(file.content().subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE), `${file.name} is a PNG`);
  }
}

function checkReferences(root: XmlElement, table: ResourceTable, title: string): void {
  for (const { name, attributes } of withDescendants(root)) {
    for (const attribute of attributes) {
      checkReference(attribute, table, `${title}: <${name}> ${attribute.name}`);
    }
  }
}

/** A resource of the app is in its table; those of Android are not looked for. */
function checkReference({ type, value }: TypedValue, table: ResourceTable, where: string): void {
  if ((type === 'reference' || type === 'attribute') && value !== 0) {
    const packageId = value >>> 24;
    demand(
      packageId === ANDROID_PACKAGE_ID || (packageId === APP_PACKAGE_ID && resourceOf(table, value) !== undefined),
      `${where}: there is a resource 0x${value.toString(16)}`,
    );
  }
}

/** Icons are the app's own pictures, themes are styles. */
function checkKinds(root: XmlElement, table: ResourceTable): void {
  const kinds = new Map([
    ['icon', ['mipmap', 'drawable']],
    ['roundIcon', ['mipmap', 'drawable']],
    ['theme', ['style']],
  ]);
  for (const { name, type, value } of withDescendants(root).flatMap(({ attributes }) => attributes)) {
    const kind = kinds.get(name);
    if (kind !== undefined && type === 'reference' && value >>> 24 !== ANDROID_PACKAGE_ID) {
      const found = table.types.find(({ entries }) => entries.some(({ id }) => id === value));
      demand(
        found !== undefined && kind.includes(found.name),
        `AndroidManifest.xml: ${name} is of ${kind.join(' or ')}`,
      );
    }
  }
}
