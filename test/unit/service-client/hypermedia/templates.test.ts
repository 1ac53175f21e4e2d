import assert from 'node:assert/strict';

import type { LinkTarget } from '../../../../src/service-client/hypermedia/resource.ts';
import { expandTemplate, isTemplate, templateVariables } from '../../../../src/service-client/hypermedia/templates.ts';
import type { TemplateValues } from '../../../../src/service-client/hypermedia/templates.ts';
import { ORIGIN, URL_OF_ME, read } from './read.ts';

type Template = Extract<LinkTarget, { kind: 'template' }>;

function target(template: string): Template {
  return { kind: 'template', template, base: URL_OF_ME, variables: templateVariables(template) };
}

const VALUES: TemplateValues = {
  var: 'value',
  hello: 'Hello World!',
  path: '/foo/bar',
  x: '1024',
  y: '768',
  empty: '',
  list: ['red', 'green', 'blue'],
  undef: undefined,
};

/**
 * The library implements RFC 6570. These examples cover each way to put a value into an address, and this project's
 * additions.
 */
const EXAMPLES: readonly (readonly [template: string, expected: string])[] = [
  ['/{var}', '/value'],
  ['/{hello}', '/Hello%20World%21'],
  ['/O{undef}X', '/OX'],
  ['/{var:3}', '/val'],
  ['/{list}', '/red,green,blue'],
  ['{+path}/here', '/foo/bar/here'],
  ['{/var,x}/here', '/value/1024/here'],
  ['/x{?x,undef,empty}', '/x?x=1024&empty='],
  ['/x?fixed=yes{&x}', '/x?fixed=yes&x=1024'],
  ['/x{?list*}', '/x?list=red&list=green&list=blue'],
  ['/x{?constructor,toString}', '/x'],
  ['/x{?access_token,x}', '/x?x=1024'],
  ['x{/var}', '/api/v1/x/value'],
];

describe('hypermedia: templates', () => {
  for (const [template, expected] of EXAMPLES) {
    it(`expands ${template}`, () => {
      assert.equal(expandTemplate(target(template), { ...VALUES, access_token: 's3cret' }), `${ORIGIN}${expected}`);
    });
  }

  it('lists every variable once', () => {
    assert.deepEqual(templateVariables('/x{/id,id}{?q,list*,name:3}{&q}'), ['id', 'q', 'list', 'name']);
  });

  it('distinguishes templates from text', () => {
    for (const text of [...'{ } {} {a a} {a}{ {{a}} {!a} {a:0} {a:b} {a,} {?} /x {"a":1}'.split(' '), '', '{a b}']) {
      assert.equal(isTemplate(text), false, text);
    }
    for (const text of ['{a}', '{+a}', '{#a.b}', '/x{?a_1,%41*}', '{a:12}']) {
      assert.equal(isTemplate(text), true, text);
    }
  });

  it('rejects an expanded address that isn’t a web address, with an error that doesn’t contain the values', () => {
    for (const [template, value] of [
      ['{+v}', 'javascript:alert(1)'],
      ['{+v}', 'file:///x'],
      ['{+v}', 'https://a:b@build.example/'],
      ['{+v}', 'https://['],
    ] as const) {
      assert.throws(() => expandTemplate(target(template), { v: value }), {
        name: 'RangeError',
        message: /Change them and try again/,
      });
    }
  });

  it('accepts brackets in the names of variables', () => {
    const template = '/b{?order[title],page}';
    assert.deepEqual(templateVariables(template), ['order[title]', 'page']);
    assert.equal(
      expandTemplate(target(template), { 'order[title]': 'asc', page: '2' }),
      `${ORIGIN}/b?order%5Btitle%5D=asc&page=2`,
    );
  });

  it('doesn’t treat text longer than 8 KiB as a template', () => {
    for (const text of [`{${'a'.repeat(8_400_000)}}`, `/${'a'.repeat(8190)}{b}`, '{a}'.repeat(100_000)]) {
      assert.equal(isTemplate(text), false);
      assert.deepEqual(read({ _links: { it: { href: text } } }).links, []);
    }
    assert.equal(isTemplate(`/${'a'.repeat(8100)}{b}`), true);
  });

  it('expands templates found by the reader', () => {
    const [link] = read({ commits_url: './commits{/sha}' }).links;
    assert.equal(link?.target.kind, 'template');
    assert.equal(expandTemplate(link.target, { sha: 'a b' }), `${ORIGIN}/api/v1/commits/a%20b`);
  });
});
