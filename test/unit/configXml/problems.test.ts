import assert from 'node:assert/strict';

import { plainText } from '../../../src/api/errors/sentence.ts';
import { checkConfig } from '../../../src/configXml/checkConfig.ts';
import type { Absence } from '../../../src/configXml/namedFiles.ts';
import { syntaxProblems } from '../../../src/configXml/syntax.ts';
import { isWidget } from '../../../src/configXml/widget.ts';
import { parseXml } from '../../../src/configXml/xmlDocument.ts';
import { fixed, problemsOf, readFixture, widget } from '../../support/configXml.ts';

/** A text, or what stands in one that is right; what is said of it; the same after the first fix that there is. */
interface Row {
  /** In place of {@link in}, {@link root} and {@link widget}. */
  readonly text?: string;
  /** Behind the name in the root. */
  readonly in?: string;
  /** Attributes of the root. */
  readonly root?: string;
  /** All that is in the root. */
  readonly widget?: string;
  /** Files that are not there, by how they are written. */
  readonly absent?: Readonly<Record<string, Absence>>;
  /** Severity, code, what is marked, message and what to do. */
  readonly says: readonly string[];
  readonly fixed?: string;
}

const GROUPS = readFixture('problems.json') as Readonly<Record<string, readonly Row[]>>;

function textOf(row: Row): string {
  return row.text ?? widget(row.widget ?? `  <name>App</name>\n${row.in ?? ''}`, row.root);
}

function mended(row: Row, after: string): string {
  const [key = 'text'] = (['text', 'in', 'root', 'widget'] as const).filter((each) => row[each] !== undefined);
  return after.startsWith('<?xml') ? after : textOf({ ...row, [key]: after });
}

describe('config.xml: what is said of a text, and its first fix', () => {
  for (const [title, rows] of Object.entries(GROUPS)) {
    it(title, () => {
      for (const row of rows) {
        const text = textOf(row);
        const document = parseXml(text);
        const checked = checkConfig(document, row.absent && new Map(Object.entries(row.absent)));
        // A text without a widget has no more than its syntax.
        const problems = checked.length > 0 ? checked : syntaxProblems(document);
        assert.deepEqual(
          problems.map(({ severity, code, span, message, next }) => {
            const marked = text.slice(span.start, span.end);
            return `${severity} ${code} “${marked}”: ${plainText(message)}${next ? ` ${plainText(next)}` : ''}`;
          }),
          row.says,
          text,
        );
        const fix = problems.find(({ fixes = [] }) => fixes.length > 0)?.fixes?.[0];
        assert.equal(fix && fixed(text, fix), row.fixed === undefined ? undefined : mended(row, row.fixed), text);
      }
    });
  }

  it('is nothing but that for a file that services refuse for its size', () => {
    for (const text of [widget(' '.repeat(1024 * 1024)), widget('<a>'.repeat(100_000))]) {
      assert.deepEqual(
        problemsOf(text).map(({ code }) => code),
        ['tooLarge'],
      );
    }
  });

  it('makes no permission of a ban by any fix', () => {
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
      const texts = problemsOf(text).flatMap(({ fixes = [] }) => fixes.map((fix) => fixed(text, fix)));
      assert.ok(!texts.some((each) => /<allow-navigation|"\*"|Enabled|Untrusted|Keep/.test(each)), ban);
    }
  });

  it('is nothing for a file of Jenkins, Tizen, BlackBerry WebWorks and others', () => {
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
