import { type Sentence, sentence } from '../errors/index.ts';
import table from './rules.json' with { type: 'json' };

/** Current and former platforms of Cordova. */
export const PLATFORM_NAMES = {
  android: 'Android',
  ios: 'iOS',
  browser: 'Browser',
  electron: 'Electron',
  windows: 'Windows',
  osx: 'macOS',
  wp8: 'Windows Phone 8',
  blackberry10: 'BlackBerry 10',
  ubuntu: 'Ubuntu',
} as const;

export type ConfigPlatform = keyof typeof PLATFORM_NAMES;

/** The format of a value. */
export type ValueType =
  | { readonly kind: 'text' }
  /** A name or a key. White space around it is an error. */
  | { readonly kind: 'name' }
  /** A value that only a plugin understands. The only check is for white space around it. */
  | { readonly kind: 'foreign' }
  /** `true` or `false`. */
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'decimal' }
  | {
      readonly kind: 'choice';
      readonly values: readonly string[];
      readonly ignoresCase?: boolean;
      /** Whether the value may be combined with Android resource qualifiers: `land-xhdpi`, `hdpi-v26`. */
      readonly isQualified?: boolean;
      /** Whether the value may be a comma-separated list. */
      readonly isList?: boolean;
    }
  /** A hexadecimal color: `#RRGGBB`, `0xAARRGGBB` … */
  | { readonly kind: 'color' }
  /** The path of a file: `page` is relative to `www`, `file` is relative to the project. */
  | { readonly kind: 'path'; readonly of: 'page' | 'file' }
  /** A URL, an origin, or a pattern with `*`. */
  | { readonly kind: 'origin' }
  | { readonly kind: 'url' }
  | { readonly kind: 'email' }
  /** A URL scheme that iOS doesn't handle itself. */
  | { readonly kind: 'appScheme' }
  /** An identifier such as `com.example.app`. See `checks/identity.ts`. */
  | { readonly kind: 'identifier' }
  /** Numbers separated by dots. */
  | { readonly kind: 'version' };

/** An attribute that Cordova, PhoneGap Build, or a plugin reads. */
export interface AttributeRule {
  /** Name, including its prefix if it has one, such as `android:name`. */
  readonly name: string;
  readonly type: ValueType;
  readonly isRequired?: boolean;
  /** English description. Undefined if only plugins or discontinued platforms read the attribute. */
  readonly description?: string;
  /** Platforms that read the attribute. Undefined for all platforms. */
  readonly platforms?: readonly ConfigPlatform[];
  /** Address of the documentation. */
  readonly source: string;
}

/** An element that Cordova, PhoneGap Build, or a plugin reads. */
export interface ElementRule {
  readonly name: string;
  /** Elements that can contain this element. */
  readonly parents: readonly string[];
  /** Whether the element must not be repeated. */
  readonly isOnce?: boolean;
  readonly attributes: readonly AttributeRule[];
  /** Whether any attribute is allowed, because the content belongs to another format. */
  readonly isOpen?: boolean;
  /** Whether the element contains text. */
  readonly hasText?: boolean;
  /** English description. Undefined if only plugins or discontinued platforms read the element. */
  readonly description?: string;
  readonly platforms?: readonly ConfigPlatform[];
  /** The reason why build services ignore the element. Undefined if they don't. */
  readonly leftOut?: 'runsCode' | 'choosesTools' | 'writesFiles' | 'notRead';
  readonly source: string;
}

/** A preference that Cordova, PhoneGap Build, or a plugin reads. */
export interface PreferenceRule {
  /** Name. Cordova ignores its case. */
  readonly name: string;
  readonly type: ValueType;
  /** Types for single platforms, if they differ from `type`. */
  readonly types?: Readonly<Partial<Record<ConfigPlatform, ValueType>>>;
  /** Platforms that read the preference. Empty for all platforms. */
  readonly platforms: readonly ConfigPlatform[];
  readonly defaultValue?: string;
  /** English description. Undefined if only plugins or discontinued platforms read the preference. */
  readonly description?: string;
  /** First platform versions that ignore or reject the preference: `{ android: '10.0.0' }`. */
  readonly removed?: Readonly<Partial<Record<ConfigPlatform, string>>>;
  /** The replacement for this preference: another preference or setting. */
  readonly replacedBy?: string;
  /** The plugin that reads the preference. Undefined if a platform reads it. */
  readonly plugin?: string;
  readonly source: string;
}

/** A type in the table: the name of a shared type, or the type itself. */
type TypeEntry = string | ValueType;

/** An attribute in the table. The source defaults to that of its element. */
type AttributeEntry = Omit<AttributeRule, 'type' | 'source'> & { readonly type: TypeEntry; readonly source?: string };

/**
 * The content of `rules.json`: the elements and preferences of Cordova, PhoneGap Build, and widely used plugins. Names
 * are unique. An optional `comment` explains an entry.
 */
interface RuleTable {
  readonly types: Readonly<Record<string, ValueType>>;
  /** Attributes that several elements refer to by name. */
  readonly sharedAttributes: readonly AttributeEntry[];
  readonly elements: readonly (Omit<ElementRule, 'attributes'> & {
    readonly attributes: readonly (string | AttributeEntry)[];
  })[];
  /** Preferences, whose source defaults to {@link PREFERENCE_SOURCE}. */
  readonly preferences: readonly (Omit<PreferenceRule, 'type' | 'types' | 'platforms' | 'source'> & {
    readonly type: TypeEntry;
    readonly types?: Readonly<Partial<Record<ConfigPlatform, TypeEntry>>>;
    readonly platforms?: readonly ConfigPlatform[];
    readonly source?: string;
  })[];
}

const PREFERENCE_SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/#preference';

const { types, sharedAttributes, elements: elementEntries, preferences: preferenceEntries } = table as RuleTable;

/** All known elements, with their attributes. */
export const ELEMENTS: readonly ElementRule[] = elementEntries.map((entry) => ({
  ...entry,
  attributes: entry.attributes.map((written) => {
    const attribute = typeof written === 'string' ? sharedAttributes.find(({ name }) => name === written) : written;
    if (attribute === undefined) {
      throw new TypeError(`rules.json has no shared attribute ${JSON.stringify(written)}.`);
    }
    return { ...attribute, type: typeFor(attribute.type), source: attribute.source ?? entry.source };
  }),
}));

/** All known preferences. */
export const PREFERENCES: readonly PreferenceRule[] = preferenceEntries.map((entry) => ({
  source: PREFERENCE_SOURCE,
  platforms: [],
  ...entry,
  type: typeFor(entry.type),
  types: Object.fromEntries(Object.entries(entry.types ?? {}).map(([platform, type]) => [platform, typeFor(type)])),
}));

function typeFor(entry: TypeEntry): ValueType {
  const type = typeof entry === 'string' ? types[entry] : entry;
  if (type === undefined) {
    throw new TypeError(`rules.json has no type ${JSON.stringify(entry)}.`);
  }
  return type;
}

/** Returns the type of a preference in the element of a platform, or outside of any platform. */
export function typeIn({ type, types = {} }: PreferenceRule, platform: string | undefined): ValueType {
  return Object.entries(types).find(([name]) => name === platform)?.[1] ?? type;
}

/** Reasons why build services ignore an element. */
export const LEFT_OUT_REASONS: Readonly<Record<NonNullable<ElementRule['leftOut']>, Sentence>> = {
  runsCode: sentence('It runs code on the build computer, so services that build for other users ignore it.'),
  choosesTools: sentence('The service chooses the platform versions, so it ignores this element.'),
  writesFiles: sentence(
    'It can read and write files outside the app, so services that build for other users ignore it.',
  ),
  notRead: sentence('Only PhoneGap Build supported this element. Cordova ignores it.'),
};

/**
 * Matches prefixes of Cordova and PhoneGap Build, which don't change the meaning of a name: `gap:platform`,
 * `cdv:preference`.
 */
const OWN_PREFIX = /^(?:cdv|gap):/;

const elements: ReadonlyMap<string, ElementRule> = new Map(ELEMENTS.map((rule) => [rule.name, rule]));

const preferences: ReadonlyMap<string, PreferenceRule> = new Map(
  PREFERENCES.map((rule) => [rule.name.toLowerCase(), rule]),
);

/**
 * Returns the rule for an element, or undefined for an unknown one.
 *
 * @param name the name as written. A prefix of Cordova or PhoneGap Build is ignored unless a separate rule exists for
 * it, such as `gap:platform`
 */
export function elementRule(name: string): ElementRule | undefined {
  return elements.get(name) ?? elements.get(name.replace(OWN_PREFIX, ''));
}

/**
 * Returns the elements that an element can contain.
 *
 * @param parent the name of the containing element, with or without a prefix as in {@link elementRule}
 */
export function elementsIn(parent: string): readonly ElementRule[] {
  const rule = elementRule(parent);
  return rule === undefined ? [] : ELEMENTS.filter(({ parents }) => parents.includes(rule.name));
}

/**
 * Returns the rule for an attribute, or undefined for an unknown attribute.
 *
 * @param element a rule returned by {@link elementRule}
 * @param name the name as written, including its prefix
 */
export function attributeRule(element: ElementRule, name: string): AttributeRule | undefined {
  const named = (known: string) => element.attributes.find((each) => each.name === known);
  return named(name) ?? named(name.replace(OWN_PREFIX, ''));
}

/**
 * Reports whether the name of an element or attribute belongs to another format, such as `android:name`,
 * `xmlns:android`, and `tizen:setting`. Such names aren't checked.
 */
export function isForeignName(name: string): boolean {
  return name === 'xmlns' || (name.includes(':') && !OWN_PREFIX.test(name));
}

/** Returns the rule for a preference, or undefined for an unknown one. Ignores case. */
export function preferenceRule(name: string): PreferenceRule | undefined {
  return preferences.get(name.toLowerCase());
}
