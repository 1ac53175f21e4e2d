import type * as vscode from 'vscode';
import type { Sentence } from '../../api/errors/sentence.ts';
import type { ProblemCode } from '../../configXml/configProblem.ts';

/** `fails`: a build cannot work. `mayFail`: it may fail, or the app does not do what is written. `fine`: was looked at, and is right. */
export type Verdict = 'fails' | 'mayFail' | 'fine';

/** What a finding is about: a code of config.xml, or one of the package, the pages, the keys or the service. */
export type FindingCode =
  | ProblemCode
  | 'config'
  | 'configMissing'
  | 'package'
  | 'notBuilt'
  | 'pagesOlder'
  | 'sourcePage'
  | 'baseHref'
  | 'missingScript'
  | 'remoteCode'
  | 'contentPolicy'
  | 'capacitorPlugin'
  | 'packageTooLarge'
  | 'tooManyEntries'
  | 'startPage'
  | 'secretWaiting'
  | 'sourceMaps'
  | 'largeFiles'
  | 'fileNames'
  | 'idChanges'
  | 'pluginNotSupported'
  | 'pluginVariable'
  | 'platformUnavailable'
  | 'keyMissing'
  | 'keyLocked'
  | 'keyExpired'
  | 'keyExpiresSoon'
  | 'keyOfOtherApp'
  | 'key'
  | 'service';

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
  /** The arguments of `message` that are a service's own words, such as the title of a key: data, whoever reads them. */
  readonly said?: readonly string[];
  /** What to do. */
  readonly next?: Sentence;
  readonly place?: FindingPlace;
  /** The platform whose build it is about; undefined for all. */
  readonly platform?: string;
}
