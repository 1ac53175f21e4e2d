/** `resources.arsc`: the icon and the theme, which the manifest refers to (AOSP, `ResourceTypes.h`, `ResTable`). */
import { chunk, encodeValue, StringPool, uint16, uint32, uint8, type Value } from './chunk.ts';

const PACKAGE_ID = 0x7f;
const ICON_TYPE = 1;
const THEME_TYPE = 2;

export const ICON_ID = resourceId(ICON_TYPE);
export const THEME_ID = resourceId(THEME_TYPE);
/** The icon's name in the package. */
export const ICON_FILE = 'res/icon.png';

/** Characters of the name of a package in the table. The manifest has the whole name. */
const MAX_NAME_LENGTH = 127;
const CONFIG_SIZE = 64;
/** xxxhdpi, for the densest screens: launchers make the icon smaller, never larger. */
const ICON_DENSITY = 640;
/** Densities have a meaning since this version of the platform. */
const DENSITY_SDK = 4;

export interface Theme {
  /** The ID of a theme of the framework, which it inherits from. */
  readonly parent: number;
  /** By the IDs of the framework's attributes. */
  readonly items: ReadonlyMap<number, Value>;
}

export function encodeResourceTable(packageName: string, theme: Theme): Buffer {
  const [values, types, keys] = [new StringPool(), new StringPool(), new StringPool()];
  const icon = entry(keys.indexOf('icon'), encodeValue({ type: 'text', text: ICON_FILE }, values));
  const style = themeEntry(keys.indexOf('AppTheme'), theme, values);
  types.indexOf('mipmap');
  types.indexOf('style');
  const content = [
    types.encode(),
    keys.encode(),
    // Flag 0x0100: there may be others for other densities.
    ...typeChunks(ICON_TYPE, 0x0100, icon, { density: ICON_DENSITY, sdk: DENSITY_SDK }),
    ...typeChunks(THEME_TYPE, 0, style, { density: 0, sdk: 0 }),
  ];
  const name = Buffer.alloc(256);
  name.write(packageName.slice(0, MAX_NAME_LENGTH), 'utf16le');
  const headerSize = 288;
  const keysStart = headerSize + (content[0]?.length ?? 0);
  const header = Buffer.concat([uint32(PACKAGE_ID), name, uint32(headerSize, 0, keysStart, 0, 0)]);
  return chunk(0x0002, uint32(1), values.encode(), chunk(0x0200, header, ...content));
}

function resourceId(type: number): number {
  return (PACKAGE_ID << 24) | (type << 16);
}

/** A resource with one value. */
function entry(key: number, value: Buffer): Buffer {
  return Buffer.concat([uint16(8, 0), uint32(key), value]);
}

/** A resource with a value for each of several attributes, which Android searches in the order of their IDs. */
function themeEntry(key: number, { parent, items }: Theme, values: StringPool): Buffer {
  const sorted = [...items].sort(([left], [right]) => left - right);
  return Buffer.concat([
    uint16(16, 1),
    uint32(key, parent, sorted.length),
    ...sorted.map(([id, value]) => Buffer.concat([uint32(id), encodeValue(value, values)])),
  ]);
}

interface Configuration {
  readonly density: number;
  /** The first version of the platform that it is for; 0 for all. */
  readonly sdk: number;
}

/** What a type has: one resource, in one configuration. */
function typeChunks(type: number, flags: number, resource: Buffer, { density, sdk }: Configuration): readonly Buffer[] {
  const config = Buffer.alloc(CONFIG_SIZE);
  config.writeUInt32LE(CONFIG_SIZE, 0);
  config.writeUInt16LE(density, 14);
  config.writeUInt16LE(sdk, 24);
  const head = Buffer.concat([uint8(type, 0), uint16(0), uint32(1)]);
  const entriesStart = 8 + head.length + 4 + CONFIG_SIZE + 4;
  return [
    chunk(0x0202, head, uint32(flags)),
    chunk(0x0201, Buffer.concat([head, uint32(entriesStart), config]), uint32(0), resource),
  ];
}
