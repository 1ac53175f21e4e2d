import assert from 'node:assert/strict';
import fc from 'fast-check';
import { oneLine, resourceReport } from '../../../src/agentTools/report.ts';
import { resourceOf } from '../../support/testData.ts';

const MAX_LENGTH = 3_000;

const report = (value: unknown, maxLength = MAX_LENGTH): string =>
  JSON.stringify(resourceReport(resourceOf(value), oneLine, maxLength));

describe('a resource for an agent', () => {
  it('never takes more room than there is, whatever the service sends', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 300, max: 3_000 }), (value, max) => {
        const text = report(value, max);
        assert.ok(text.length <= max, `${text.length} > ${max}`);
        assert.doesNotMatch(text, /[\p{Cc}\p{Cf}]/u);
      }),
      { numRuns: 300 },
    );
    const many = (depth: number): unknown =>
      depth === 0 ? {} : Array.from({ length: 60 }, () => ({ a: many(depth - 1) }));
    assert.ok(report({ all: many(2) }).length <= MAX_LENGTH);
  });

  it('has its fields, links, forms and what is in it, and counts what there is no room for', () => {
    const value = {
      title: 'Shop',
      link: '/api/v1/apps/1',
      build_count: 12,
      big: 1,
      status: { android: 'complete' },
      icon_url: 'https://other.example/icon.png',
    };
    const text = report(value);
    assert.match(text, /"title":"Shop"/);
    assert.match(text, /\{"name":"build_count","value":12\}/);
    assert.match(text, /"rel":"status".*\{"name":"android","value":"complete"\}/);
    assert.match(text, /"link":"https:\/\/other\.example\/icon\.png"/);
    const { left_off: leftOff } = JSON.parse(report({ ...value, long: 'x'.repeat(400) }, 350)) as { left_off: number };
    assert.ok(leftOff > 0);
  });

  it('tells no value whose name says that it is secret, and no address with one', () => {
    const names = [
      'auth_token',
      'client_secret',
      'password',
      'key_pw',
      'apiKey',
      'api_key',
      'Authorization',
      'private_key',
    ];
    for (const name of names) {
      assert.ok(!report({ title: 'x', [name]: 'abcdefgh' }).includes('abcdefgh'), name);
      assert.ok(!report({ title: 'x', more: { [name]: 'abcdefgh' } }).includes('abcdefgh'), name);
    }
    assert.ok(!report({ next_url: '/api/v1/apps?auth_token=abcdefgh' }).includes('abcdefgh'));
    assert.match(
      report({ title: 'x', state: 'open', keys: 3, token_count: 7 }),
      /"state","value":"open".*"token_count","value":7/,
    );
  });
});
