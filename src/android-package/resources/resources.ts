/**
 * The resources and XML of an Android app as values, independent of their encoding in packages (`binaryResources.ts`)
 * and app bundles (`protoResources.ts`).
 */

/** A value of an attribute or a resource. Numbers are integers. */
export type ResourceValue =
  | string
  | number
  | boolean
  /** ID of a resource. */
  | { readonly reference: number }
  | { readonly flags: number }
  /** 32-bit ARGB color. */
  | { readonly color: number }
  /** Fraction of the whole, from 0 to 1. */
  | { readonly fraction: number }
  /** A file in the package. XML files are compiled. */
  | { readonly file: string };

/** Device properties that a value requires. Omitted properties don't matter. */
export interface ResourceConfig {
  /** Screen density in dots per inch, or {@link ANY_DENSITY}. */
  readonly density?: number;
  readonly isNight?: boolean;
  /** Minimum API level. */
  readonly sdk?: number;
}

/** Density of drawables that scale to any density. They take precedence over those for the phone's density. */
export const ANY_DENSITY = 0xfffe;

/** A style: values of framework attributes. */
export interface ResourceStyle {
  /** ID of the framework style that it inherits from. */
  readonly parent: number;
  /** Values, keyed by framework attribute. */
  readonly items: ReadonlyMap<AndroidAttribute, ResourceValue>;
}

/** A resource, referred to as `@TYPE/NAME`. */
export interface AndroidResource {
  readonly type: string;
  readonly name: string;
  readonly values: readonly (readonly [ResourceConfig, ResourceValue | ResourceStyle])[];
}

/** A framework attribute: its name, and its ID in `android.R.attr`, which never changes. */
export interface AndroidAttribute {
  readonly name: string;
  readonly id: number;
}

/** An element of an XML document. */
export interface ResourceElement {
  readonly name: string;
  readonly attributes: readonly ResourceAttribute[];
  readonly children: readonly ResourceElement[];
}

/** An attribute of an element. */
export interface ResourceAttribute {
  readonly name: string;
  /** ID of the attribute. `undefined` for an attribute without a namespace. */
  readonly id: number | undefined;
  readonly value: ResourceValue;
}

/** IDs of resources, keyed by `TYPE/NAME`. */
export type ResourceIds = ReadonlyMap<string, number>;

/** Package ID of an app's own resources: the first byte of their resource IDs. */
export const PACKAGE_ID = 0x7f;
/** XML namespace of the `android:` attributes. */
export const ANDROID_NAMESPACE = 'http://schemas.android.com/apk/res/android';

/** Assigns IDs to all resources. Types and names are numbered in the order of the list. */
export function resourceIds(resources: readonly AndroidResource[]): ResourceIds {
  return new Map(
    groupByType(resources).flatMap(([type, own], typeIndex) =>
      own.map(({ name }, index) => [`${type}/${name}`, (PACKAGE_ID << 24) | ((typeIndex + 1) << 16) | index] as const),
    ),
  );
}

/** Groups resources by type, in the order of the list. */
export function groupByType(
  resources: readonly AndroidResource[],
): readonly (readonly [string, readonly AndroidResource[]])[] {
  return [...Map.groupBy(resources, ({ type }) => type)];
}

/** Reports whether a value is a style. */
export function isStyle(value: ResourceValue | ResourceStyle): value is ResourceStyle {
  return typeof value === 'object' && 'parent' in value;
}

/** Sorts attributes in the order that Android requires for its search: by ID, followed by those without an ID. */
export function sortAttributes(attributes: readonly ResourceAttribute[]): readonly ResourceAttribute[] {
  const LAST = 0xffffffff;
  return attributes.toSorted((left, right) => (left.id ?? LAST) - (right.id ?? LAST));
}

/** Encodes a fraction of the whole (`Res_value`, complex): 23 bits after the point, radix 3, unit 0. */
export function encodeFraction(fraction: number): number {
  return (Math.round(fraction * 2 ** 23) << 8) | (3 << 4);
}

/** Returns the minimum API level that supports a configuration: 4 for densities, 8 for night mode, and 21 for any density. */
export function firstSdk({ density, isNight, sdk = 0 }: ResourceConfig): number {
  const first = density === ANY_DENSITY ? 21 : isNight === true ? 8 : density === undefined ? 0 : 4;
  return Math.max(first, sdk);
}
