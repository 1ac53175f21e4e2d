import type { ByteReader } from './byteReader.ts';
import { stringAt } from './chunk.ts';
import { demand } from './invalidApkError.ts';

/** What a number means. */
type NumberType =
  | 'null'
  | 'reference'
  | 'attribute'
  | 'float'
  | 'dimension'
  | 'fraction'
  | 'integer'
  | 'hexadecimal'
  | 'color';

/** A value of an attribute or a resource. Of what is no text and no yes or no, the number stands as it does in the file. */
export type TypedValue =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: NumberType; readonly value: number };

/** `Res_value::TYPE_…` of ResourceTypes.h */
const NUMBER_TYPES = new Map<number, NumberType>([
  [0x00, 'null'],
  [0x01, 'reference'],
  [0x02, 'attribute'],
  [0x04, 'float'],
  [0x05, 'dimension'],
  [0x06, 'fraction'],
  [0x10, 'integer'],
  [0x11, 'hexadecimal'],
  [0x1c, 'color'],
  [0x1d, 'color'],
  [0x1e, 'color'],
  [0x1f, 'color'],
]);
const STRING_TYPE = 0x03;
const BOOLEAN_TYPE = 0x12;

/** The next `Res_value`. @param strings the pool that it may name a string of */
export function readTypedValue(reader: ByteReader, strings: readonly string[]): TypedValue {
  demand(reader.uint16() === 8 && reader.uint8() === 0, `${reader.title}: a value has 8 bytes`);
  const code = reader.uint8();
  const data = reader.uint32();
  if (code === STRING_TYPE) {
    return { type: 'string', value: stringAt(strings, data, reader.title) };
  }
  if (code === BOOLEAN_TYPE) {
    demand([0, 1, 0xffffffff].includes(data), `${reader.title}: a boolean is 0, 1 or -1`);
    return { type: 'boolean', value: data !== 0 };
  }
  const type = NUMBER_TYPES.get(code);
  demand(type !== undefined, `${reader.title}: the type 0x${code.toString(16)} of a value is known`);
  return { type, value: type === 'integer' ? data | 0 : data };
}
