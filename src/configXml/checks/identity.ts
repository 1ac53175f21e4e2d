import { type Sentence, sentence } from '../../api/errors/sentence.ts';
import type { ConfigProblem, ProblemFix } from '../configProblem.ts';
import type { Span, XmlAttribute, XmlDocument, XmlElement } from '../xmlDocument.ts';
import { idFault, IOS_ID, mendedId } from './appId.ts';
import { shown } from './valueTypes.ts';
import { attributeOf, spanOfAttribute } from './widgetParts.ts';

/** Attributes of the root that are checked here, and nowhere else. */
export const IDENTITY_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['id', 'version', 'android-packageName', 'android-versionCode', 'ios-CFBundleIdentifier', 'ios-CFBundleVersion'],
]);

/** Where Cordova says what the root has. */
const SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/index.html#widget';

/** Google Play takes no more. */
const MAX_VERSION_CODE = 2_100_000_000;
const MAX_NAME_LENGTH = 1000;

const VERSION = /^\d{1,9}(?:\.\d{1,9}){0,3}$/;
/** A version with what is often written around it: `v1.2`, `1.2.0-beta.1`. */
const DECORATED_VERSION = /^v?(\d{1,9}(?:\.\d{1,9}){0,3})(?:[-+].*)?$/i;

/** What has a meaning in the files that a build generates: services leave it out of a name. */
const STRIPPED_CHARACTERS = /[$`{}\\"'<>\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;

/** What an app is: its id, version and name, as the engine and the service want them. */
export function identityProblems(document: XmlDocument): readonly ConfigProblem[] {
  const { root } = document;
  if (root === undefined) {
    return [];
  }
  return [
    ...idProblems(document, root),
    ...versionProblems(document, root),
    ...otherIdProblems(root),
    ...otherVersionProblems(root),
    ...nameProblems(document, root),
  ];
}

function idProblems(document: XmlDocument, root: XmlElement): readonly ConfigProblem[] {
  const attribute = attributeOf(root, 'id');
  if (attribute === undefined || attribute.value.trim() === '') {
    return missing(document, root, attribute, {
      code: 'idMissing',
      message: sentence('The id of the app is missing.'),
      next: sentence('Write the name that no other app has, such as com.example.app.'),
      name: 'id',
      value: 'com.example.app',
      after: undefined,
    });
  }
  const message = idFault(attribute.value);
  if (message === undefined) {
    return [];
  }
  const isForOthers = IOS_ID.test(attribute.value) && attributeOf(root, 'android-packageName') !== undefined;
  return [
    {
      code: 'idMalformed',
      // Cordova takes the id of its own that Android has. A service that reads no other than this one refuses it.
      severity: isForOthers ? 'warning' : 'error',
      span: spanOfAttribute(attribute),
      message,
      next: sentence('An id looks like com.company.app: letters, digits and underscores, in two parts or more.'),
      source: SOURCE,
      ...fixesOf(attribute, mendedId(attribute.value)),
    },
  ];
}

/** The ids that the app has on one platform only. */
function otherIdProblems(root: XmlElement): readonly ConfigProblem[] {
  const android = attributeOf(root, 'android-packageName');
  const ios = attributeOf(root, 'ios-CFBundleIdentifier');
  const androidFault = android === undefined ? undefined : idFault(android.value);
  return [
    ...(android === undefined || androidFault === undefined
      ? []
      : [
          {
            ...({
              code: 'idMalformed',
              severity: 'error',
              span: spanOfAttribute(android),
              message: androidFault,
            } as const),
            source: SOURCE,
            ...fixesOf(android, mendedId(android.value)),
          },
        ]),
    ...(ios === undefined || IOS_ID.test(ios.value)
      ? []
      : [
          {
            ...({ code: 'idMalformed', severity: 'warning', span: spanOfAttribute(ios), source: SOURCE } as const),
            message: sentence('“{0}” is no id that iOS takes.', shown(ios.value)),
            next: sentence('An id of iOS has letters, digits, hyphens and dots.'),
            ...fixesOf(ios, IOS_ID.test(ios.value.replaceAll('_', '-')) ? ios.value.replaceAll('_', '-') : undefined),
          },
        ]),
  ];
}

function versionProblems(document: XmlDocument, root: XmlElement): readonly ConfigProblem[] {
  const attribute = attributeOf(root, 'version');
  if (attribute === undefined || attribute.value.trim() === '') {
    return missing(document, root, attribute, {
      code: 'versionMissing',
      message: sentence('The version of the app is missing.'),
      next: sentence('Write numbers with dots, such as 1.0.0.'),
      name: 'version',
      value: '1.0.0',
      after: attributeOf(root, 'id'),
    });
  }
  return VERSION.test(attribute.value)
    ? versionCodeProblems(root, attribute)
    : [
        {
          code: 'versionMalformed',
          severity: 'error',
          span: spanOfAttribute(attribute),
          message: sentence('“{0}” is no version of an app.', shown(attribute.value)),
          next: sentence('A version has one to four numbers with dots, such as 1.0.0.'),
          source: SOURCE,
          ...fixesOf(attribute, mendedVersion(attribute.value)),
        },
      ];
}

/** Where the root has no `android-versionCode` that counts, builders make one of the version, with two digits for its second and third number. */
function versionCodeProblems(root: XmlElement, attribute: XmlAttribute): readonly ConfigProblem[] {
  const [major = 0, minor = 0, patch = 0] = attribute.value.split('.').map(Number);
  const code = major * 10_000 + minor * 100 + patch;
  const given = attributeOf(root, 'android-versionCode')?.value ?? '';
  const hasOwn = /^\d{1,10}$/.test(given) && Number(given) <= MAX_VERSION_CODE;
  return code <= MAX_VERSION_CODE || hasOwn
    ? []
    : [
        {
          code: 'versionMalformed',
          severity: 'error',
          span: spanOfAttribute(attribute),
          message: sentence(
            'The version {0} makes the android-versionCode {1}, and Android takes up to {2}.',
            ...[attribute.value, String(code), String(MAX_VERSION_CODE)],
          ),
          next: sentence('Give <widget> an android-versionCode of its own, and count it up with each version.'),
          source: SOURCE,
        },
      ];
}

function mendedVersion(version: string): string | undefined {
  return DECORATED_VERSION.exec(version.trim().replaceAll(',', '.'))?.[1];
}

/** The versions that the app has on one platform only. */
function otherVersionProblems(root: XmlElement): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const code = attributeOf(root, 'android-versionCode');
  if (code !== undefined && !/^\d+$/.test(code.value)) {
    problems.push({
      ...{ code: 'badValue', severity: 'error', span: spanOfAttribute(code), source: SOURCE },
      message: sentence('The android-versionCode must be a whole number, not “{0}”.', shown(code.value)),
      next: sentence('Count it up with each version of the app.'),
      ...fixesOf(code, /^\s*(\d+)\s*$/.exec(code.value)?.[1]),
    });
  } else if (code !== undefined && (Number(code.value) < 1 || Number(code.value) > MAX_VERSION_CODE)) {
    problems.push({
      ...{ code: 'badValue', severity: 'warning', span: spanOfAttribute(code), source: SOURCE },
      message: sentence('Google Play takes an android-versionCode from 1 to {0}.', String(MAX_VERSION_CODE)),
    });
  }
  const bundle = attributeOf(root, 'ios-CFBundleVersion');
  if (bundle !== undefined && !VERSION.test(bundle.value)) {
    problems.push({
      ...{ code: 'badValue', severity: 'warning', span: spanOfAttribute(bundle), source: SOURCE },
      message: sentence('“{0}” is no version that iOS takes.', shown(bundle.value)),
      next: sentence('Write numbers with dots, such as 1.0.0.'),
      ...fixesOf(bundle, mendedVersion(bundle.value)),
    });
  }
  return problems;
}

function nameProblems(document: XmlDocument, root: XmlElement): readonly ConfigProblem[] {
  const element = root.children.find(({ name }) => name === 'name');
  const problem = { code: 'nameMissing', severity: 'error', source: SOURCE.replace('widget', 'name') } as const;
  const title = sentence('Add a name');
  if (element === undefined) {
    // In a broken text, the name may be in what could not be read.
    return document.problems.some(({ severity }) => severity === 'error')
      ? []
      : [
          {
            ...{ ...problem, span: root.nameSpan },
            message: sentence('The name of the app is missing.'),
            next: sentence('Write it in an element of its own: <name>My App</name>.'),
            ...(root.isSelfClosing
              ? {}
              : { fixes: [{ title, isPreferred: true, changes: [insertedName(document.text, root)] }] }),
          },
        ];
  }
  const text = element.text.replace(/\s+/g, ' ').trim();
  if (nameOf(text) !== '') {
    return [];
  }
  return [
    {
      ...{ ...problem, span: element.span },
      message:
        text === ''
          ? sentence('The name of the app is empty.')
          : sentence('The name “{0}” has only characters that a build leaves out.', shown(text)),
      next: sentence('Write it in an element of its own: <name>My App</name>.'),
      ...(element.children.length > 0
        ? {}
        : { fixes: [{ title, isPreferred: true, changes: [{ span: element.span, newText: '<name>My App</name>' }] }] }),
    },
  ];
}

/** What is left of a name in a build. In a resource of Android, a leading @ or ? refers to another one. */
function nameOf(text: string): string {
  return text
    .slice(0, MAX_NAME_LENGTH)
    .replace(STRIPPED_CHARACTERS, '')
    .trim()
    .replace(/^[@?\s]+/, '');
}

/** A name as the first child of the root, on a line of its own. */
function insertedName(text: string, root: XmlElement): { readonly span: Span; readonly newText: string } {
  const at = root.startTag.end;
  const first = root.children[0]?.span.start;
  const indent = first === undefined ? undefined : /^\s*?\n([ \t]*)/.exec(text.slice(at, first))?.[1];
  return {
    span: { start: at, end: at },
    newText: `\n${indent ?? '    '}<name>My App</name>${first === undefined && root.textSpan === undefined ? '\n' : ''}`,
  };
}

interface MissingAttribute {
  readonly code: 'idMissing' | 'versionMissing';
  readonly message: Sentence;
  readonly next: Sentence;
  readonly name: string;
  /** What a fix writes. */
  readonly value: string;
  /** The attribute that it is written behind; undefined for the first place. */
  readonly after: XmlAttribute | undefined;
}

/** The problem of an attribute of the root that is not there, or empty. */
function missing(
  document: XmlDocument,
  root: XmlElement,
  attribute: XmlAttribute | undefined,
  { code, message, next, name, value, after }: MissingAttribute,
): readonly ConfigProblem[] {
  const isBroken = document.problems.some(
    ({ severity, span }) => severity === 'error' && span.start < root.startTag.end && span.end > root.startTag.start,
  );
  if (isBroken) {
    return [];
  }
  const at = after === undefined ? root.nameSpan.end : spanOfAttribute(after).end;
  const change =
    attribute?.valueSpan === undefined
      ? { span: { start: at, end: at }, newText: ` ${name}="${value}"` }
      : { span: attribute.valueSpan, newText: value };
  return [
    {
      ...{ code, severity: 'error', message, next, source: SOURCE },
      span: attribute === undefined ? root.nameSpan : spanOfAttribute(attribute),
      fixes: [{ title: sentence('Add {0}', `${name}="${value}"`), isPreferred: true, changes: [change] }],
    },
  ];
}

function fixesOf(attribute: XmlAttribute, mended: string | undefined): { readonly fixes?: readonly ProblemFix[] } {
  return mended === undefined || attribute.valueSpan === undefined
    ? {}
    : {
        fixes: [
          {
            title: sentence('Change to “{0}”', mended),
            isPreferred: true,
            changes: [{ span: attribute.valueSpan, newText: mended }],
          },
        ],
      };
}
