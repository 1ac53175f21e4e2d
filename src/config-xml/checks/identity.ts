import { type Sentence, sentence } from '../../errors/index.ts';
import {
  configError,
  type ConfigProblem,
  insertion,
  preferredFix,
  type ProblemCode,
  type ProblemFix,
  type ProblemSeverity,
  type TextChange,
  toBeFilledIn,
} from '../configProblem.ts';
import {
  APP_VERSION,
  MAX_VERSION_CODE,
  toAndroidId,
  toVersionCode,
  UNSAFE_CHARACTERS,
  VERSION_NUMBERS,
} from '../../android-package/index.ts';
import { hasPlaceholder, toDisplayText, findAttribute } from '../widget.ts';
import type { XmlAttribute, XmlDocument, XmlElement } from '../xmlDocument.ts';
import { idFault, IOS_ID, suggestedId } from './appId.ts';
import { valueFixes } from './valueChecks.ts';

const SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/index.html#widget';

/** Matches a version with common prefixes and suffixes: `v1.2`, `1.2.0-beta.1`. */
const DECORATED_VERSION = /^v?(\d{1,9}(?:\.\d{1,9}){0,3})(?:[-+].*)?$/i;

/** A problem with a value. The severity defaults to error. */
interface IdentityFault {
  readonly code: ProblemCode;
  readonly severity?: ProblemSeverity;
  readonly message: Sentence;
  readonly next?: Sentence;
  /** The value that was probably meant. */
  readonly suggestion?: string | undefined;
}

type AttributeCheck = (value: string, root: XmlElement) => IdentityFault | undefined;

/** Checks of the root's attributes, keyed by attribute. No other module checks these attributes. */
const CHECKS: ReadonlyMap<string, AttributeCheck> = new Map<string, AttributeCheck>([
  ['id', idProblem],
  ['version', versionProblem],
  ['android-packageName', androidIdProblem],
  ['ios-CFBundleIdentifier', iosIdProblem],
  ['android-versionCode', versionCodeProblem],
  ['ios-CFBundleVersion', iosVersionProblem],
]);

/** Attributes that an app can't be built without. If they're missing, they're checked as empty. */
const REQUIRED: readonly string[] = ['id', 'version'];

/** Reports whether only this module checks an attribute of the root. */
export function isIdentity(attribute: string): boolean {
  return CHECKS.has(attribute);
}

/** Reports whether a value of an attribute of the root is valid. Other modules check attributes that aren't identity. */
export function isValidIdentity(root: XmlElement, attribute: string, value: string): boolean {
  return hasPlaceholder(value) || CHECKS.get(attribute)?.(value, root) === undefined;
}

/**
 * Finds problems with the app's ID, version, and name, according to the rules of the engine and the service.
 *
 * @param mistakes the syntax problems of the same document
 */
export function identityProblems(document: XmlDocument, mistakes: readonly ConfigProblem[]): readonly ConfigProblem[] {
  const { root } = document;
  if (root === undefined) {
    return [];
  }
  const problems = [
    ...Array.from(CHECKS, ([name, check]) => attributeProblem(root, name, check)),
    nameProblem(document, root, mistakes),
    placeholder(document, root, mistakes),
  ];
  return problems.filter((problem) => problem !== undefined);
}

function attributeProblem(root: XmlElement, name: string, check: AttributeCheck): ConfigProblem | undefined {
  const attribute = findAttribute(root, name);
  const value = attribute?.value ?? '';
  const isMissing = REQUIRED.includes(name) && value.trim() === '';
  // An attribute that seems missing may be in the unreadable part.
  if (isMissing ? !root.isWhole : attribute === undefined || hasPlaceholder(value)) {
    return undefined;
  }
  const fault = check(value, root);
  if (fault === undefined) {
    return undefined;
  }
  const { suggestion = '', ...problem } = fault;
  return {
    severity: 'error',
    ...problem,
    span: attribute?.span ?? root.nameSpan,
    fixes:
      isMissing || attribute === undefined
        ? [addedAttribute(root, attribute, name, suggestion)]
        : valueFixes(attribute, fault.suggestion),
    source: SOURCE,
  };
}

/**
 * Creates the fix that adds an attribute or its value.
 *
 * @param attribute the attribute, if it exists without a value
 */
function addedAttribute(
  root: XmlElement,
  attribute: XmlAttribute | undefined,
  name: string,
  value: string,
): ProblemFix {
  const written = `${name}="${value}"`;
  const span = findAttribute(root, 'id')?.span ?? root.nameSpan;
  const change =
    attribute?.valueSpan === undefined
      ? insertion(span.end, ` ${written}`)
      : { span: attribute.valueSpan, newText: value };
  return preferredFix(sentence('Add {0}', written), change);
}

function idProblem(id: string, root: XmlElement): IdentityFault | undefined {
  if (id.trim() === '') {
    return {
      code: 'idMissing',
      severity: 'warning',
      message: sentence('The app has no ID.'),
      next: sentence('Choose a unique ID, such as com.example.app.'),
      suggestion: 'com.example.app',
    };
  }
  const message = idFault(id);
  const hasOther = findAttribute(root, 'android-packageName') !== undefined;
  if (message === undefined) {
    return hasOther ? undefined : hyphenNote(id, { next: sentence('Builds for iOS keep the ID unchanged.') });
  }
  return {
    code: 'idMalformed',
    // Cordova uses the separate Android ID, but services that read only this ID reject it.
    severity: hasOther && IOS_ID.test(id) ? 'warning' : 'error',
    message,
    next: sentence('An app ID looks like com.company.app: at least two parts with letters, digits, and underscores.'),
    suggestion: suggestedId(id),
  };
}

/** Creates a note about the Android ID that an ID with hyphens becomes. Returns undefined for an ID without hyphens. */
function hyphenNote(id: string, more?: Pick<IdentityFault, 'next'>): IdentityFault | undefined {
  const androidId = toAndroidId(id);
  const message = sentence('Android doesn’t allow hyphens in an app ID, so builds for Android use {0}.', androidId);
  return androidId === id ? undefined : { code: 'idHyphen', severity: 'information', message, ...more };
}

function androidIdProblem(id: string): IdentityFault | undefined {
  const message = idFault(id);
  return message === undefined ? hyphenNote(id) : { code: 'idMalformed', message, suggestion: suggestedId(id) };
}

function iosIdProblem(id: string): IdentityFault | undefined {
  const withHyphens = id.replaceAll('_', '-');
  return IOS_ID.test(id)
    ? undefined
    : {
        code: 'idMalformed',
        severity: 'warning',
        message: sentence('iOS doesn’t accept the ID “{0}”.', toDisplayText(id)),
        next: sentence('An app ID for iOS contains letters, digits, hyphens, and dots.'),
        suggestion: IOS_ID.test(withHyphens) ? withHyphens : undefined,
      };
}

function versionProblem(version: string, root: XmlElement): IdentityFault | undefined {
  if (version.trim() === '') {
    return {
      code: 'versionMissing',
      severity: 'warning',
      message: sentence('The version of the app is missing.'),
      next: sentence('Use numbers separated by dots, such as 1.0.0.'),
      suggestion: '1.0.0',
    };
  }
  const [, numbers] = APP_VERSION.exec(version) ?? [];
  if (numbers !== undefined) {
    const hasSuffix = numbers !== version;
    return tooHighVersion(root, version, numbers) ?? (hasSuffix ? versionSuffix(root, version, numbers) : undefined);
  }
  return {
    code: 'versionMalformed',
    message: sentence('“{0}” isn’t a valid version.', toDisplayText(version)),
    next: sentence('A version has one to four numbers separated by dots, such as 1.0.0.'),
    suggestion: suggestedVersion(version),
  };
}

/**
 * Creates a note about a version that has a suffix after its numbers. Returns undefined if other attributes override
 * the version everywhere.
 */
function versionSuffix(root: XmlElement, version: string, numbers: string): IdentityFault | undefined {
  const hasCode = findAttribute(root, 'android-versionCode') !== undefined;
  const hasIosVersion = findAttribute(root, 'ios-CFBundleVersion') !== undefined;
  if (hasCode && hasIosVersion) {
    return undefined;
  }
  const message = hasCode
    ? sentence('Builds cut the version at “-”, so it’s {0} on iOS.', numbers)
    : hasIosVersion
      ? sentence('Builds cut the version at “-” and derive the android-versionCode from {0}.', numbers)
      : sentence(
          'Builds cut the version at “-” and derive the android-versionCode from {0}, which is also the version on iOS.',
          numbers,
        );
  const next = sentence('Android shows {0}.', version);
  return { code: 'versionSuffix', severity: 'information', message, next };
}

/**
 * Returns the problem for a version whose computed `android-versionCode` is too high. Builders compute this code only
 * if the root doesn't contain a valid one.
 */
function tooHighVersion(root: XmlElement, version: string, numbers: string): IdentityFault | undefined {
  const code = toVersionCode(numbers);
  const given = findAttribute(root, 'android-versionCode')?.value ?? '';
  const hasOwn = /^\d{1,10}$/.test(given) && Number(given) <= MAX_VERSION_CODE;
  if (code <= MAX_VERSION_CODE || hasOwn) {
    return undefined;
  }
  return {
    code: 'versionMalformed',
    message: sentence(
      'The version {0} results in the android-versionCode {1}, but Android accepts at most {2}.',
      version,
      String(code),
      String(MAX_VERSION_CODE),
    ),
    next: sentence('Add an android-versionCode to <widget>, and increase it with every version.'),
  };
}

function suggestedVersion(version: string): string | undefined {
  return DECORATED_VERSION.exec(version.trim().replaceAll(',', '.'))?.[1];
}

function versionCodeProblem(code: string): IdentityFault | undefined {
  if (!/^\d+$/.test(code)) {
    return {
      code: 'badValue',
      severity: 'warning',
      message: sentence('The android-versionCode must be a whole number, not “{0}”.', toDisplayText(code)),
      next: sentence('Increase it with every version of the app.'),
      suggestion: /^\d+$/.exec(code.trim())?.[0],
    };
  }
  const message = sentence('Google Play accepts an android-versionCode from 1 to {0}.', String(MAX_VERSION_CODE));
  const isTaken = Number(code) >= 1 && Number(code) <= MAX_VERSION_CODE;
  return isTaken ? undefined : { code: 'badValue', severity: 'warning', message };
}

function iosVersionProblem(version: string): IdentityFault | undefined {
  return VERSION_NUMBERS.test(version)
    ? undefined
    : {
        code: 'badValue',
        severity: 'warning',
        message: sentence('iOS doesn’t accept the version “{0}”.', toDisplayText(version)),
        next: sentence('Use numbers separated by dots, such as 1.0.0.'),
        suggestion: suggestedVersion(version),
      };
}

/** Returns the problem for a placeholder in a value that builds require. */
function placeholder(
  { text }: XmlDocument,
  root: XmlElement,
  mistakes: readonly ConfigProblem[],
): ConfigProblem | undefined {
  const attribute = root.attributes.find(({ name, value }) => isIdentity(name) && hasPlaceholder(value));
  const element = root.children.find((child) => child.name === 'name' && hasPlaceholder(child.text));
  const span = attribute?.valueSpan ?? element?.textSpan;
  return span === undefined || mistakes.some(({ code }) => code === 'placeholder')
    ? undefined
    : toBeFilledIn(text, span);
}

function nameProblem(
  { text }: XmlDocument,
  root: XmlElement,
  mistakes: readonly ConfigProblem[],
): ConfigProblem | undefined {
  if (mistakes.length > 0) {
    // In a broken document, the name may be in the unreadable part.
    return undefined;
  }
  const element = root.children.find(({ name }) => name === 'name');
  const name = element?.text.replace(/\s+/g, ' ').trim() ?? '';
  if (nameInBuild(name) !== '') {
    return undefined;
  }
  const message =
    element === undefined
      ? sentence('The name of the app is missing.')
      : name === ''
        ? sentence('The name of the app is empty.')
        : sentence('The name “{0}” contains only characters that builds remove.', toDisplayText(name));
  const change =
    element === undefined ? insertedName(text, root) : { span: element.span, newText: '<name>My App</name>' };
  const isFixable = element === undefined ? !root.isSelfClosing : element.children.length === 0;
  return configError('nameMissing', element?.span ?? root.nameSpan, message, {
    next: sentence('Write it in its own element: <name>My App</name>.'),
    fixes: isFixable ? [preferredFix(sentence('Add a name'), change)] : [],
    source: SOURCE.replace('widget', 'name'),
  });
}

/**
 * Returns the part of a name that builds keep. Builds drop a leading @ or ?, which would refer to another Android
 * resource.
 */
function nameInBuild(name: string): string {
  return name
    .replace(UNSAFE_CHARACTERS, '')
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
