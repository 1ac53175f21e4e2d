/**
 * Resources and XML of an Android app as values. They have two binary forms: that of packages (`binaryResources.ts`) and the protocol
 * buffers of app bundles (`protoResources.ts`).
 */

/** A value of an attribute or a resource; a number is an integer. */
export type Value =
  | string
  | number
  | boolean
  /** The ID of a resource. */
  | { readonly reference: number }
  | { readonly flags: number }
  /** 32 bits: alpha, red, green, blue. */
  | { readonly color: number }
  /** From 0 to 1, of the whole. */
  | { readonly fraction: number }
  /** A file of the package; one that ends in `.xml` is compiled. */
  | { readonly file: string };

/** The phones and moments that a value is for; what's left out doesn't matter. */
export interface Config {
  /** In dots per inch, or {@link ANY_DENSITY}. */
  readonly density?: number;
  readonly isNight?: boolean;
  /** The first API level. */
  readonly sdk?: number;
}

/** For drawables that look good at each density: they come before those of the phone's own. */
export const ANY_DENSITY = 0xfffe;

export interface Style {
  /** The ID of a style of the framework, which it inherits from. */
  readonly parent: number;
  /** By attributes of the framework. */
  readonly items: ReadonlyMap<AndroidAttribute, Value>;
}

/** A resource: `@TYPE/NAME`. */
export interface Resource {
  readonly type: string;
  readonly name: string;
  readonly values: readonly (readonly [Config, Value | Style])[];
}

/** An attribute of the framework: its name, and its ID in `android.R.attr`, which never changes. */
export interface AndroidAttribute {
  readonly name: string;
  readonly id: number;
}

export interface Element {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly children: readonly Element[];
}

export interface Attribute {
  readonly name: string;
  /** `undefined` for one without a namespace. */
  readonly id: number | undefined;
  readonly value: Value;
}

/** IDs of resources by `TYPE/NAME`. */
export type ResourceIds = ReadonlyMap<string, number>;

export const PACKAGE_ID = 0x7f;
export const ANDROID_NAMESPACE = 'http://schemas.android.com/apk/res/android';

/** The IDs of all resources: their types and names in the order of the list. */
export function resourceIds(resources: readonly Resource[]): ResourceIds {
  return new Map(
    groupByType(resources).flatMap(([type, own], typeIndex) =>
      own.map(({ name }, index) => [`${type}/${name}`, (PACKAGE_ID << 24) | ((typeIndex + 1) << 16) | index] as const),
    ),
  );
}

/** Resources by type, in the order of the list. */
export function groupByType(resources: readonly Resource[]): readonly (readonly [string, readonly Resource[]])[] {
  return [...Map.groupBy(resources, ({ type }) => type)];
}

export function isStyle(value: Value | Style): value is Style {
  return typeof value === 'object' && 'parent' in value;
}

/** Attributes in the order in which Android searches them: by ID, then those without one. */
export function sortAttributes(attributes: readonly Attribute[]): readonly Attribute[] {
  const LAST = 0xffffffff;
  return attributes.toSorted((left, right) => (left.id ?? LAST) - (right.id ?? LAST));
}

/** A fraction of the whole as Android has it (`Res_value`, complex): 23 bits behind the point, radix 3, unit 0. */
export function encodeFraction(fraction: number): number {
  return (Math.round(fraction * 2 ** 23) << 8) | (3 << 4);
}

/** The first API level that knows a configuration: densities from 4 on, the night from 8, and any density from 21. */
export function firstSdk({ density, isNight, sdk = 0 }: Config): number {
  const first = density === ANY_DENSITY ? 21 : isNight === true ? 8 : density === undefined ? 0 : 4;
  return Math.max(first, sdk);
}
