import { type Sentence, sentence } from '../api/errors/sentence.ts';
import table from './rules.json' with { type: 'json' };

/** The platforms that Cordova has or had. */
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

export type Platform = keyof typeof PLATFORM_NAMES;

/** What a value looks like. */
export type ValueType =
  | { readonly kind: 'text' }
  /** A name or a key. White space around it is a mistake. */
  | { readonly kind: 'name' }
  /** A value that only a plugin understands. White space around it is a mistake, too, and nothing else is checked. */
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
  /** Such as `com.example.app`; see `checks/identity.ts`. */
  | { readonly kind: 'identifier' }
  /** Numbers with dots. */
  | { readonly kind: 'version' };

export interface AttributeRule {
  /** With its prefix, as `android:name`, or without. */
  readonly name: string;
  readonly type: ValueType;
  readonly isRequired?: boolean;
  /** English; undefined for what only plugins or former platforms read: it is known, and not explained. */
  readonly description?: string;
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
  /** True when it has a text of its own. */
  readonly hasText?: boolean;
  /** Undefined as that of an attribute. */
  readonly description?: string;
  readonly platforms?: readonly Platform[];
  /** Why build services leave it out; undefined when they take it. */
  readonly leftOut?: 'runsCode' | 'choosesTools' | 'writesFiles' | 'notRead';
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
  readonly description?: string;
  /** From these versions of platforms on it has no effect, or is an error: `{ android: '10.0.0' }`. */
  readonly removed?: Readonly<Partial<Record<Platform, string>>>;
  /** The preference, or what else, that took its place. */
  readonly replacedBy?: string;
  /** The plugin that reads it; undefined when the platform does. */
  readonly plugin?: string;
  readonly source: string;
}

/** A type in the table: its name, or what it is. */
type TypeEntry = string | ValueType;

/** An attribute in the table. Without a source it is explained where its element is. */
type AttributeEntry = Omit<AttributeRule, 'type' | 'source'> & { readonly type: TypeEntry; readonly source?: string };

/**
 * What `rules.json` holds: the elements and preferences of Cordova, of PhoneGap Build and of widely used plugins. Names are unique.
 * A `comment` there tells why an entry is as it is.
 */
interface RuleTable {
  readonly types: Readonly<Record<string, ValueType>>;
  /** Attributes of several elements, which name them. */
  readonly sharedAttributes: readonly AttributeEntry[];
  readonly elements: readonly (Omit<ElementRule, 'attributes'> & {
    readonly attributes: readonly (string | AttributeEntry)[];
  })[];
  /** Without a source one is explained in {@link PREFERENCE_SOURCE}. */
  readonly preferences: readonly (Omit<PreferenceRule, 'type' | 'types' | 'platforms' | 'source'> & {
    readonly type: TypeEntry;
    readonly types?: Readonly<Partial<Record<Platform, TypeEntry>>>;
    readonly platforms?: readonly Platform[];
    readonly source?: string;
  })[];
}

const PREFERENCE_SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/#preference';

const { types, sharedAttributes, elements: elementEntries, preferences: preferenceEntries } = table as RuleTable;

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

/** The type of a preference in the element of a platform; undefined: of all. */
export function typeIn({ type, types = {} }: PreferenceRule, platform: string | undefined): ValueType {
  return Object.entries(types).find(([name]) => name === platform)?.[1] ?? type;
}

/** Why build services leave an element out. */
export const LEFT_OUT_REASONS: Readonly<Record<NonNullable<ElementRule['leftOut']>, Sentence>> = {
  runsCode: sentence('It runs code on the computer that builds, so services that build for others leave it out.'),
  choosesTools: sentence('The service chooses the versions of the platforms, so it leaves this element out.'),
  writesFiles: sentence(
    'It can read and write files outside of the app, so services that build for others leave it out.',
  ),
  notRead: sentence('Only PhoneGap Build knew this element. Cordova does not read it.'),
};

/** Prefixes of Cordova and of PhoneGap Build. A name means the same with them: `gap:platform`, `cdv:preference`. */
const OWN_PREFIX = /^(?:cdv|gap):/;

const elements: ReadonlyMap<string, ElementRule> = new Map(ELEMENTS.map((rule) => [rule.name, rule]));

const preferences: ReadonlyMap<string, PreferenceRule> = new Map(
  PREFERENCES.map((rule) => [rule.name.toLowerCase(), rule]),
);

/**
 * The rule of an element; undefined for an unknown one.
 *
 * @param name as it is written. A prefix of Cordova or PhoneGap Build counts where that makes another element: `gap:platform`.
 */
export function elementRule(name: string): ElementRule | undefined {
  return elements.get(name) ?? elements.get(name.replace(OWN_PREFIX, ''));
}

/** The elements that may stand in another. @param parent its name, with or without a prefix as in {@link elementRule} */
export function elementsIn(parent: string): readonly ElementRule[] {
  const rule = elementRule(parent);
  return rule === undefined ? [] : ELEMENTS.filter(({ parents }) => parents.includes(rule.name));
}

/**
 * The rule of an attribute; undefined when the element has none of this name.
 *
 * @param element a rule of {@link elementRule}
 * @param name as it is written, with its prefix
 */
export function attributeRule(element: ElementRule, name: string): AttributeRule | undefined {
  const named = (known: string) => element.attributes.find((each) => each.name === known);
  return named(name) ?? named(name.replace(OWN_PREFIX, ''));
}

/**
 * True for the name of an element or attribute that belongs to another format, such as `android:name`, `xmlns:android` and
 * `tizen:setting`: nothing is known about it, and nothing is wrong with it.
 */
export function isForeignName(name: string): boolean {
  return name === 'xmlns' || (name.includes(':') && !OWN_PREFIX.test(name));
}

/** The rule of a preference. Case does not count. */
export function preferenceRule(name: string): PreferenceRule | undefined {
  return preferences.get(name.toLowerCase());
}
