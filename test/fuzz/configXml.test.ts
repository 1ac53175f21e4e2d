import assert from 'node:assert/strict';

import { parseXml as parseStrictly } from '@rgrove/parse-xml';
import fc from 'fast-check';

import { checkConfig } from '../../src/config-xml/checkConfig.ts';
import type { ConfigProblem } from '../../src/config-xml/configProblem.ts';
import { syntaxProblems } from '../../src/config-xml/syntax.ts';
import type { Span } from '../../src/config-xml/xmlDocument.ts';
import { parseXml } from '../../src/config-xml/xmlDocument.ts';
import { withBlankComments } from '../../src/android-package/config/xmlComments.ts';
import { anyMarkup, brokenConfig, wellFormedConfig } from '../support/configTexts.ts';
import { allAbsent } from '../support/configXml.ts';
import { holds } from './property.ts';

/** Problems that services and builds reject although XML allows them. */
const REFUSED: ReadonlySet<string> = new Set(['doctype', 'encoding', 'tooLarge']);

describe('config.xml', () => {
  const text = fc.oneof(wellFormedConfig, brokenConfig, anyMarkup, fc.string({ unit: 'binary' }));

  holds('has a problem if and only if the strict parser rejects it', text, (written) => {
    const problems = syntaxProblems(parseXml(written));
    // A comment may contain `--`.
    const isRefused = strictError(withBlankComments(written)) !== undefined;
    assert.equal(problems.filter(({ code }) => isRefused || !REFUSED.has(code)).length > 0, isRefused);
  });

  holds('is checked without an exception, and reported ranges are in the text', text, (written) => {
    const document = parseXml(written);
    checkConfig(document, allAbsent(document))
      .flatMap(getSpans)
      .forEach((span) => assertInside(span, written));
    for (const { span, startTag, endTag, nameSpan, textSpan, name, parent } of document.elements) {
      [span, startTag, endTag ?? span, nameSpan, textSpan ?? span].forEach((each) => assertInside(each, written));
      assert.equal(written.slice(nameSpan.start, nameSpan.end), name);
      assert.ok(
        parent === undefined ||
          parent.children.includes(
            document.elements.find(({ nameSpan: other }) => other.start === nameSpan.start) ?? parent,
          ),
      );
    }
  });
});

function getSpans({ span, related, fixes }: ConfigProblem): readonly Span[] {
  const changes = (fixes ?? []).flatMap((fix) => fix.changes);
  return [span, ...(related ? [related.span] : []), ...changes.map((change) => change.span)];
}

function assertInside({ start, end }: Span, text: string): void {
  assert.ok(0 <= start && start <= end && end <= text.length, `${start}–${end} of ${text.length}`);
}

function strictError(text: string): unknown {
  try {
    parseStrictly(text);
    return undefined;
  } catch (error) {
    return error;
  }
}
