import type { Sentence } from '../../errors/index.ts';
import type { ProblemCode, Span } from '../../config-xml/index.ts';
import { TextLines, type TextPosition } from '../../android-package/index.ts';
import { MAX_LISTED } from '../limits.ts';

/**
 * The result of one check:
 * - `fails`: the build can't succeed
 * - `mayFail`: the build may fail, or the app may not behave as specified
 * - `fine`: the check found no problem
 */
export type FindingVerdict = 'fails' | 'mayFail' | 'fine';

/**
 * A property of all findings with the same code:
 * - `plan`: the summary before an upload already contains it
 * - `app`: it's about the app's behavior on a phone: its pages, plugins, or connections. Other findings are about the
 *   build or its keys
 * - `blank`: the build succeeds, but a page shows nothing
 * - `notPrepared`: a platform isn't prepared, so the app is built only for the others
 * - `outside`: the cause is outside the project folder
 * - `config`: it's also a problem of config.xml, which its editor reports
 */
type FindingTrait = 'plan' | 'app' | 'blank' | 'notPrepared' | 'outside' | 'config';

const TRAITS = {
  config: [],
  configMissing: [],
  package: ['plan'],
  notBuilt: [],
  pagesOlder: [],
  sourcePage: ['app', 'blank'],
  baseHref: ['app', 'blank'],
  missingScript: ['app', 'blank'],
  remoteCode: ['app'],
  contentPolicy: ['app', 'blank'],
  hostname: ['app', 'blank'],
  capacitorPlugin: ['app'],
  cleartext: ['app'],
  packageTooLarge: ['plan'],
  tooManyEntries: ['plan'],
  startPage: ['app'],
  startPageMissing: ['app', 'config'],
  secretWaiting: ['plan'],
  sourceMaps: ['plan'],
  largeFiles: ['plan'],
  fileNames: ['plan'],
  idChanges: [],
  pluginNotSupported: ['app'],
  pluginVariable: ['app'],
  platformUnavailable: ['notPrepared', 'outside'],
  keyMissing: ['notPrepared', 'outside'],
  keyLocked: ['outside'],
  keyExpired: ['outside'],
  keyExpiresSoon: [],
  keyOfOtherApp: ['outside'],
  key: ['outside'],
  service: [],
} as const satisfies Readonly<Record<string, readonly FindingTrait[]>>;

/**
 * The kind of a finding: a problem code of config.xml, or a code for the package, the pages, the keys, or the service.
 */
export type FindingCode = ProblemCode | keyof typeof TRAITS;

const traits: ReadonlyMap<FindingCode, readonly FindingTrait[]> = new Map(
  Object.entries(TRAITS) as [keyof typeof TRAITS, readonly FindingTrait[]][],
);

/** Reports whether a finding is about config.xml itself, which its editor checks as well. */
export function isConfigProblem(code: FindingCode): boolean {
  return !traits.has(code) || hasTrait(code, 'config');
}

/** Reports whether findings with a code have a trait. */
export function hasTrait(code: FindingCode, trait: FindingTrait): boolean {
  return traits.get(code)?.includes(trait) === true;
}

/** The result of checking one thing. */
export interface ProjectFinding {
  readonly code: FindingCode;
  readonly verdict: FindingVerdict;
  /** Description of the problem or result. */
  readonly message: Sentence;
  /** The next step for the user. */
  readonly next?: Sentence | undefined;
  readonly location?: ProjectLocation | undefined;
  /** The affected platform. Undefined for all platforms. */
  readonly platform?: string | undefined;
  /** Label of the row, such as a plugin, a preference, or a key. Defaults to the file name of its location. */
  readonly about?: Sentence | string | undefined;
  /** A short form of the message. Defaults to the text for its code. */
  readonly short?: Sentence | undefined;
  /** Remedies, the best first. A row with a location also opens that location. */
  readonly remedies?: readonly FindingRemedy[] | undefined;
}

/**
 * A remedy that the user can apply with one click. `installEngine` installs Cordova with the plugins that the project
 * declares.
 */
export type FindingRemedy = 'installEngine' | 'removePlugin' | 'choosePages' | 'addKey' | 'unlockKey';

/** The location of a finding, independent of VS Code. */
export interface ProjectLocation {
  /** Path of the file relative to the project, with `/`. */
  readonly path: string;
  /** Undefined if the location is the whole file. */
  readonly start?: TextPosition;
  readonly end?: TextPosition;
}

type FindingDetails = Omit<ProjectFinding, 'code' | 'verdict' | 'message'>;

/** Creates a finding with the verdict `fails`. */
export function fails(code: FindingCode, message: Sentence, details: FindingDetails = {}): ProjectFinding {
  return { code, verdict: 'fails', message, ...details };
}

/** Creates a finding with the verdict `mayFail`. */
export function mayFail(code: FindingCode, message: Sentence, details: FindingDetails = {}): ProjectFinding {
  return { code, verdict: 'mayFail', message, ...details };
}

/** Creates a finding with the verdict `fine`. */
export function fine(code: FindingCode, message: Sentence, details: FindingDetails = {}): ProjectFinding {
  return { code, verdict: 'fine', message, ...details };
}

/**
 * Returns the location of a line.
 *
 * @param line the line number, starting at 1
 */
export function lineIn(path: string, line: number | undefined): ProjectLocation {
  const start = line === undefined ? undefined : { line: line - 1, character: 0 };
  return { path, ...(start && { start, end: start }) };
}

/** Returns a function that creates locations in a file's text. */
export function createLocator(path: string, text: string): (span: Span) => ProjectLocation {
  const lines = new TextLines(text);
  return ({ start, end }) => ({ path, start: lines.positionAt(start), end: lines.positionAt(end) });
}

/** Returns the location of the first occurrence of words in a file, or undefined if there are none. */
export function findWords(path: string, text: string, words: string): ProjectLocation | undefined {
  const start = text.indexOf(words);
  return start < 0 ? undefined : createLocator(path, text)({ start, end: start + words.length });
}

/**
 * Returns the first {@link MAX_LISTED} findings of a kind, followed by one that counts the others and has the location
 * of the next one.
 */
export function limitFindings(
  findings: readonly ProjectFinding[],
  others: (count: number) => Sentence,
): readonly ProjectFinding[] {
  const rest = findings.slice(MAX_LISTED);
  const [next] = rest;
  if (next === undefined) {
    return findings;
  }
  const verdict = rest.some((each) => each.verdict === 'fails') ? 'fails' : 'mayFail';
  const message = others(rest.length);
  return [
    ...findings.slice(0, MAX_LISTED),
    { code: next.code, verdict, message, about: message, location: next.location },
  ];
}

/**
 * Reports whether a build would succeed but create an app that shows nothing.
 *
 * @param findings the findings that stop the build
 */
export function leavesBlank(findings: readonly Pick<ProjectFinding, 'code'>[]): boolean {
  return findings.every(({ code }) => hasTrait(code, 'blank'));
}

/** Returns the findings that may keep an app from working even if its build succeeds. */
export function appProblems<T extends Pick<ProjectFinding, 'code' | 'verdict'>>(findings: readonly T[]): readonly T[] {
  return findings.filter(({ verdict, code }) => verdict !== 'fine' && hasTrait(code, 'app'));
}

/**
 * Returns the findings that stop a build. Ignores findings about unprepared platforms if the user didn't ask for those
 * platforms and another platform works.
 *
 * @param asked the platforms that the user asked for. Undefined for all platforms of the app
 */
export function stoppingFindings<T extends Pick<ProjectFinding, 'code' | 'verdict' | 'platform'>>(
  { findings, platforms = [] }: { readonly findings: readonly T[]; readonly platforms?: readonly string[] },
  asked: readonly string[] | undefined,
): readonly T[] {
  const failing = findings.filter(({ verdict }) => verdict === 'fails');
  const works = (platform: string) => !failing.some((finding) => finding.platform === platform);
  const isOneEnough = asked === undefined && platforms.some(works);
  return isOneEnough ? failing.filter(({ code }) => !hasTrait(code, 'notPrepared')) : failing;
}

const PLATFORM_NAMES: ReadonlyMap<string, string> = new Map([
  ['android', 'Android'],
  ['ios', 'iOS'],
  ['winphone', 'Windows Phone'],
]);

/** Returns the product name of a platform. For an unknown platform, returns the service's name. */
export function platformName(platform: string): string {
  return PLATFORM_NAMES.get(platform) ?? platform;
}
