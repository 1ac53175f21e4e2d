import assert from 'node:assert/strict';
import fc from 'fast-check';

import { readRecord, recordText, storedPath, type WatchRecord } from '../../../../src/builds/watching/watchRecord.ts';

const record: WatchRecord = {
  ...{ title: 'Field Notes', path: '/api/v1/apps/1', account: 'hash' },
  builds: [
    {
      ...{ platform: 'android', state: 'failed', status: 'error', error: 'No index.html' },
      downloadUrl: 'http://127.0.0.1:1/api/v1/apps/1/android',
      logUrl: 'http://127.0.0.1:1/log?auth_token=s3cret',
    },
  ],
  ...{ startedAt: 1, askedAt: 2, notBefore: 3, failures: 4 },
  ...{ trouble: { template: 'Nothing answers at {0}.', args: ['a.example'] } },
  end: { kind: 'ended', at: 5 },
};

describe('the file of a watched build', () => {
  it('holds what windows share, and of addresses the path without a query', () => {
    const text = recordText(record);
    assert.doesNotMatch(text, /s3cret|127\.0\.0\.1/);
    const [build] = record.builds;
    assert.deepEqual(readRecord(text), {
      ...record,
      builds: [{ ...build, downloadUrl: '/api/v1/apps/1/android', logUrl: undefined }],
    });
    assert.equal(storedPath('https://a.example/apps?id=1'), undefined);
  });

  it('is taken for damaged unless it is one', () => {
    const text = recordText(record);
    for (const damaged of ['', 'null', '[]', '{}', text.slice(0, -1), text.replace('"/api', '"//evil.example/api')]) {
      assert.equal(readRecord(damaged), undefined);
    }
    for (const member of ['title', 'path', 'account', 'startedAt', 'askedAt', 'notBefore', 'failures', 'builds']) {
      assert.equal(readRecord(JSON.stringify({ ...record, [member]: null })), undefined);
    }
    assert.equal(readRecord(JSON.stringify({ ...record, builds: [] })), undefined);
    assert.equal(readRecord(JSON.stringify({ ...record, builds: [{ platform: 'ios', state: 'odd' }] })), undefined);
  });

  it('of whatever is in it never breaks the reader', () => {
    const part = fc.jsonValue();
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(record)), part), (changes) => {
        const read = readRecord(JSON.stringify({ ...record, ...changes }));
        assert.ok(read === undefined || (read.path.startsWith('/') && Number.isFinite(read.askedAt)));
      }),
    );
  });
});
