import type * as vscode from 'vscode';
import type { Sentence } from '../../api/errors/sentence.ts';
import type { ProblemCode } from '../../configXml/configProblem.ts';
import type { Span } from '../../configXml/xmlDocument.ts';
import { TextLines, type TextPosition } from '../../formats/textLines.ts';
import type { RowText } from '../../workbench/rowsView.ts';
import { MAX_LISTED } from '../limits.ts';

/** `fails`: a build cannot work. `mayFail`: it may fail, or the app does not do what is written. `fine`: was looked at, and is right. */
export type Verdict = 'fails' | 'mayFail' | 'fine';

/** The worst first. */
export const VERDICTS: readonly Verdict[] = ['fails', 'mayFail', 'fine'];

/**
 * What more is known of a finding by its code:
 * - `plan`: the text of a plan has it anyway, before an upload
 * - `app`: it's about what the app does on a phone: its pages, its plugins, its connections. Others are about the build or its keys
 * - `blank`: a page shows nothing, and the build itself works
 * - `notPrepared`: a platform is not prepared, and the app is built for the others
 * - `outside`: the files of the folder cannot be the reason
 */
type Trait = 'plan' | 'app' | 'blank' | 'notPrepared' | 'outside';

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
  capacitorPlugin: ['app'],
  cleartext: ['app'],
  packageTooLarge: ['plan'],
  tooManyEntries: ['plan'],
  startPage: ['app'],
  startPageMissing: ['app'],
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
} as const satisfies Readonly<Record<string, readonly Trait[]>>;

/** The subject of a finding: a code of config.xml, or one of the package, the pages, the keys or the service. */
export type FindingCode = ProblemCode | keyof typeof TRAITS;

const traits: ReadonlyMap<FindingCode, readonly Trait[]> = new Map(
  Object.entries(TRAITS) as [keyof typeof TRAITS, readonly Trait[]][],
);

/** True for a finding about config.xml itself, which its editor checks, too. */
export function isConfigProblem(code: FindingCode): boolean {
  return !traits.has(code);
}

export function hasTrait(code: FindingCode, trait: Trait): boolean {
  return traits.get(code)?.includes(trait) === true;
}

/** Where a finding is in a file. */
export interface FindingPlace {
  readonly uri: vscode.Uri;
  /** From zero; undefined when it is about the whole file. */
  readonly range?: vscode.Range;
}

/** One thing that was checked. */
export interface Finding {
  readonly code: FindingCode;
  readonly verdict: Verdict;
  /** What was found. */
  readonly message: Sentence;
  /** What to do. */
  readonly next?: Sentence | undefined;
  readonly place?: FindingPlace | undefined;
  /** The platform whose build it is about; undefined for all. */
  readonly platform?: string | undefined;
  /** The label of a row: a plugin, a preference, a key. The file of its place when absent. */
  readonly about?: RowText | undefined;
  /** The message in a few words. Those of its code when absent. */
  readonly short?: Sentence | undefined;
  /** Remedies, the best first. A row with a place opens that anyway. */
  readonly remedies?: readonly FindingRemedy[] | undefined;
}

/** Helps in one step. `installEngine`: Cordova, with the plugins that the project names. */
export type FindingRemedy = 'installEngine' | 'removePlugin' | 'choosePages' | 'addKey' | 'unlockKey';

/** Where a finding is, without VS Code. */
export interface ProjectPlace {
  /** Of a file below the project, with `/`. */
  readonly path: string;
  /** Absent when it is about the whole file. */
  readonly start?: TextPosition;
  readonly end?: TextPosition;
}

/** A finding whose place is a path of the project. */
export interface ProjectFinding extends Omit<Finding, 'place'> {
  readonly place?: ProjectPlace | undefined;
}

type Details = Omit<ProjectFinding, 'code' | 'verdict' | 'message'>;

export function fails(code: FindingCode, message: Sentence, details: Details = {}): ProjectFinding {
  return { code, verdict: 'fails', message, ...details };
}

export function mayFail(code: FindingCode, message: Sentence, details: Details = {}): ProjectFinding {
  return { code, verdict: 'mayFail', message, ...details };
}

export function fine(code: FindingCode, message: Sentence, details: Details = {}): ProjectFinding {
  return { code, verdict: 'fine', message, ...details };
}

/** The place of a line, from one. */
export function lineIn(path: string, line: number | undefined): ProjectPlace {
  const start = line === undefined ? undefined : { line: line - 1, character: 0 };
  return { path, ...(start && { start, end: start }) };
}

/** Makes places in a file of a part of its text. */
export function placesIn(path: string, text: string): (span: Span) => ProjectPlace {
  const lines = new TextLines(text);
  return ({ start, end }) => ({ path, start: lines.positionAt(start), end: lines.positionAt(end) });
}

/** The place of the first of these words in a file; undefined where its text does not have them. */
export function placeOfWords(path: string, text: string, words: string): ProjectPlace | undefined {
  const start = text.indexOf(words);
  return start < 0 ? undefined : placesIn(path, text)({ start, end: start + words.length });
}

/** The first findings of a kind, and one that counts the others, at the place of the first of these. */
export function firstOf(
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
  return [...findings.slice(0, MAX_LISTED), { code: next.code, verdict, message, about: message, place: next.place }];
}

/** Whether a build would work, for an app that shows nothing. @param findings that it's stopped for */
export function leavesBlank(findings: readonly Finding[]): boolean {
  return findings.every(({ code }) => hasTrait(code, 'blank'));
}

/** The findings that may keep an app from working although it was built. */
export function appProblems(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ verdict, code }) => verdict !== 'fine' && hasTrait(code, 'app'));
}

/**
 * The findings that a build is stopped for: those that make it fail, but for platforms that are not prepared and were not
 * asked for, as long as another one works.
 *
 * @param asked platforms that the user asked for; undefined for all that the app has.
 */
export function stoppingFindings(
  { findings, platforms = [] }: { readonly findings: readonly Finding[]; readonly platforms?: readonly string[] },
  asked: readonly string[] | undefined,
): readonly Finding[] {
  const failing = findings.filter(({ verdict }) => verdict === 'fails');
  const works = (platform: string) => !failing.some((finding) => finding.platform === platform);
  const isOneEnough = asked === undefined && platforms.some(works);
  return isOneEnough ? failing.filter(({ code }) => !hasTrait(code, 'notPrepared')) : failing;
}
