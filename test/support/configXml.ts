/** Helpers for tests of config.xml. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { formatSentence } from '../../src/errors/sentence.ts';
import { checkConfig } from '../../src/config-xml/checkConfig.ts';
import type { MissingFiles } from '../../src/config-xml/namedFiles.ts';
import { filesNamedIn } from '../../src/config-xml/namedFiles.ts';
import type { ConfigProblem, ProblemFix } from '../../src/config-xml/configProblem.ts';
import { parseXml, type XmlDocument } from '../../src/config-xml/xmlDocument.ts';

const FIXTURES = path.join(import.meta.dirname, '../fixtures/configXml');

type FixtureFolder = 'template' | 'apps';

/** Returns the names of the files in a folder of fixtures. */
export function configFixtures(folder: FixtureFolder): readonly string[] {
  return readdirSync(path.join(FIXTURES, folder)).sort();
}

export function configFixture(folder: FixtureFolder, name: string): string {
  return readFileSync(path.join(FIXTURES, folder, name), 'utf8');
}

/** Reads a table of test cases. */
export function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(path.join(FIXTURES, name), 'utf8'));
}

/** Returns the problems in a config.xml. @param missing paths of missing files. Undefined: files aren't checked */
export function getProblems(text: string, missing?: readonly string[]): readonly ConfigProblem[] {
  return checkConfig(parseXml(text), missing && absent(missing));
}

/** Returns these paths as missing files. */
function absent(paths: readonly string[]): MissingFiles {
  return new Map(paths.map((path) => [path, { isMade: false }]));
}

/** Returns all files in a config.xml as missing. */
export function allAbsent(document: XmlDocument): MissingFiles {
  return absent(filesNamedIn(document).map(({ path }) => path));
}

/** Describes a problem in one line: `4 warning badValue: The value …`. Lines are one-based. */
function getLine(text: string, { span, severity, code, message }: ConfigProblem): string {
  return `${text.slice(0, span.start).split('\n').length} ${severity} ${code}: ${formatSentence(message)}`;
}

/** Returns a line for each error or warning about a config.xml. */
export function getAlarms(text: string, missing?: readonly string[]): readonly string[] {
  return getProblems(text, missing)
    .filter(({ severity }) => severity !== 'information')
    .map((problem) => getLine(text, problem));
}

/** Applies a fix to a config.xml. */
export function fixed(text: string, { changes }: ProblemFix): string {
  return [...changes]
    .sort((a, b) => b.span.start - a.span.start)
    .reduce((result, { span, newText }) => result.slice(0, span.start) + newText + result.slice(span.end), text);
}

/** Returns a config.xml without problems, except for these attributes of the root and these children. */
export function widget(children: string, attributes = 'id="com.example.app" version="1.0.0"'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<widget ${attributes} xmlns="http://www.w3.org/ns/widgets">
${children}
</widget>
`;
}
