import assert from 'node:assert/strict';

import { formatSentence } from '../../../src/errors/index.ts';
import { checkConfig } from '../../../src/config-xml/checkConfig.ts';
import type { MissingFile } from '../../../src/config-xml/namedFiles.ts';
import { syntaxProblems } from '../../../src/config-xml/syntax.ts';
import { isWidget } from '../../../src/config-xml/widget.ts';
import { parseXml } from '../../../src/config-xml/xmlDocument.ts';
import { fixed, getProblems, readFixture, widget } from '../../support/configXml.ts';

/** A document or part of a valid one, the problems that it causes, and the text after the first fix. */
interface Row {
  /** Replaces {@link in}, {@link root}, and {@link widget}. */
  readonly text?: string;
  /** Inserted after the name in the root. */
  readonly in?: string;
  /** Attributes of the root. */
  readonly root?: string;
  /** Complete content of the root. */
  readonly widget?: string;
  /** Missing files, by their names in the text. */
  readonly absent?: Readonly<Record<string, MissingFile>>;
  /** Severity, code, marked text, message, and remedy. */
  readonly says: readonly string[];
  readonly fixed?: string;
}

const GROUPS = readFixture('problems.json') as Readonly<Record<string, readonly Row[]>>;

function getText(row: Row): string {
  return row.text ?? widget(row.widget ?? `  <name>App</name>\n${row.in ?? ''}`, row.root);
}

function mended(row: Row, after: string): string {
  const [key = 'text'] = (['text', 'in', 'root', 'widget'] as const).filter((each) => row[each] !== undefined);
  return after.startsWith('<?xml') ? after : getText({ ...row, [key]: after });
}

describe('config.xml: problems and their first fixes', () => {
  for (const [title, rows] of Object.entries(GROUPS)) {
    it(`checks ${title}`, () => {
      for (const row of rows) {
        const text = getText(row);
        const document = parseXml(text);
        const checked = checkConfig(document, row.absent && new Map(Object.entries(row.absent)));
        // A document without a widget has only syntax problems.
        const problems = checked.length > 0 ? checked : syntaxProblems(document);
        assert.deepEqual(
          problems.map(({ severity, code, span, message, next }) => {
            const marked = text.slice(span.start, span.end);
            return `${severity} ${code} “${marked}”: ${formatSentence(message)}${next ? ` ${formatSentence(next)}` : ''}`;
          }),
          row.says,
          text,
        );
        const fix = problems.find(({ fixes = [] }) => fixes.length > 0)?.fixes?.[0];
        assert.equal(fix && fixed(text, fix), row.fixed === undefined ? undefined : mended(row, row.fixed), text);
      }
    });
  }

  it('reports only the size of a file that services reject for its size', () => {
    for (const text of [widget(' '.repeat(1024 * 1024)), widget('<a>'.repeat(100_000))]) {
      assert.deepEqual(
        getProblems(text).map(({ code }) => code),
        ['tooLarge'],
      );
    }
  });

  it('never suggests a fix that grants a denied permission', () => {
    for (const ban of [
      '<disallow-navigation href="https://example.com/*" />',
      '<disallow-navigation href="https://example.com/*"></allow-navigation>',
      '<deny-navigation href="https://example.com/*"></allow-navigation>',
      '<access origin="" />',
      '<preference name="AndroidInsecureFileModeDisabled" value="true" />',
      '<preference name="InAppBrowserStorageDisabled" value="true" />',
      '<preference name="AllowTrustedCerts" value="true" />',
      '<preference name="StopRunning" value="true" />',
    ]) {
      const text = widget(`  <name>App</name>\n  ${ban}`);
      const texts = getProblems(text).flatMap(({ fixes = [] }) => fixes.map((fix) => fixed(text, fix)));
      assert.ok(!texts.some((each) => /<allow-navigation|"\*"|Enabled|Untrusted|Keep/.test(each)), ban);
    }
  });

  it('ignores config.xml files of Jenkins, Tizen, BlackBerry WebWorks, and other tools', () => {
    const children = '<name>A</name><preference name="a" value="b"/><foo/>';
    const roots: readonly (readonly [root: string, isCordova: boolean])[] = [
      ['widget', true],
      ['widget xmlns="http://www.w3.org/ns/widgets"', true],
      ['Widget', true],
      ['widgt', true],
      ['app xmlns:gap="http://phonegap.com/ns/1.0"', true],
      ['widget xmlns:tizen="http://tizen.org/ns/widgets"', false],
      ['widget xmlns:tizen="http://tizen.org/ns/widgets" xmlns:gap="http://phonegap.com/ns/1.0"', true],
      ['widget xmlns:rim="http://www.blackberry.com/ns/widgets"', false],
      ['project', false],
      ['plugin id="x"', false],
    ];
    for (const [root, isCordova] of roots) {
      const document = parseXml(`<${root}>${children}</${root.split(' ')[0]}>`);
      assert.equal(isWidget(document), isCordova, root);
      assert.equal(checkConfig(document).length > 0, isCordova, root);
    }
    assert.equal(isWidget(parseXml('<Widget><title/></Widget>')), false);
  });
});
