/** Compiled XML: AOSP's ResourceTypes.h decides (`ResXMLTree_…`). */
import type { ByteReader } from './byteReader.ts';
import {
  CHUNK_TYPES,
  NO_INDEX,
  optionalStringAt,
  readChunk,
  readOuterChunk,
  readStringPool,
  stringAt,
  type Chunk,
} from './chunk.ts';
import { demand } from './invalidApkError.ts';
import { readTypedValue, type TypedValue } from './typedValue.ts';

/** Elements and namespaces in each other. Android has no bound; readers of the tree recurse. */
const MAX_DEPTH = 100;

export const ANDROID_NAMESPACE = 'http://schemas.android.com/apk/res/android';

export type XmlAttribute = TypedValue & {
  readonly name: string;
  readonly namespace?: string;
  /** By which Android finds the attribute; the name is for people. */
  readonly resourceId?: number;
};

export interface XmlElement {
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlElement[];
}

/** What the nodes of a file refer to. */
interface Names {
  readonly strings: readonly string[];
  /** Of the attributes whose names are the first strings. */
  readonly resourceIds: readonly number[];
  readonly title: string;
}

/** An element whose end has not been read. */
interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
}

/**
 * The root of a compiled XML file without text.
 *
 * @param title the file's name, for messages
 * @throws InvalidApkError
 */
export function readBinaryXml(bytes: Buffer, title: string): XmlElement {
  const { header, body } = readOuterChunk(bytes, CHUNK_TYPES.xml, title);
  header.end();
  const strings = readStringPool(readChunk(body, title));
  const resourceIds = body.isBefore(CHUNK_TYPES.resourceMap) ? readResourceMap(readChunk(body, title)) : [];
  demand(resourceIds.length <= strings.length, `${title}: the resource map is of strings in the pool`);
  return readTree(body, { strings, resourceIds, title });
}

/** The IDs of attributes; where no attribute has one, there may be no map. */
function readResourceMap({ header, body }: Chunk): readonly number[] {
  header.end();
  return body.untilEnd((reader) => reader.uint32());
}

/** Puts the nodes that follow into one tree. Elements and namespaces end in the reverse of the order they began in. */
function readTree(body: ByteReader, names: Names): XmlElement {
  const { strings, title } = names;
  const open: (OpenElement | { readonly prefix: string; readonly uri: string })[] = [];
  const roots: XmlElement[] = [];
  while (!body.isAtEnd) {
    demand(open.length < MAX_DEPTH, `${title}: no more than ${MAX_DEPTH} elements are in each other`);
    const chunk = readChunk(body, title);
    const { type, header, body: node } = chunk;
    header.uint32(); // The number of the line.
    optionalStringAt(strings, header.uint32(), `${title}: comment`);
    header.end();
    if (type === CHUNK_TYPES.startNamespace) {
      open.push({ prefix: stringAt(strings, node.uint32(), title), uri: stringAt(strings, node.uint32(), title) });
    } else if (type === CHUNK_TYPES.endNamespace) {
      const prefix = stringAt(strings, node.uint32(), title);
      const uri = stringAt(strings, node.uint32(), title);
      const last = open.pop();
      demand(
        last !== undefined && 'uri' in last && last.uri === uri && last.prefix === prefix,
        `${title}: the namespace that ends is the one that began last`,
      );
    } else if (type === CHUNK_TYPES.startElement) {
      const uris = open.flatMap((each) => ('uri' in each ? [each.uri] : []));
      const element: OpenElement = { ...readElement(chunk, names, uris), children: [] };
      const parent = open.findLast((each) => 'children' in each);
      (parent === undefined ? roots : parent.children).push(element);
      open.push(element);
    } else {
      demand(type === CHUNK_TYPES.endElement, `${title}: 0x${type.toString(16)} is an element or a namespace`);
      const name = readElementName(node, strings);
      const last = open.pop();
      demand(
        last !== undefined && 'children' in last && last.name === name,
        `${title}: the element that ends is the one that began last`,
      );
    }
    node.end();
  }
  const [root] = roots;
  demand(
    open.length === 0 && root !== undefined && roots.length === 1,
    `${title}: there is one root, and everything ends`,
  );
  return root;
}

function readElement(
  { body: node }: Chunk,
  { strings, resourceIds, title }: Names,
  uris: readonly string[],
): Omit<XmlElement, 'children'> {
  const name = readElementName(node, strings);
  const where = `${title}: <${name}>`;
  demand(node.uint16() === 20 && node.uint16() === 20, `${where} has attributes of 20 bytes behind its own 20`);
  const count = node.uint16();
  // The attributes `id`, `class` and `style`, counted from 1.
  const special = [node.uint16(), node.uint16(), node.uint16()];
  demand(
    special.every((index) => index <= count),
    `${where}: id, class and style are among its attributes`,
  );
  const attributes = Array.from({ length: count }, (): XmlAttribute => {
    const namespace = optionalStringAt(strings, node.uint32(), where);
    const nameIndex = node.uint32();
    const attributeName = stringAt(strings, nameIndex, where);
    const raw = optionalStringAt(strings, node.uint32(), where);
    const value = readTypedValue(node, strings);
    const resourceId = resourceIds[nameIndex] ?? 0;
    const whose = `${where} ${attributeName}`;
    demand(namespace === undefined || uris.includes(namespace), `${whose}: its namespace has begun`);
    demand((namespace === undefined) === (resourceId === 0), `${whose}: has an ID exactly when it has a namespace`);
    demand(
      value.type !== 'string' || raw === undefined || raw === value.value,
      `${whose}: its raw value is its value, since that is a string`,
    );
    return {
      name: attributeName,
      ...value,
      ...(namespace !== undefined && { namespace, resourceId }),
    };
  });
  checkOrder(attributes, where);
  return { name, attributes };
}

/** The framework looks attributes up in the order of their IDs, and stops behind the one it wants. */
function checkOrder(attributes: readonly XmlAttribute[], where: string): void {
  const ids = attributes.map(({ resourceId }) => resourceId ?? Infinity);
  demand(
    ids.every((id, index) => index === 0 || id === Infinity || id > (ids[index - 1] ?? 0)),
    `${where}: its attributes are sorted by their IDs, each there once, those without one last`,
  );
  const plain = attributes.filter(({ resourceId }) => resourceId === undefined).map(({ name }) => name);
  demand(new Set(plain).size === plain.length, `${where}: no two attributes have one name`);
}

function readElementName(node: ByteReader, strings: readonly string[]): string {
  demand(node.uint32() === NO_INDEX, `${node.title}: the element has no namespace`);
  return stringAt(strings, node.uint32(), node.title);
}
