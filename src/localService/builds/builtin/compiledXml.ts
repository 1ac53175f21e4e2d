/** XML as Android reads it: compiled (AOSP, `ResourceTypes.h`, `ResXMLTree`). */
import { chunk, encodeValue, NONE, StringPool, uint16, uint32, type Value } from './chunk.ts';

const ANDROID = { prefix: 'android', uri: 'http://schemas.android.com/apk/res/android' };

export interface Element {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly children?: readonly Element[];
}

export interface Attribute {
  readonly name: string;
  /** That of the framework, for an attribute of the namespace `android`; `undefined` for one without a namespace. */
  readonly id: number | undefined;
  readonly value: Value;
}

/** Compiles a document. Attributes may come in any order. */
export function compileXml(root: Element): Buffer {
  const attributes = attributesIn(root);
  const ids = new Map(attributes.flatMap(({ name, id }) => (id === undefined ? [] : [[name, id] as const])));
  // Android takes the string at index i, wherever it names an attribute, for that with the ID at index i of the map. So
  // these names are the first strings, and nothing else shares them.
  const names = [...ids.keys()];
  const pool = new StringPool(names);
  const namespace = uint32(pool.indexOf(ANDROID.prefix), pool.indexOf(ANDROID.uri));
  let line = 0;
  const node = (type: number, content: Buffer): Buffer => {
    line += 1;
    return chunk(type, uint32(line, NONE), content);
  };
  const attribute = ({ name, id, value }: Attribute): Buffer =>
    Buffer.concat([
      uint32(id === undefined ? NONE : pool.indexOf(ANDROID.uri)),
      uint32(id === undefined ? pool.indexOf(name) : names.indexOf(name)),
      uint32(value.type === 'text' ? pool.indexOf(value.text) : NONE),
      encodeValue(value, pool),
    ]);
  const element = ({ name, attributes: own, children = [] }: Element): Buffer => {
    // The framework searches them in the order of their IDs.
    const sorted = [...own].sort((left, right) => (left.id ?? NONE) - (right.id ?? NONE));
    const start = uint32(NONE, pool.indexOf(name));
    // Where attributes start, the size of one, how many there are; none of them is `id`, `class` or `style`.
    const counts = uint16(20, 20, sorted.length, 0, 0, 0);
    return Buffer.concat([
      node(0x0102, Buffer.concat([start, counts, ...sorted.map(attribute)])),
      ...children.map(element),
      node(0x0103, start),
    ]);
  };
  const nodes = [node(0x0100, namespace), element(root), node(0x0101, namespace)];
  return chunk(
    0x0003,
    Buffer.alloc(0),
    pool.encode(),
    chunk(0x0180, Buffer.alloc(0), uint32(...ids.values())),
    ...nodes,
  );
}

function attributesIn({ attributes, children = [] }: Element): readonly Attribute[] {
  return [...attributes, ...children.flatMap(attributesIn)];
}
