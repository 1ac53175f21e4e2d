import assert from 'node:assert/strict';

import { plainText } from '../../../src/api/errors/sentence.ts';
import { filesNamedIn } from '../../../src/configXml/checks/files.ts';
import { parseXml } from '../../../src/configXml/xmlDocument.ts';
import { problemsOf } from '../../support/configXml.ts';

/** A config.xml with a placeholder in each place where people have one. */
const template = (placeholder: string) => `<?xml version="1.0"?>
<widget id="${placeholder}" version="1.0.${placeholder}" android-versionCode="${placeholder}" ios-CFBundleVersion="${placeholder}">
  <name>${placeholder}</name>
  <author email="${placeholder}">${placeholder}</author>
  <content src="${placeholder}" />
  <icon src="res/${placeholder}/icon.png" width="${placeholder}" density="${placeholder}" />
  <preference name="Fullscreen" value="${placeholder}" />
  <preference name="BackgroundColor" value="#${placeholder}" />
  <platform name="${placeholder}" />
</widget>
`;

const told = (text: string) =>
  problemsOf(text).map(
    ({ code, severity, span, message }) =>
      `${severity} ${code} “${text.slice(span.start, span.end)}”: ${plainText(message)}`,
  );

describe('config.xml: what a script fills in', () => {
  for (const placeholder of ['{{ID}}', '{ID}', '${ID}', '__ID__', '__APP_ID_2__', '<%= id %>', '<%ID%>']) {
    it(`${placeholder} is no mistake, and no build takes it`, () => {
      const text = template(placeholder);
      assert.deepEqual(told(text), [
        `information placeholder “${placeholder}”: ${placeholder} is a placeholder, which no build takes.`,
      ]);
      assert.deepEqual(
        filesNamedIn(parseXml(text)).map(({ path }) => path),
        ['index.html'],
        'no file is looked for',
      );
    });
  }

  it('beside a mistake: the mistake is told', () => {
    assert.deepEqual(
      told('<widget id="aa.b" version="1"><name><%= a %></nmae></widget>').map((each) => each.split(' “')[0]),
      ['information placeholder', 'error endTagMismatch'],
    );
    assert.deepEqual(told('<widget id="aa.b" version="1"><name>A</name><!-- <% a %> --></widget>'), []);
    assert.deepEqual(
      told('<widget id="aa.b" version="1"><name><%= a</name></widget>').map((each) => each.split(' “')[0]),
      ['error malformed'],
    );
    for (const value of ['_', '__', '{}', '{', '____']) {
      assert.equal(
        problemsOf(`<widget id="${value}" version="1"><name>A</name></widget>`)[0]?.code,
        'idMalformed',
        value,
      );
    }
  });
});
