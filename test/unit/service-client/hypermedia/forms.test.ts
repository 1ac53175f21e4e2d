import assert from 'node:assert/strict';
import fc from 'fast-check';
import { read, reasons } from './read.ts';

const getForm = (type: string) =>
  read(
    { actions: [{ name: 'add', method: 'POST', href: '/x', type, fields: [] }], class: ['x'] },
    { mediaType: 'application/vnd.siren+json' },
  );

describe('the content type of a form', () => {
  for (const type of [
    'application/vnd.api+json',
    'application/json;',
    'text/plain;charset="utf-8" ; format=flowed',
    'application/json; profile="https://a.example/\\"x\\""',
  ]) {
    it(`accepts ${type}`, () => {
      const { forms, skipped } = getForm(type);
      assert.deepEqual([forms.map(({ contentType }) => contentType), skipped], [[type], []]);
    });
  }

  for (const type of [
    ...[
      'a\u0003\ntouch pwned\n#/x+json',
      'application/json\r\nx-injected: 1',
      'application/json\n',
      ' application/json',
    ],
    ...['\u0003', '\u009b', '\t'].map((character) => `application/json; a="${character}"`),
    ...['application/json; a=b c', 'application/json; a="b', 'json', 'a/b/c', 'é/x', ''],
    `text/plain; a=${'x'.repeat(1024)}`,
  ]) {
    it(`skips a form with ${JSON.stringify(type).slice(0, 60)} and reports the reason`, () => {
      const resource = getForm(type);
      assert.deepEqual(resource.forms, []);
      assert.match(reasons(resource).join(), /: The form’s content type isn’t a media type\.$/);
    });
  }

  it('allows only visible ASCII and spaces, whatever the service sends', () => {
    const piece = fc.oneof(
      fc.constantFrom('a/b', ';', ' ', 'c=d', '="', '"', '\\', '\n', '\u0003', '\u009b', '\u202e'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        for (const { contentType } of getForm(`a/b${pieces.join('')}`).forms) {
          assert.match(contentType, /^[ -~]+$/);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the value of a field', () => {
  it('is kept, along with the field’s type and title', () => {
    const field = { name: 'n', type: 'number', value: 0, title: 'N', required: true };
    const [form] = read({ actions: [{ name: 'a', title: 'A', href: '/a', fields: [field] }] }).forms;
    assert.deepEqual([form?.title, form?.fields], ['A', [{ ...field, value: '0' }]]);
  });

  it('is ignored if it’s masked, so that the mask is never sent back', () => {
    const fields = [
      { name: 'password', value: '***' },
      { name: 'title', value: 'a ***' },
    ];
    const { forms } = read({ class: ['x'], actions: [{ name: 'edit', method: 'POST', href: '/x', fields }] });
    assert.deepEqual(
      forms[0]?.fields.map(({ value }) => value),
      [undefined, 'a ***'],
    );
  });
});
