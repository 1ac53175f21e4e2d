import assert from 'node:assert/strict';

import type { FormField } from '../../../../../src/service-client/index.ts';
import {
  fieldProblem,
  formRequest,
  isSecretField,
  type FieldValue,
} from '../../../../../src/extension/resources/requests/formRequest.ts';
import { memoryFile } from '../../../../support/testData.ts';

const url = 'https://build.example.com/api/v1/apps?page=1';
const URL_ENCODED = 'application/x-www-form-urlencoded';
const title: FormField = { name: 'title', required: true };
const file = memoryFile('icon.png', 'x');

function filled(method: string, contentType: string, ...values: (readonly [FormField, FieldValue])[]) {
  return formRequest({ method, contentType }, url, values);
}

describe('formRequest', () => {
  it('puts the fields of GET into the query, replacing existing parameters', () => {
    const { url: target, body } = filled(
      'GET',
      URL_ENCODED,
      [{ name: 'page' }, '2'],
      [title, 'a & b'],
      [{ name: 'empty' }, ''],
    );
    assert.equal(target, 'https://build.example.com/api/v1/apps?page=2&title=a+%26+b');
    assert.deepEqual(body, { kind: 'none' });
  });

  for (const [contentType, text, ...values] of [
    [URL_ENCODED, 'title=%C3%A4%3D%26', [title, 'ä=&'], [{ name: 'empty' }, '']],
    [
      'application/json; charset=utf-8',
      '{"title":"\\"x\\"","id":12345678901234567890,"on":true}',
      [title, '"x"'],
      [{ name: 'id', type: 'number' }, '12345678901234567890'],
      [{ name: 'on', type: 'checkbox' }, 'true'],
    ],
    ['application/vnd.collection+json', '{"template":{"data":[{"name":"title","value":"x"}]}}', [title, 'x']],
  ] as const) {
    it(`encodes the fields as the form requires: ${contentType}`, () => {
      assert.deepEqual(filled('POST', contentType, ...values).body, { kind: 'text', contentType, text });
    });
  }

  it('sends files as multipart, and omits empty fields', () => {
    const icon = [{ name: 'icon' }, [file]] as const;
    const parts = [
      { name: 'title', value: 'x' },
      { name: 'icon', file },
    ];
    assert.deepEqual(filled('POST', 'multipart/form-data', [title, 'x'], icon).body, { kind: 'multipart', parts });
    assert.equal(filled('POST', URL_ENCODED, icon).body.kind, 'multipart');
    assert.deepEqual(filled('DELETE', 'application/json').body, { kind: 'none' });
  });

  it('sends a field named __proto__ under that name', () => {
    assert.equal(
      JSON.stringify(filled('POST', 'application/json', [{ name: '__proto__' }, 'x']).body),
      String.raw`{"kind":"text","contentType":"application/json","text":"{\"__proto__\":\"x\"}"}`,
    );
  });

  it('reports why a value is invalid', () => {
    assert.equal(fieldProblem(title, ''), 'required');
    assert.equal(fieldProblem({ name: 'a' }, ''), undefined);
    for (const [text, problem] of [
      ['1', undefined],
      ['-1.5e3', undefined],
      ['01', 'number'],
      ['x', 'number'],
      ['NaN', 'number'],
    ] as const) {
      assert.equal(fieldProblem({ name: 'a', type: 'number' }, text), problem, text);
    }
    assert.equal(fieldProblem({ name: 'a', type: 'boolean' }, 'yes'), 'boolean');
  });

  it('recognizes fields for secrets by type and name', () => {
    for (const name of 'password key_pw keystorePw client_secret Passphrase pin auth_token apiKey'.split(' ')) {
      assert.ok(isSecretField({ name }), name);
    }
    for (const name of ['title', 'spin', 'opinion', 'upward', 'shipping', 'repo', 'key']) {
      assert.ok(!isSecretField({ name }), name);
    }
    assert.ok(isSecretField({ name: 'x', type: 'password' }));
  });
});
