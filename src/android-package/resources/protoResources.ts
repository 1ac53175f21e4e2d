/**
 * Encodes resources and XML in the format of app bundles: protocol buffers (`Resources.proto` and `Configuration.proto`
 * of aapt2).
 */
import {
  ANDROID_NAMESPACE,
  encodeFraction,
  firstSdk,
  groupByType,
  isStyle,
  PACKAGE_ID,
  resourceIds,
  sortAttributes,
  type ResourceConfig,
  type ResourceElement,
  type AndroidResource,
  type ResourceIds,
  type ResourceStyle,
  type ResourceValue,
} from './resources.ts';

/** A field's number and value. If the value is `undefined`, the field is omitted. */
type ProtoField = readonly [number: number, value: number | boolean | string | ProtoMessage | undefined];
/** A protocol buffer message: its fields in order. */
export type ProtoMessage = readonly ProtoField[];

/** `FileReference.Type` */
const PNG = 1;
const PROTO_XML = 3;
/** `UiModeNight` */
const NIGHT = 1;

/**
 * Encodes a message. Doesn't omit 0, `false`, and empty strings, because they can determine which field of a `oneof` is
 * set.
 */
export function encodeMessage(message: ProtoMessage): Buffer {
  return Buffer.concat(message.flatMap(encodeField));
}

function encodeField([number, value]: ProtoField): readonly Buffer[] {
  if (value === undefined) {
    return [];
  }
  if (typeof value === 'number' || typeof value === 'boolean') {
    return [varint(number << 3), varint(Number(value))];
  }
  const bytes = typeof value === 'string' ? Buffer.from(value) : encodeMessage(value);
  return [varint((number << 3) | 2), varint(bytes.length), bytes];
}

/** Encodes a number with seven bits per byte, lowest first. Negative numbers have 64 bits. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
  return Buffer.from([...bytes, Number(rest)]);
}

/** Encodes `resources.pb` (`ResourceTable`). */
export function encodeProtoTable(packageName: string, resources: readonly AndroidResource[]): Buffer {
  const names = namesById(resourceIds(resources));
  const types = groupByType(resources).map(([type, own], index): ProtoField => {
    const entries = own.map(({ name, values }, entry): ProtoField => {
      const configured = values.map(([config, value]): ProtoField => [
        6,
        [
          [1, toConfiguration(config)],
          [2, toValue(value, names)],
        ],
      ]);
      return [3, [[1, [[1, entry]]], [2, name], ...configured]];
    });
    return [3, [[1, [[1, index + 1]]], [2, type], ...entries]];
  });
  return encodeMessage([[2, [[1, [[1, PACKAGE_ID]]], [2, packageName], ...types]]]);
}

/** Encodes a `Configuration`. */
function toConfiguration(config: ResourceConfig): ProtoMessage {
  return [
    [17, config.isNight === true ? NIGHT : undefined],
    [18, config.density],
    [24, firstSdk(config)],
  ];
}

/** Encodes a `Value`. */
function toValue(value: ResourceValue | ResourceStyle, names: ResourceNames): ProtoMessage {
  if (!isStyle(value)) {
    return [[4, toItem(value, names)]];
  }
  const entries = [...value.items].map(([{ id, name }, item]): ProtoField => {
    const attribute: ProtoMessage = [
      [1, 1],
      [2, id],
      [3, `android:attr/${name}`],
    ];
    return [
      3,
      [
        [3, attribute],
        [4, toItem(item, names)],
      ],
    ];
  });
  return [[5, [[2, [[1, [[2, value.parent]]], ...entries]]]]];
}

/** Names of resources, keyed by ID. */
type ResourceNames = ReadonlyMap<number, string>;

function namesById(ids: ResourceIds): ResourceNames {
  return new Map([...ids].map(([name, id]) => [id, name]));
}

/** Encodes an `Item`. */
function toItem(value: ResourceValue, names: ResourceNames): ProtoMessage {
  const primitive = (number: number, content: number | boolean): ProtoMessage => [[7, [[number, content]]]];
  if (typeof value === 'string') {
    return [[2, [[1, value]]]];
  }
  if (typeof value === 'number') {
    return primitive(6, value);
  }
  if (typeof value === 'boolean') {
    return primitive(8, value);
  }
  if ('file' in value) {
    return [
      [
        5,
        [
          [1, value.file],
          [2, value.file.endsWith('.xml') ? PROTO_XML : PNG],
        ],
      ],
    ];
  }
  if ('reference' in value) {
    return [
      [
        1,
        [
          [2, value.reference],
          [3, names.get(value.reference)],
        ],
      ],
    ];
  }
  if ('fraction' in value) {
    return primitive(14, encodeFraction(value.fraction));
  }
  return 'flags' in value ? primitive(7, value.flags) : primitive(9, value.color >>> 0);
}

/** Encodes a document (`XmlNode`). */
export function encodeProtoXml(root: ResourceElement, ids: ResourceIds): Buffer {
  const names = namesById(ids);
  const toNode = (
    { name, attributes, children }: ResourceElement,
    namespaces: readonly ProtoField[] = [],
  ): ProtoMessage => [
    [
      1,
      [
        ...namespaces,
        [3, name],
        ...sortAttributes(attributes).map(({ name: own, id, value }): ProtoField => [
          4,
          [
            [1, id === undefined ? undefined : ANDROID_NAMESPACE],
            [2, own],
            [3, sourceText(value)],
            [5, id],
            // Strings also use this field, because aapt2 treats field 3 as source text, where a backslash starts an
            // escape sequence.
            [6, toItem(value, names)],
          ],
        ]),
        ...children.map((child): ProtoField => [5, toNode(child)]),
      ],
    ],
  ];
  return encodeMessage(
    toNode(root, [
      [
        1,
        [
          [1, 'android'],
          [2, ANDROID_NAMESPACE],
        ],
      ],
    ]),
  );
}

/** Returns an attribute's value as text, as in a source file. For some attributes, bundletool reads this text. */
function sourceText(value: ResourceValue): string {
  if (typeof value !== 'object') {
    return String(value);
  }
  return 'flags' in value ? `0x${value.flags.toString(16)}` : '';
}
