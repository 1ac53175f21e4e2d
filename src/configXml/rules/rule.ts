import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { ICONS } from './sources.ts';

/** A platform that Cordova has or had. */
export type Platform =
  | 'android'
  | 'ios'
  | 'browser'
  | 'electron'
  | 'windows'
  | 'osx'
  | 'wp8'
  | 'blackberry10'
  | 'ubuntu';

/** What a value looks like. */
export type ValueType =
  | { readonly kind: 'text' }
  /** A name or a key: any text, without white space around it. */
  | { readonly kind: 'name' }
  /** What only a plugin understands: white space around it is told, and no more. */
  | { readonly kind: 'foreign' }
  /** `true` or `false`. */
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'decimal' }
  | {
      readonly kind: 'choice';
      readonly values: readonly string[];
      readonly ignoresCase?: boolean;
      /** True where qualifiers of Android's resources may stand around it, with hyphens: `land-xhdpi`, `hdpi-v26`. */
      readonly isQualified?: boolean;
      /** True where several may stand, with commas between them. */
      readonly isList?: boolean;
    }
  /** Hexadecimal, as the platforms read it: `#RRGGBB`, `0xAARRGGBB` … */
  | { readonly kind: 'colour' }
  /** A file: `page` below `www`, `file` below the project. */
  | { readonly kind: 'path'; readonly of: 'page' | 'file' }
  /** A URL, an origin, or a pattern with `*`. */
  | { readonly kind: 'origin' }
  | { readonly kind: 'url' }
  | { readonly kind: 'email' }
  /** Such as `com.example.app`; see checks/identity.ts. */
  | { readonly kind: 'identifier' }
  /** Numbers with dots. */
  | { readonly kind: 'version' };

export interface AttributeRule {
  /** With its prefix, as `android:name`, or without. */
  readonly name: string;
  readonly type: ValueType;
  readonly isRequired?: boolean;
  /** True when a build fails of a wrong value. */
  readonly isFatal?: boolean;
  /** Undefined for what only plugins or platforms of another time read: it is known, and not explained. */
  readonly description?: Sentence | undefined;
  /** All platforms when absent. */
  readonly platforms?: readonly Platform[];
  /** Where it is written down. */
  readonly source: string;
}

export interface ElementRule {
  readonly name: string;
  /** The elements that it may stand in. */
  readonly parents: readonly string[];
  /** True when only the first one counts, or a second one is an error. */
  readonly isOnce?: boolean;
  readonly attributes: readonly AttributeRule[];
  /** True when any attribute may stand there: an element whose content belongs to another format. */
  readonly isOpen?: boolean;
  /** The type of its own text; undefined when it has none. */
  readonly text?: ValueType;
  /** Undefined as that of an attribute. */
  readonly description?: Sentence | undefined;
  readonly platforms?: readonly Platform[];
  /** Why build services leave it out; undefined when they take it. */
  readonly leftOut?: Sentence;
  readonly source: string;
}

export interface PreferenceRule {
  /** Cordova ignores case. */
  readonly name: string;
  readonly type: ValueType;
  /** The type in the elements of some platforms, where that is another one. */
  readonly types?: Readonly<Partial<Record<Platform, ValueType>>>;
  /** All platforms when empty. */
  readonly platforms: readonly Platform[];
  readonly defaultValue?: string;
  /** Undefined as that of an attribute. */
  readonly description?: Sentence | undefined;
  /** From these versions of platforms on it has no effect, or is an error: `{ android: '10.0.0' }`. */
  readonly removed?: Readonly<Partial<Record<Platform, string>>>;
  /** The preference, or what else, that took its place. */
  readonly replacedBy?: string;
  /** The plugin that reads it; undefined when the platform does. */
  readonly plugin?: string;
  readonly source: string;
}

/** An attribute in the table: what it does not say is as its element says it. */
export type AttributeRow = Omit<AttributeRule, 'source'> & Partial<Pick<AttributeRule, 'source'>>;

export type ElementRow = Omit<ElementRule, 'attributes'> & { readonly attributes: readonly AttributeRow[] };

export const TEXT: ValueType = { kind: 'text' };
export const NAME: ValueType = { kind: 'name' };
export const FOREIGN: ValueType = { kind: 'foreign' };
export const BOOLEAN: ValueType = { kind: 'boolean' };
export const INTEGER: ValueType = { kind: 'integer', min: 0 };
export const DECIMAL: ValueType = { kind: 'decimal' };
export const COLOUR: ValueType = { kind: 'colour' };
export const FILE: ValueType = { kind: 'path', of: 'file' };
export const PAGE: ValueType = { kind: 'path', of: 'page' };
export const ORIGIN: ValueType = { kind: 'origin' };
export const VERSION: ValueType = { kind: 'version' };

export const ANDROID: readonly Platform[] = ['android'];
export const IOS: readonly Platform[] = ['ios'];
export const ANDROID_AND_IOS: readonly Platform[] = ['android', 'ios'];
export const ALL_PLATFORMS: readonly Platform[] = [];

/** The elements that most elements may stand in. */
export const ANYWHERE: readonly string[] = ['widget', 'platform'];

/** One of some values, written exactly so. */
export function oneOf(...values: readonly string[]): ValueType {
  return { kind: 'choice', values };
}

/** One of some values, in upper or lower case. */
export function oneOfIgnoringCase(...values: readonly string[]): ValueType {
  return { kind: 'choice', values, ignoresCase: true };
}

/** The density of a screen of Android; the usual ones first. */
export const DENSITY: ValueType = {
  kind: 'choice',
  values: ['ldpi', 'mdpi', 'hdpi', 'xhdpi', 'xxhdpi', 'xxxhdpi', 'nodpi', 'tvdpi', 'anydpi'],
  isQualified: true,
};

/** The direction of a text, by the W3C's format. */
export const DIRECTION = oneOf('ltr', 'rtl', 'lro', 'rlo');

/** The type of a preference in the element of a platform; undefined: of all. */
export function typeIn({ type, types = {} }: PreferenceRule, platform: string | undefined): ValueType {
  return Object.entries(types).find(([name]) => name === platform)?.[1] ?? type;
}

/** An attribute of an element. */
export function attribute(
  name: string,
  type: ValueType,
  description?: Sentence,
  more: Partial<AttributeRow> = {},
): AttributeRow {
  return { name, type, description, ...more };
}

/**
 * What makes the preferences of a table.
 *
 * @param common what all of them have, unless one says otherwise
 */
export function preferencesWith(common: Pick<PreferenceRule, 'platforms' | 'source'>) {
  return (
    name: string,
    type: ValueType,
    description?: Sentence,
    more: Partial<PreferenceRule> = {},
  ): PreferenceRule => ({ name, type, description, ...common, ...more });
}

/** The platforms of today first, then those that Cordova and PhoneGap Build had, and those of others. */
export const PLATFORM_NAME = oneOf(
  ...['android', 'ios', 'browser', 'electron'],
  ...['windows', 'osx', 'winphone', 'wp8', 'wp7', 'windows8', 'win8', 'blackberry10', 'blackberry', 'ubuntu'],
  ...['amazon-fireos', 'firefoxos', 'tizen', 'webos', 'symbian', 'symbian.wrt', 'bada', 'mac', 'macos'],
  ...['chrome', 'pwa', 'openharmony'],
);

/** The attribute that several elements have. */
export const PLATFORM = attribute(
  'platform',
  PLATFORM_NAME,
  sentence('The platform that the element is for. It is for all of them when it is missing.'),
  { source: ICONS },
);
