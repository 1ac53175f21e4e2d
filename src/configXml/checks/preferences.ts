import { sentence } from '../../api/errors/sentence.ts';
import type { ConfigProblem, ProblemFix } from '../configProblem.ts';
import { didYouMean } from '../didYouMean.ts';
import { PREFERENCES } from '../rules/preferences.ts';
import type { Platform, PreferenceRule } from '../rules/rule.ts';
import { preferenceRule } from '../rules/ruleTable.ts';
import type { XmlAttribute, XmlDocument, XmlElement } from '../xmlDocument.ts';
import { isCaseOnly, shown, valueFault } from './valueTypes.ts';
import { attributeOf, escapeAttribute, spanOfAttribute, spanWithLine, widgetParts } from './widgetParts.ts';

/** Where Cordova says what a preference is. */
const SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/index.html#preference';

/** The platforms that apps are built for. What only the others still read has no effect. */
const LIVING_PLATFORMS: ReadonlySet<string> = new Set<Platform>(['android', 'ios', 'browser', 'electron']);

/** Nobody reads more. */
const MAX_PREFERENCE_PROBLEMS = 500;
/** Unknown names that are compared with the known ones, which takes its time. */
const MAX_GUESSES = 200;

const KNOWN_NAMES: readonly string[] = PREFERENCES.map(({ name }) => name);

interface Preference {
  readonly element: XmlElement;
  readonly name: XmlAttribute;
  readonly value: XmlAttribute | undefined;
  /** The `<platform>` that it stands in; undefined for all. */
  readonly platform: string | undefined;
  /** The same for those of which one counts. */
  readonly key: string;
  /** Undefined for one that only its plugin knows. */
  readonly rule: PreferenceRule | undefined;
}

/** Preferences: unknown, repeated, of the wrong value, of another platform, dropped by a version of a platform. */
export function preferenceProblems(document: XmlDocument): readonly ConfigProblem[] {
  const preferences = preferencesOf(document);
  // By platform and name. Cordova takes the last one, and one of the platform before one of all platforms.
  const counting = new Map(preferences.map((preference) => [preference.key, preference]));
  const engines = engineVersions(document);
  const platforms = namedPlatforms(document);
  const problems: ConfigProblem[] = [];
  let guesses = 0;
  for (const preference of preferences) {
    if (problems.length >= MAX_PREFERENCE_PROBLEMS) {
      break;
    }
    const { rule, key } = preference;
    if (rule !== undefined) {
      problems.push(
        ...platformProblems(preference, rule),
        ...valueProblems(preference, rule),
        ...droppedProblems(document.text, preference, rule, engines, platforms),
      );
    } else if (guesses < MAX_GUESSES) {
      guesses += 1;
      problems.push(...unknownProblems(preference));
    }
    const last = counting.get(key);
    if (last !== undefined && last !== preference) {
      problems.push(...repeatedProblems(document.text, preference, last));
    }
  }
  return problems;
}

function preferencesOf(document: XmlDocument): readonly Preference[] {
  return widgetParts(document).flatMap((part) => {
    const { element } = part;
    const name = part.name === 'preference' ? attributeOf(element, 'name') : undefined;
    if (name === undefined) {
      return [];
    }
    // PhoneGap Build had an attribute for the platform.
    const platform = part.platform ?? attributeOf(element, 'platform')?.value;
    const key = `${platform ?? ''} ${name.value.toLowerCase()}`;
    const rule = preferenceRule(name.value);
    return [{ element, name, value: attributeOf(element, 'value'), platform, key, rule }];
  });
}

/** Plugins have preferences of their own: a name that is like no known one is right. */
function unknownProblems({ name }: Preference): readonly ConfigProblem[] {
  const known = didYouMean(name.value, KNOWN_NAMES);
  if (known === undefined || isExtended(name.value, known)) {
    return [];
  }
  return [
    {
      ...{ code: 'unknownPreference', severity: 'warning', span: name.valueSpan ?? name.nameSpan, source: SOURCE },
      message: sentence('No preference is known that is called “{0}”.', shown(name.value)),
      next: sentence('Did you mean “{0}”?', known),
      fixes: changesOf(name, known, true),
    },
  ];
}

/** True for a name that was made of another one on purpose: `SplashScreenDelayIos`. */
function isExtended(name: string, known: string): boolean {
  const [lowered, short] = [name.toLowerCase(), known.toLowerCase()];
  return name.length > known.length + 1 && (lowered.startsWith(short) || lowered.endsWith(short));
}

function platformProblems({ name, platform }: Preference, rule: PreferenceRule): readonly ConfigProblem[] {
  // A plugin may serve more platforms than it says.
  const isElsewhere =
    (platform === 'android' || platform === 'ios') &&
    rule.plugin === undefined &&
    rule.platforms.length > 0 &&
    !rule.platforms.includes(platform);
  return isElsewhere
    ? [
        {
          ...{ code: 'misplacedElement', severity: 'warning', span: name.valueSpan ?? name.nameSpan },
          message: sentence('The preference {0} has no effect in <platform name="{1}">.', rule.name, platform),
          next: sentence('It is for {0}.', rule.platforms),
          source: rule.source,
        },
      ]
    : [];
}

function valueProblems({ element, name, value }: Preference, rule: PreferenceRule): readonly ConfigProblem[] {
  if (value === undefined) {
    const at = spanOfAttribute(name).end;
    return [
      {
        ...{ code: 'missingAttribute', severity: 'warning', span: element.nameSpan, source: rule.source },
        message: sentence('The preference {0} has no value.', rule.name),
        fixes: [
          { title: sentence('Add {0}', 'value=""'), changes: [{ span: { start: at, end: at }, newText: ' value=""' }] },
        ],
      },
    ];
  }
  const fault = valueFault(rule.type, value.value);
  if (fault === undefined) {
    return [];
  }
  return [
    {
      code: 'badValue',
      // Most platforms do not mind the case.
      severity: isCaseOnly(value.value, fault) ? 'information' : 'warning',
      span: spanOfAttribute(value),
      message: fault.message,
      source: rule.source,
      ...(fault.mended === undefined ? {} : { fixes: changesOf(value, fault.mended, true) }),
    },
  ];
}

function droppedProblems(
  text: string,
  { element, name, value, platform }: Preference,
  rule: PreferenceRule,
  engines: ReadonlyMap<string, string>,
  platforms: ReadonlySet<string>,
): readonly ConfigProblem[] {
  const removed = new Map(Object.entries(rule.removed ?? {}));
  if (removed.size === 0) {
    return [];
  }
  const named = [...platforms, ...engines.keys()];
  const known: readonly string[] = rule.platforms.length > 0 ? rule.platforms : [...removed.keys(), ...named];
  const readers = known.filter((each) =>
    platform === undefined ? LIVING_PLATFORMS.has(each) || named.includes(each) : each === platform,
  );
  const dropped = [...new Set(readers)].flatMap((each) => {
    const version = removed.get(each);
    return version === undefined ? [] : [{ platform: each, version }];
  });
  if (dropped.length === 0 || !readers.every((each) => removed.has(each))) {
    return [];
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
  return [
    {
      code: 'droppedPreference',
      severity: isStillRead ? 'information' : 'warning',
      span: name.valueSpan ?? name.nameSpan,
      message: sentence(
        'The preference {0} has no effect from {1} on.',
        rule.name,
        dropped.map((each) => `cordova-${each.platform} ${each.version}`),
      ),
      next:
        rule.replacedBy === undefined
          ? sentence('It can be removed.')
          : sentence('In its place: {0}.', rule.replacedBy),
      source: rule.source,
      fixes: [
        ...(isTakenOver ? changesOf(name, successor.name, false) : []),
        {
          title: sentence('Remove {0}', rule.name),
          isPreferred: rule.replacedBy === undefined,
          changes: [{ span: spanWithLine(text, element), newText: '' }],
        },
      ],
    },
  ];
}

/** @param counting the one of the same name and platform that has an effect. */
function repeatedProblems(
  text: string,
  { element, name, value }: Preference,
  counting: Preference,
): readonly ConfigProblem[] {
  if ([element, counting.element].some(isConditional)) {
    return [];
  }
  return [
    {
      code: 'repeatedPreference',
      severity: counting.value?.value === value?.value ? 'information' : 'warning',
      span: name.valueSpan ?? name.nameSpan,
      message: sentence('The preference {0} is set again further down, and this one has no effect.', shown(name.value)),
      related: { span: counting.element.span, message: sentence('This is the one that counts.') },
      source: SOURCE,
      fixes: [
        {
          title: sentence('Remove {0}', shown(name.value)),
          isPreferred: true,
          changes: [{ span: spanWithLine(text, element), newText: '' }],
        },
      ],
    },
  ];
}

/** True for a preference that a plugin reads together with further attributes, such as `buildType`. */
function isConditional({ attributes }: XmlElement): boolean {
  return attributes.some(({ name }) => name !== 'name' && name !== 'value' && name !== 'platform');
}

/** The platforms that have an element of their own. */
function namedPlatforms({ root }: XmlDocument): ReadonlySet<string> {
  const elements = (root?.children ?? []).filter(({ name }) => name === 'platform');
  return new Set(elements.flatMap((element) => attributeOf(element, 'name')?.value ?? []));
}

/** The version that an `<engine>` asks for, by platform; the lowest that a range allows. */
function engineVersions({ root }: XmlDocument): ReadonlyMap<string, string> {
  return new Map(
    (root?.children ?? []).flatMap((element): readonly (readonly [string, string])[] => {
      const name = element.name === 'engine' ? attributeOf(element, 'name')?.value : undefined;
      const spec = attributeOf(element, 'spec') ?? attributeOf(element, 'version');
      // A range without an end reaches the newest version.
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

function changesOf({ valueSpan }: XmlAttribute, value: string, isPreferred: boolean): readonly ProblemFix[] {
  return valueSpan === undefined
    ? []
    : [
        {
          title: sentence('Change to “{0}”', value),
          isPreferred,
          changes: [{ span: valueSpan, newText: escapeAttribute(value) }],
        },
      ];
}
