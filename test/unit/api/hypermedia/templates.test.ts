import assert from 'node:assert/strict';

import fc from 'fast-check';

import type { LinkTarget } from '../../../../src/api/hypermedia/resource.ts';
import { expandTemplate, isTemplate, templateVariables } from '../../../../src/api/hypermedia/templates.ts';
import type { TemplateValues } from '../../../../src/api/hypermedia/templates.ts';
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
  half: '50%',
  undef: undefined,
};

/** RFC 6570 §3.2, behind a path. */
const EXAMPLES: readonly (readonly [template: string, expected: string])[] = [
  ['/{var}', '/value'],
  ['/{hello}', '/Hello%20World%21'],
  ['/{half}', '/50%25'],
  ['/O{empty}X', '/OX'],
  ['/O{undef}X', '/OX'],
  ['/{x,y}', '/1024,768'],
  ['/{var:3}', '/val'],
  ['/{list}', '/red,green,blue'],
  ['/{list*}', '/red,green,blue'],
  ['/{+hello}', '/Hello%20World!'],
  ['{+path}/here', '/foo/bar/here'],
  ['/x{#x,hello}', '/x#1024,Hello%20World!'],
  ['/X{.var}', '/X.value'],
  ['{/var,x}/here', '/value/1024/here'],
  ['{/list*}', '/red/green/blue'],
  ['/x{;x,empty}', '/x;x=1024;empty'],
  ['/x{?x,y}', '/x?x=1024&y=768'],
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

  it('knows the variables, each once', () => {
    assert.deepEqual(templateVariables('/x{/id,id}{?q,list*,name:3}{&q}'), ['id', 'q', 'list', 'name']);
  });

  it('knows templates from text', () => {
    for (const text of [
      '',
      '/x',
      '{',
      '}',
      '{}',
      '{a',
      'a}',
      '{a}{',
      '{{a}}',
      '{a b}',
      '{!a}',
      '{a:0}',
      '{a:b}',
      '{a,}',
      '{?}',
      '{"a":1}',
    ]) {
      assert.equal(isTemplate(text), false, text);
    }
    for (const text of ['{a}', '{+a}', '{#a.b}', '/x{?a_1,%41*}', '{a:12}']) {
      assert.equal(isTemplate(text), true, text);
    }
  });

  it('refuses what is no web address, in one sentence and without the values', () => {
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
    assert.throws(() => expandTemplate(target('/{v:1}'), { v: '\u{1f600}' }), RangeError);
  });

  it('expands to another host when a variable holds one: the caller has to compare origins', () => {
    assert.equal(expandTemplate(target('{+v}'), { v: 'https://evil.example/x' }), 'https://evil.example/x');
  });

  it('asks the given resolver', () => {
    assert.equal(
      expandTemplate(target('/{v}'), { v: 'x' }, (href, base) => new URL(`/pgb${href}`, base)),
      `${ORIGIN}/pgb/x`,
    );
  });

  it('expands what the reader found', () => {
    const [link] = read({ commits_url: './commits{/sha}' }).links;
    assert.equal(link?.target.kind, 'template');
    assert.equal(expandTemplate(link.target, { sha: 'a b' }), `${ORIGIN}/api/v1/commits/a%20b`);
  });

  it('throws nothing but RangeError, whatever the template and the values', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '{a}',
      '{?a,b}',
      '{+a}',
      '{a*}',
      '{b:3}',
      '/',
      'x',
      '%',
      ':',
      '//',
      '\ud800',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }),
        fc.string({ unit: 'binary' }),
        fc.array(fc.string()),
        (pieces, a, b) => {
          try {
            assert.match(expandTemplate(target(pieces.join('')), { a, b }), /^https?:\/\//);
          } catch (error) {
            assert.ok(error instanceof RangeError, String(error));
          }
        },
      ),
    );
  });
});
