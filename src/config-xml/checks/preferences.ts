import { sentence } from '../../errors/index.ts';
import {
  changeFix,
  configNote,
  type ConfigProblem,
  configWarning,
  insertion,
  preferredFix,
  removal,
} from '../configProblem.ts';
import { didYouMean } from '../didYouMean.ts';
import { hasPlaceholder, toDisplayText, findAttribute, widgetParts } from '../widget.ts';
import {
  type AttributeRule,
  elementRule,
  type ConfigPlatform,
  type PreferenceRule,
  preferenceRule,
  PREFERENCES,
  typeIn,
} from '../rules.ts';
import type { Span, XmlAttribute, XmlDocument, XmlElement } from '../xmlDocument.ts';
import { isValidIdentity } from './identity.ts';
import { valueFault, valueProblem } from './valueChecks.ts';

const SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/index.html#preference';

/** Platforms that apps can be built for. Preferences that only other platforms read have no effect. */
const MAINTAINED_PLATFORMS: ReadonlySet<string> = new Set<ConfigPlatform>(['android', 'ios', 'browser', 'electron']);

const platformType = elementRule('platform')?.attributes[0]?.type;
const PLATFORMS = platformType?.kind === 'choice' ? platformType.values : [];

const KNOWN_NAMES: readonly string[] = PREFERENCES.map(({ name }) => name);

interface PreferenceElement {
  readonly element: XmlElement;
  /** Range to mark in the editor. */
  readonly span: Span;
  readonly name: XmlAttribute;
  readonly value: XmlAttribute | undefined;
  /** Name of the `<platform>` that contains the preference. Undefined for all platforms. */
  readonly platform: string | undefined;
  /** Key that consists of name and platform. Only one preference per key takes effect. */
  readonly key: string;
  /** Undefined for unknown preferences, which may belong to a plugin. */
  readonly rule: PreferenceRule | undefined;
}

/**
 * Finds problems with preferences: unknown, misplaced, or repeated ones, invalid values, and preferences that a
 * platform no longer supports.
 */
export function preferenceProblems(document: XmlDocument): readonly ConfigProblem[] {
  const preferences = getPreferences(document);
  // Keyed by platform and name. Cordova uses the last entry. An entry for a platform overrides one for all platforms.
  const counting = new Map(preferences.map((preference) => [preference.key, preference]));
  const engines = engineVersions(document);
  const named = namedPlatforms(document, engines);
  return preferences.flatMap((preference) => {
    const { rule, key } = preference;
    const last = counting.get(key);
    const found =
      rule === undefined
        ? [
            widgetAttribute(document, preference) ?? unknownPreference(preference),
            preference.value && valueProblem({ type: { kind: 'foreign' }, source: SOURCE }, preference.value),
          ]
        : [
            misplacedPreference(preference, rule),
            checkValue(preference, rule),
            droppedPreference(document.text, preference, rule, engines, named),
          ];
    const repeated =
      last === undefined || last === preference ? undefined : repeatedPreference(document.text, preference, last);
    return [...found, repeated].filter((problem) => problem !== undefined);
  });
}

function getPreferences(document: XmlDocument): readonly PreferenceElement[] {
  return widgetParts(document).flatMap((part) => {
    const { element } = part;
    const name = part.name === 'preference' ? findAttribute(element, 'name') : undefined;
    if (name === undefined || hasPlaceholder(name.value)) {
      return [];
    }
    // PhoneGap Build had a `platform` attribute.
    const platform = part.platform ?? findAttribute(element, 'platform')?.value;
    // The attribute check reports white space around the name.
    const trimmed = name.value.trim();
    const key = `${platform ?? ''} ${trimmed.toLowerCase()}`;
    const rule = preferenceRule(trimmed);
    const span = name.valueSpan ?? name.nameSpan;
    return [{ element, span, name, value: findAttribute(element, 'value'), platform, key, rule }];
  });
}

/** Returns the problem for a name that resembles a known name. Any other unknown name may be a plugin's preference. */
function unknownPreference({ name, span }: PreferenceElement): ConfigProblem | undefined {
  const trimmed = name.value.trim();
  const known = didYouMean(trimmed, KNOWN_NAMES);
  if (known === undefined || isExtended(trimmed, known)) {
    return undefined;
  }
  const message = sentence('Unknown preference “{0}”.', toDisplayText(name.value));
  return configWarning('unknownPreference', span, message, {
    next: sentence('Did you mean “{0}”?', known),
    fixes: name.valueSpan === undefined ? [] : [changeFix(name.valueSpan, known)],
    source: SOURCE,
  });
}

/** Returns the problem for a preference that should be an attribute of the root, such as `android-versionCode`. */
function widgetAttribute(
  { root, text }: XmlDocument,
  { element, span, name, value }: PreferenceElement,
): ConfigProblem | undefined {
  const attribute = WIDGET_ATTRIBUTES.get(name.value.trim().toLowerCase());
  if (root === undefined || attribute === undefined) {
    return undefined;
  }
  const written = value?.valueSpan && text.slice(value.valueSpan.start, value.valueSpan.end).trim();
  const quote = value?.quote ?? '"';
  // As an attribute, an unread value would become an invalid one.
  const isMovable =
    !root.attributes.some((each) => each.name === attribute.name) &&
    isValidIdentity(root, attribute.name, value?.value.trim() ?? '');
  const at = root.attributes.at(-1)?.span.end ?? root.nameSpan.end;
  const fix =
    !isMovable || written === undefined
      ? preferredFix(sentence('Remove {0}', attribute.name), removal(text, element))
      : preferredFix(
          sentence('Move into <{0}>', 'widget'),
          insertion(at, ` ${attribute.name}=${quote}${written}${quote}`),
          removal(text, element),
        );
  const message = sentence('{0} is an attribute of <widget>, and has no effect as a preference.', attribute.name);
  return configWarning('misplacedElement', span, message, { fixes: [fix], source: attribute.source });
}

/** Platform-specific attributes of the root, keyed by lowercase name. Plugins don't use these names for preferences. */
const WIDGET_ATTRIBUTES: ReadonlyMap<string, AttributeRule> = new Map(
  elementRule('widget')
    ?.attributes.filter(({ name }) => name.includes('-'))
    .map((rule) => [rule.name.toLowerCase(), rule]),
);

/** Reports whether a name intentionally extends a known name, such as `SplashScreenDelayIos`. */
function isExtended(name: string, known: string): boolean {
  const [lowered, short] = [name.toLowerCase(), known.toLowerCase()];
  return name.length > known.length + 1 && (lowered.startsWith(short) || lowered.endsWith(short));
}

function misplacedPreference({ span, platform }: PreferenceElement, rule: PreferenceRule): ConfigProblem | undefined {
  // Plugins may support more platforms than their documentation lists.
  const isElsewhere =
    (platform === 'android' || platform === 'ios') &&
    rule.plugin === undefined &&
    rule.platforms.length > 0 &&
    !rule.platforms.includes(platform);
  if (!isElsewhere) {
    return undefined;
  }
  const message = sentence('The preference {0} has no effect in <platform name="{1}">.', rule.name, platform);
  const next = sentence('It’s for {0}.', rule.platforms);
  return configWarning('misplacedElement', span, message, { next, source: rule.source });
}

function checkValue(
  { element, name, value, platform }: PreferenceElement,
  rule: PreferenceRule,
): ConfigProblem | undefined {
  if (value !== undefined) {
    return valueProblem({ type: typeIn(rule, platform), source: rule.source }, value);
  }
  const addition = { title: sentence('Add {0}', 'value=""'), changes: [insertion(name.span.end, ' value=""')] };
  const message = sentence('The preference {0} has no value.', rule.name);
  return configWarning('missingAttribute', element.nameSpan, message, { fixes: [addition], source: rule.source });
}

function droppedPreference(
  text: string,
  { element, span, name, value, platform }: PreferenceElement,
  rule: PreferenceRule,
  engines: ReadonlyMap<string, string>,
  named: readonly string[],
): ConfigProblem | undefined {
  const removed = new Map(Object.entries(rule.removed ?? {}));
  if (removed.size === 0) {
    return undefined;
  }
  const known: readonly string[] = rule.platforms.length > 0 ? rule.platforms : [...removed.keys(), ...named];
  const readers = known.filter((each) =>
    platform === undefined ? MAINTAINED_PLATFORMS.has(each) || named.includes(each) : each === platform,
  );
  const dropped = [...new Set(readers)].flatMap((each) => {
    const version = removed.get(each);
    return version === undefined ? [] : [{ platform: each, version }];
  });
  if (dropped.length === 0 || !readers.every((each) => removed.has(each))) {
    return undefined;
  }
  const isStillRead = dropped.every(({ platform: each, version }) => {
    const asked = engines.get(each);
    return asked !== undefined && isOlder(asked, version);
  });
  const successor = rule.replacedBy === undefined ? undefined : preferenceRule(rule.replacedBy);
  const isTakenOver =
    successor?.type.kind === rule.type.kind &&
    value !== undefined &&
    valueFault(successor.type, value.value) === undefined;
  const removing = {
    title: sentence('Remove {0}', rule.name),
    isPreferred: rule.replacedBy === undefined,
    changes: [removal(text, element)],
  };
  const renaming =
    isTakenOver && name.valueSpan !== undefined
      ? [{ ...changeFix(name.valueSpan, successor.name), isPreferred: false }]
      : [];
  const message = sentence(
    'The preference {0} has no effect since {1}.',
    rule.name,
    dropped.map((each) => `cordova-${each.platform} ${each.version}`),
  );
  return (isStillRead ? configNote : configWarning)('droppedPreference', span, message, {
    next:
      rule.replacedBy === undefined ? sentence('You can remove it.') : sentence('Use {0} instead.', rule.replacedBy),
    fixes: [...renaming, removing],
    source: rule.source,
  });
}

/**
 * Returns the problem for a repeated preference.
 *
 * @param counting the preference with the same name and platform that takes effect
 */
function repeatedPreference(
  text: string,
  { element, span, name, value }: PreferenceElement,
  counting: PreferenceElement,
): ConfigProblem | undefined {
  if ([element, counting.element].some(isConditional)) {
    return undefined;
  }
  const written = toDisplayText(name.value);
  const message = sentence('The preference {0} is set again later, so this one has no effect.', written);
  const isSame = counting.value?.value === value?.value;
  return (isSame ? configNote : configWarning)('repeatedPreference', span, message, {
    related: { span: counting.element.span, message: sentence('This is the one that counts.') },
    fixes: [preferredFix(sentence('Remove {0}', written), removal(text, element))],
    source: SOURCE,
  });
}

/** Reports whether a preference has additional attributes for plugins, such as `buildType`. */
function isConditional({ attributes }: XmlElement): boolean {
  return attributes.some(({ name }) => name !== 'name' && name !== 'value' && name !== 'platform');
}

/** Returns the platforms that have a `<platform>` or an `<engine>` element. */
function namedPlatforms({ root }: XmlDocument, engines: ReadonlyMap<string, string>): readonly string[] {
  const elements = (root?.children ?? []).filter(({ name }) => name === 'platform');
  const names = elements.flatMap((element) => findAttribute(element, 'name')?.value ?? []);
  return [...new Set([...names, ...engines.keys()])].filter((name) => PLATFORMS.includes(name));
}

/** Returns the engine version that config.xml requires for each platform. For a range, that's the lowest version. */
function engineVersions({ root }: XmlDocument): ReadonlyMap<string, string> {
  return new Map(
    (root?.children ?? []).flatMap((element): readonly (readonly [string, string])[] => {
      const name = element.name === 'engine' ? findAttribute(element, 'name')?.value : undefined;
      const spec = findAttribute(element, 'spec') ?? findAttribute(element, 'version');
      // A range without an upper bound includes the latest version.
      const version = /^(?:.*#)?[\^~=v ]*(\d+(?:\.\d+)*)/.exec(spec?.value ?? '')?.[1];
      return name === undefined || version === undefined ? [] : [[name.replace(/^cordova-/, ''), version]];
    }),
  );
}

function isOlder(version: string, than: string): boolean {
  const [parts, others] = [version, than].map((each) => each.split('.').map(Number));
  for (const [index, other] of (others ?? []).entries()) {
    const part = parts?.[index] ?? 0;
    if (part !== other) {
      return part < other;
    }
  }
  return false;
}
