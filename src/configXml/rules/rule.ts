import type { Sentence } from '../../api/errors/sentence.ts';

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
  /** `true` or `false`. */
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'decimal' }
  | { readonly kind: 'choice'; readonly values: readonly ChoiceValue[]; readonly ignoresCase?: boolean }
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

export interface ChoiceValue {
  readonly value: string;
  readonly description?: Sentence;
}

export interface AttributeRule {
  /** With its prefix, as `android:name`, or without. */
  readonly name: string;
  readonly type: ValueType;
  readonly isRequired?: boolean;
  readonly description: Sentence;
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
  /** What its own text is; undefined when it has none. */
  readonly text?: ValueType;
  readonly description: Sentence;
  readonly platforms?: readonly Platform[];
  /** Why build services leave it out; undefined when they take it. */
  readonly leftOut?: Sentence;
  readonly source: string;
}

export interface PreferenceRule {
  /** Cordova ignores case. */
  readonly name: string;
  readonly type: ValueType;
  /** All platforms when empty. */
  readonly platforms: readonly Platform[];
  readonly defaultValue?: string;
  readonly description: Sentence;
  /** Versions of platforms, such as `{ android: '10.0.0' }`. */
  readonly since?: Readonly<Partial<Record<Platform, string>>>;
  /** From these versions on it has no effect, or is an error. */
  readonly removed?: Readonly<Partial<Record<Platform, string>>>;
  /** The preference, or what else, that took its place. */
  readonly replacedBy?: string;
  /** The plugin that reads it; undefined when the platform does. */
  readonly plugin?: string;
  readonly source: string;
}
