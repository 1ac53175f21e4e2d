/** What tests of config.xml share. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { plainText } from '../../src/api/errors/sentence.ts';
import { checkConfig } from '../../src/configXml/checkConfig.ts';
import type { Absences } from '../../src/configXml/namedFiles.ts';
import { filesNamedIn } from '../../src/configXml/namedFiles.ts';
import type { ConfigProblem, ProblemFix } from '../../src/configXml/configProblem.ts';
import { parseXml, type XmlDocument } from '../../src/configXml/xmlDocument.ts';

const FIXTURES = path.join(import.meta.dirname, '../fixtures/configXml');

export type FixtureFolder = 'template' | 'apps';

/** The names of the files of a folder of fixtures. */
export function configFixtures(folder: FixtureFolder): readonly string[] {
  return readdirSync(path.join(FIXTURES, folder)).sort();
}

export function configFixture(folder: FixtureFolder, name: string): string {
  return readFileSync(path.join(FIXTURES, folder, name), 'utf8');
}

/** A table of tests. */
export function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(path.join(FIXTURES, name), 'utf8'));
}

/** The problems of a text. @param missing files that are not there; nobody looks when it is undefined */
export function problemsOf(text: string, missing?: readonly string[]): readonly ConfigProblem[] {
  return checkConfig(parseXml(text), missing && absent(missing));
}

/** Files that are simply not there. */
export function absent(paths: readonly string[]): Absences {
  return new Map(paths.map((path) => [path, { isMade: false }]));
}

/** Every file that a config.xml names. */
export function allAbsent(document: XmlDocument): Absences {
  return absent(filesNamedIn(document).map(({ path }) => path));
}

/** A problem in one line: `4 warning badValue: The value …`. The line is counted from 1. */
export function lineOf(text: string, { span, severity, code, message }: ConfigProblem): string {
  return `${text.slice(0, span.start).split('\n').length} ${severity} ${code}: ${plainText(message)}`;
}

/** The lines of what is wrong with a text: errors and warnings. */
export function alarmsOf(text: string, missing?: readonly string[]): readonly string[] {
  return problemsOf(text, missing)
    .filter(({ severity }) => severity !== 'information')
    .map((problem) => lineOf(text, problem));
}

/** A text after a fix. */
export function fixed(text: string, { changes }: ProblemFix): string {
  return [...changes]
    .sort((a, b) => b.span.start - a.span.start)
    .reduce((result, { span, newText }) => result.slice(0, span.start) + newText + result.slice(span.end), text);
}

/** A config.xml without problems, and with other attributes of its root and other children. */
export function widget(children: string, attributes = 'id="com.example.app" version="1.0.0"'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<widget ${attributes} xmlns="http://www.w3.org/ns/widgets">
${children}
</widget>
`;
}
