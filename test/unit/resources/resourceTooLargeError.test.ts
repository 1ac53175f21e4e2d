import assert from 'node:assert/strict';
import { BodyTooLargeError } from '../../../src/api/errors/responseErrors.ts';
import { plainText } from '../../../src/api/errors/sentence.ts';
import { ResourceTooLargeError } from '../../../src/resources/resourceTooLargeError.ts';

describe('a resource that is too large', () => {
  const url = 'https://build.test/api/v1/large?signature=s3cret';
  const cause = new BodyTooLargeError(4 * 1024 * 1024, 5_242_920);

  for (const [what, error, remedy, next] of [
    ['to be opened', ResourceTooLargeError.onOpen(url, cause), 'download', /Download it/],
    [
      'for the answer to a GET',
      ResourceTooLargeError.onRequest('GET', url, cause),
      'download',
      /has answered it.*Download/,
    ],
    [
      'for the answer to a POST',
      ResourceTooLargeError.onRequest('POST', url, cause),
      'none',
      /no need to send it again/,
    ],
  ] as const) {
    it(`${what} says its size and what to do, and nothing of its URL`, () => {
      assert.equal(error.url, url);
      assert.equal(error.remedy, remedy);
      assert.match(plainText(error.what), /5\.2 MB/);
      assert.match(error.next === undefined ? '' : plainText(error.next), next);
      assert.ok(!`${error.message}${String(error.stack)}`.includes('s3cret'));
    });
  }
});
