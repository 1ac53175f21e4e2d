import { type Sentence, sentence } from '../../api/errors/sentence.ts';
import {
  type ConfigProblem,
  insertion,
  preferredFix,
  type ProblemCode,
  type TextChange,
  toBeFilledIn,
} from '../configProblem.ts';
import { MAX_VERSION_CODE } from '../limits.ts';
import { hasPlaceholder, shown, attributeOf } from '../widget.ts';
import type { XmlAttribute, XmlDocument, XmlElement } from '../xmlDocument.ts';
import { androidIdOf, idFault, IOS_ID, suggestedId } from './appId.ts';
import { valueFixes } from './valueChecks.ts';

/** Attributes of the root that are checked here, and nowhere else. */
export const IDENTITY_ATTRIBUTES: ReadonlySet<string> = new Set([
  'id',
  'version',
  'android-packageName',
  'android-versionCode',
  'ios-CFBundleIdentifier',
  'ios-CFBundleVersion',
]);

const SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/index.html#widget';

const VERSION = /^\d{1,9}(?:\.\d{1,9}){0,3}$/;
/** Its numbers, and what Cordova cuts off. */
const SUFFIXED_VERSION = /^(\d{1,9}(?:\.\d{1,9}){0,3})-[A-Za-z\d.-]{1,50}$/;
/** A version with what is often written around it: `v1.2`, `1.2.0-beta.1`. */
const DECORATED_VERSION = /^v?(\d{1,9}(?:\.\d{1,9}){0,3})(?:[-+].*)?$/i;

/** Characters with a meaning in the files that a build generates: services leave them out of a name. */
const STRIPPED_CHARACTERS = /[$`{}\\"'<>\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;

/**
 * Problems of the id, version and name of the app, by the rules of the engine and the service.
 *
 * @param mistakes of the syntax of the same text
 */
export function identityProblems(document: XmlDocument, mistakes: readonly ConfigProblem[]): readonly ConfigProblem[] {
  const { root } = document;
  if (root === undefined) {
    return [];
  }
  const problems = [
    idProblem(root),
    versionProblem(root),
    androidIdProblem(root),
    iosIdProblem(root),
    versionCodeProblem(root),
    iosVersionProblem(root),
    nameProblem(document, root, mistakes),
    placeholder(document, root, mistakes),
  ];
  return problems.filter((problem) => problem !== undefined);
}

function idProblem(root: XmlElement): ConfigProblem | undefined {
  const attribute = attributeOf(root, 'id');
  if (attribute === undefined || attribute.value.trim() === '') {
    const message = sentence('The id of the app is missing.');
    const next = sentence('Write the name that no other app has, such as com.example.app.');
    const change = valueChange(attribute, root.nameSpan.end, 'id="com.example.app"', 'com.example.app');
    return missing('idMissing', root, attribute, message, next, sentence('Add {0}', 'id="com.example.app"'), change);
  }
  if (hasPlaceholder(attribute.value)) {
    return undefined;
  }
  const message = idFault(attribute.value);
  const hasOther = attributeOf(root, 'android-packageName') !== undefined;
  if (message === undefined) {
    return hasOther ? undefined : hyphenProblem(attribute);
  }
  return {
    ...wrong(attribute, 'idMalformed', message, suggestedId(attribute.value)),
    // Cordova takes the id of its own that Android has. A service that reads no other than this one refuses it.
    severity: hasOther && IOS_ID.test(attribute.value) ? 'warning' : 'error',
    next: sentence('An id looks like com.company.app: letters, digits and underscores, in two parts or more.'),
  };
}

/** An error of an attribute. @param suggestion the value that was probably meant */
function wrong(attribute: XmlAttribute, code: ProblemCode, message: Sentence, suggestion?: string): ConfigProblem {
  const fixes = valueFixes(attribute, suggestion);
  return { code, severity: 'error', span: attribute.span, message, fixes, source: SOURCE };
}

/** Says which id Android has in place of one with hyphens; undefined for one without. */
function hyphenProblem(attribute: XmlAttribute): ConfigProblem | undefined {
  const androidId = androidIdOf(attribute.value);
  const message = sentence('Android allows no hyphens in an id, so builds for Android use {0}.', androidId);
  return androidId === attribute.value
    ? undefined
    : {
        ...wrong(attribute, 'idHyphen', message),
        severity: 'information',
        ...(attribute.name === 'id' && { next: sentence('Builds for iOS keep the id as it is.') }),
      };
}

/** Says that a script has still to fill in what an app cannot be built without: it is no mistake of the file. */
function placeholder(
  { text }: XmlDocument,
  root: XmlElement,
  mistakes: readonly ConfigProblem[],
): ConfigProblem | undefined {
  const attribute = root.attributes.find(({ name, value }) => IDENTITY_ATTRIBUTES.has(name) && hasPlaceholder(value));
  const element = root.children.find((child) => child.name === 'name' && hasPlaceholder(child.text));
  const span = attribute?.valueSpan ?? element?.textSpan;
  return span === undefined || mistakes.some(({ code }) => code === 'placeholder')
    ? undefined
    : toBeFilledIn(text, span);
}

function androidIdProblem(root: XmlElement): ConfigProblem | undefined {
  const attribute = attributeOf(root, 'android-packageName');
  if (attribute === undefined || hasPlaceholder(attribute.value)) {
    return undefined;
  }
  const message = idFault(attribute.value);
  return message === undefined
    ? hyphenProblem(attribute)
    : wrong(attribute, 'idMalformed', message, suggestedId(attribute.value));
}

function iosIdProblem(root: XmlElement): ConfigProblem | undefined {
  const attribute = attributeOf(root, 'ios-CFBundleIdentifier');
  if (attribute === undefined || hasPlaceholder(attribute.value) || IOS_ID.test(attribute.value)) {
    return undefined;
  }
  const withHyphens = attribute.value.replaceAll('_', '-');
  const message = sentence('“{0}” is no id that iOS takes.', shown(attribute.value));
  return {
    ...wrong(attribute, 'idMalformed', message, IOS_ID.test(withHyphens) ? withHyphens : undefined),
    severity: 'warning',
    next: sentence('An id of iOS has letters, digits, hyphens and dots.'),
  };
}

function versionProblem(root: XmlElement): ConfigProblem | undefined {
  const attribute = attributeOf(root, 'version');
  if (attribute === undefined || attribute.value.trim() === '') {
    const message = sentence('The version of the app is missing.');
    const next = sentence('Write numbers with dots, such as 1.0.0.');
    const behind = attributeOf(root, 'id')?.span ?? root.nameSpan;
    const change = valueChange(attribute, behind.end, 'version="1.0.0"', '1.0.0');
    return missing('versionMissing', root, attribute, message, next, sentence('Add {0}', 'version="1.0.0"'), change);
  }
  if (hasPlaceholder(attribute.value)) {
    return undefined;
  }
  const [, numbers] = SUFFIXED_VERSION.exec(attribute.value) ?? [];
  if (numbers !== undefined || VERSION.test(attribute.value)) {
    const high = tooHighVersion(root, attribute, numbers ?? attribute.value);
    return high ?? (numbers === undefined ? undefined : versionSuffix(root, attribute, numbers));
  }
  const message = sentence('“{0}” is no version of an app.', shown(attribute.value));
  return {
    ...wrong(attribute, 'versionMalformed', message, suggestedVersion(attribute.value)),
    next: sentence('A version has one to four numbers with dots, such as 1.0.0.'),
  };
}

/** Says what becomes of a version with something behind its numbers; nothing where other attributes say all that is made of it. */
function versionSuffix(root: XmlElement, attribute: XmlAttribute, numbers: string): ConfigProblem | undefined {
  const hasCode = attributeOf(root, 'android-versionCode') !== undefined;
  const hasIosVersion = attributeOf(root, 'ios-CFBundleVersion') !== undefined;
  if (hasCode && hasIosVersion) {
    return undefined;
  }
  const message = hasCode
    ? sentence('Builds cut the version at “-”: it is {0} on iOS.', numbers)
    : hasIosVersion
      ? sentence('Builds cut the version at “-”: the android-versionCode is made of {0}.', numbers)
      : sentence(
          'Builds cut the version at “-”: the android-versionCode is made of {0}, which is the version on iOS, too.',
          numbers,
        );
  return {
    ...wrong(attribute, 'versionSuffix', message),
    severity: 'information',
    next: sentence('On Android, people see {0}.', attribute.value),
  };
}

/** Where the root has no `android-versionCode` that counts, builders make one of the version, with two digits for its second and third number. */
function tooHighVersion(root: XmlElement, attribute: XmlAttribute, numbers: string): ConfigProblem | undefined {
  const [major = 0, minor = 0, patch = 0] = numbers.split('.').map(Number);
  const code = major * 10_000 + minor * 100 + patch;
  const given = attributeOf(root, 'android-versionCode')?.value ?? '';
  const hasOwn = /^\d{1,10}$/.test(given) && Number(given) <= MAX_VERSION_CODE;
  const message = sentence(
    'The version {0} makes the android-versionCode {1}, and Android takes up to {2}.',
    attribute.value,
    String(code),
    String(MAX_VERSION_CODE),
  );
  return code <= MAX_VERSION_CODE || hasOwn
    ? undefined
    : {
        ...wrong(attribute, 'versionMalformed', message),
        next: sentence('Give <widget> an android-versionCode of its own, and count it up with each version.'),
      };
}

function suggestedVersion(version: string): string | undefined {
  return DECORATED_VERSION.exec(version.trim().replaceAll(',', '.'))?.[1];
}

function versionCodeProblem(root: XmlElement): ConfigProblem | undefined {
  const attribute = attributeOf(root, 'android-versionCode');
  if (attribute === undefined || hasPlaceholder(attribute.value)) {
    return undefined;
  }
  const { value } = attribute;
  if (!/^\d+$/.test(value)) {
    const message = sentence('The android-versionCode must be a whole number, not “{0}”.', shown(value));
    return {
      ...wrong(attribute, 'badValue', message, /^\d+$/.exec(value.trim())?.[0]),
      next: sentence('Count it up with each version of the app.'),
    };
  }
  const message = sentence('Google Play takes an android-versionCode from 1 to {0}.', String(MAX_VERSION_CODE));
  return Number(value) >= 1 && Number(value) <= MAX_VERSION_CODE
    ? undefined
    : { ...wrong(attribute, 'badValue', message), severity: 'warning' };
}

function iosVersionProblem(root: XmlElement): ConfigProblem | undefined {
  const attribute = attributeOf(root, 'ios-CFBundleVersion');
  if (attribute === undefined || hasPlaceholder(attribute.value) || VERSION.test(attribute.value)) {
    return undefined;
  }
  const message = sentence('“{0}” is no version that iOS takes.', shown(attribute.value));
  return {
    ...wrong(attribute, 'badValue', message, suggestedVersion(attribute.value)),
    severity: 'warning',
    next: sentence('Write numbers with dots, such as 1.0.0.'),
  };
}

function nameProblem(
  { text }: XmlDocument,
  root: XmlElement,
  mistakes: readonly ConfigProblem[],
): ConfigProblem | undefined {
  if (mistakes.length > 0) {
    // In a broken text, the name may be in what could not be read.
    return undefined;
  }
  const element = root.children.find(({ name }) => name === 'name');
  const problem = {
    code: 'nameMissing',
    severity: 'error',
    next: sentence('Write it in an element of its own: <name>My App</name>.'),
    source: SOURCE.replace('widget', 'name'),
  } as const;
  const addition = (change: TextChange) => preferredFix(sentence('Add a name'), change);
  if (element === undefined) {
    const fixes = root.isSelfClosing ? [] : [addition(insertedName(text, root))];
    return { ...problem, span: root.nameSpan, message: sentence('The name of the app is missing.'), fixes };
  }
  const name = element.text.replace(/\s+/g, ' ').trim();
  if (nameInBuild(name) !== '') {
    return undefined;
  }
  const message =
    name === ''
      ? sentence('The name of the app is empty.')
      : sentence('The name “{0}” has only characters that a build leaves out.', shown(name));
  const fixes = element.children.length > 0 ? [] : [addition({ span: element.span, newText: '<name>My App</name>' })];
  return { ...problem, span: element.span, message, fixes };
}

/** What is left of a name in a build. In a resource of Android, a leading @ or ? refers to another one. */
function nameInBuild(name: string): string {
  return name
    .replace(STRIPPED_CHARACTERS, '')
    .trim()
    .replace(/^[@?\s]+/, '');
}

function insertedName(text: string, root: XmlElement): TextChange {
  const at = root.startTag.end;
  const first = root.children[0]?.startTag.start;
  const indent = first === undefined ? undefined : /^\s*?\n([ \t]*)/.exec(text.slice(at, first))?.[1];
  const lineEnd = first === undefined && root.textSpan === undefined ? '\n' : '';
  return insertion(at, `\n${indent ?? '    '}<name>My App</name>${lineEnd}`);
}

/** An attribute of the root that is not there, or empty; undefined where it may be in what could not be read. */
function missing(
  code: 'idMissing' | 'versionMissing',
  root: XmlElement,
  attribute: XmlAttribute | undefined,
  message: Sentence,
  next: Sentence,
  title: Sentence,
  change: TextChange,
): ConfigProblem | undefined {
  const span = attribute?.span ?? root.nameSpan;
  const fixes = [preferredFix(title, change)];
  return root.isWhole ? { code, severity: 'error', span, message, next, fixes, source: SOURCE } : undefined;
}

/** What gives an attribute its value. @param at where it is written when there is none */
function valueChange(attribute: XmlAttribute | undefined, at: number, written: string, value: string): TextChange {
  return attribute?.valueSpan === undefined
    ? insertion(at, ` ${written}`)
    : { span: attribute.valueSpan, newText: value };
}
