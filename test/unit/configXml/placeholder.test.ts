import assert from 'node:assert/strict';

import { plainText } from '../../../src/api/errors/sentence.ts';
import { filesNamedIn } from '../../../src/configXml/namedFiles.ts';
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

  for (const placeholder of ['$PACKAGE_ID', '$(ID)', '%APP-VERSION%', '*VERSION*', '@ID@', '[[ID]]']) {
    it(`${placeholder} is one as a whole value`, () => {
      const text = (value: string) => `<widget id="${value}" version="1"><name>A</name></widget>`;
      assert.deepEqual(told(text(placeholder)), [
        `information placeholder “${placeholder}”: ${placeholder} is a placeholder, which no build takes.`,
      ]);
      assert.notDeepEqual(told(text(`${placeholder}.a`)), told(text(placeholder)));
      assert.match(told(text(`a b${placeholder}`))[0] ?? '', /^error idMalformed/);
    });
  }

  it('says so of what a build needs: the first of it', () => {
    for (const [attributes, name, placeholder] of [
      ['android-versionCode="{{CODE}}"', '{{NAME}}', '{{CODE}}'],
      ['', ' {{NAME}} ', '{{NAME}}'],
      ['', 'A', undefined],
    ] as const) {
      assert.deepEqual(
        told(`<widget id="com.example.app" version="1" ${attributes}><name>${name}</name></widget>`),
        placeholder === undefined
          ? []
          : [`information placeholder “${placeholder}”: ${placeholder} is a placeholder, which no build takes.`],
      );
    }
  });

  it('<% %> may hold what has a meaning in XML, and stand wherever XML has none', () => {
    for (const [text, tag] of [
      ['<% if (a > b) { %><widget id="aa.b" version="1"><name>A</name></widget><% } %>', '<% if (a > b) { %>'],
      ['<widget id="aa.b" version="<%= a["b"] %>"><name><% a && b < c %></name></widget>', '<%= a["b"] %>'],
      ['<widget <%= ATTRS %>><name>A</name></widget>', '<%= ATTRS %>'],
      ['<widget <%= a:b %>><name>A</name></widget>', '<%= a:b %>'],
      ['<widget id="aa.b" version="1" <%= ATTRS %>><name>A</name></widget>', '<%= ATTRS %>'],
    ] as const) {
      assert.deepEqual(told(text), [
        `information placeholder “${tag}”: ${tag} is a placeholder, which no build takes.`,
      ]);
    }
  });

  it('preferences that it names are not the same', () => {
    const preference = '<preference name="<%= a %>" value="<%= b %>" />';
    assert.deepEqual(told(`<widget id="aa.b" version="1"><name>A</name>${preference}${preference}</widget>`).length, 1);
  });

  it('is neither in a comment nor in half a tag', () => {
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
