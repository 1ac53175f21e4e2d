import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';

import { pngStart, samplePackage } from '../../support/appPackages.ts';
import { createBuilder, untilAborted } from '../../support/builds.ts';
import { openInProcess, type OpenedService } from '../../support/inProcessService.ts';
import { perform, type Operation, type UploadedFile } from '../../support/operation.ts';
import { basic, call, form, type Answer } from '../../support/serviceRequests.ts';
import { waitUntil } from '../../support/waitUntil.ts';

describe('local service: rejected requests for apps', () => {
  let service: OpenedService;
  let file: UploadedFile;
  let path: string;

  before(async () => {
    // These builds end only when the service does, so that only requests create files.
    let begun = 0;
    const builder = createBuilder(async (...args) => {
      begun += 1;
      return untilAborted(...args);
    });
    service = await openInProcess({ builder });
    file = { name: 'www.zip', content: await samplePackage() };
    path = `/api/v1/apps/${((await send({ method: 'POST', path: '/api/v1/apps', files: { file } })).json as { id: number }).id}`;
    await waitUntil(() => begun === Math.min(4, availableParallelism()));
  });
  after(() => service.stop());

  const send = (operation: Operation): Promise<Answer> => perform(service, operation);
  const read = async (of = path): Promise<unknown> => (await send({ method: 'GET', path: of })).json;
  const keptFiles = (): Promise<string[]> => readdir(service.service.files.getPath(''));
  const text = (content: string): UploadedFile => ({ name: 'some.file', content: Buffer.from(content) });

  type Sent = Omit<Operation, 'path'> & { readonly below: string };
  const change = (fields: Operation['fields'] = {}): Sent => ({ method: 'PUT', below: '', fields });
  const addIcon = (content: Buffer): Sent => ({
    ...{ method: 'POST', below: '/icon', files: { icon: { name: 'i.png', content } } },
  });
  const invite = (fields: Operation['fields'] = {}): Sent => ({ method: 'POST', below: '/collaborators', fields });

  const refusals: Readonly<Record<string, readonly [sent: Sent, message: RegExp, status?: number]>> = {
    'a title that isn’t text': [change({ title: ['a'] }), /^The field title must be text\.$/],
    'a title of two lines': [change({ title: 'a\nb' }), /^The field title must be a single line\.$/],
    'a long title': [change({ title: 'a'.repeat(256) }), /title must have at most 255 characters/],
    'an invalid boolean': [change({ title: 'x', debug: 'maybe' }), /debug must be true or false/],
    'keys that aren’t JSON': [change({ title: 'x', keys: 'android' }), /^The field keys isn’t valid JSON\.$/],
    'keys that are a list': [change({ title: 'x', keys: ['1'] }), /^The field keys must be an object\.$/],
    'keys that are a list in JSON': [change({ keys: '[]' }), /^The field keys must be a JSON object\.$/],
    'a key that isn’t an ID': [change({ keys: { android: 'one' } }), /keys\[android\] must be an integer/],
    'a key that isn’t a whole number': [change({ keys: { android: 1.5 } }), /must be an integer/],
    'a key beyond the range of integers': [change({ keys: { android: '9007199254740993' } }), /must be an integer/],
    'a key of a platform without apps': [change({ keys: { symbian: 1 } }), /keys names "symbian": use/],
    'another user’s key': [change({ title: 'x', keys: { android: 7 } }), /^could not find android key #7$/, 404],
    'a key with its password': [
      change({ keys: { android: { id: 1, key_pw: 'x' } } }),
      /^The field keys\[android\] accepts only the ID of a key\. Unlock the key at /,
    ],
    'a key of another platform': [change({ keys: { ios: 1 } }), /^could not find ios key #1$/, 404],
    'an unknown PhoneGap version': [
      change({ phonegap_version: '1.0' }),
      /^PhoneGap version not supported\. Use one of these: cli-9\.0\.0\.$/,
    ],
    'an upload that isn’t an archive': [{ ...change({ title: 'x' }), files: { file: text('no archive') } }, /./],
    'an upload with a pull': [{ ...change({ pull: true }), files: { file: text('x') } }, /^Send either a file/],
    'a pull without a repository': [change({ pull: true }), /^app #\d+ is not repo backed$/],
    'a private repository': [change({ repo: 'git@github.com:a/b.git' }), /./],
    'an upload without an icon': [
      { method: 'POST', below: '/icon' },
      /^The field icon, with a PNG file, is missing\.$/,
    ],
    'an icon that isn’t a PNG': [addIcon(Buffer.from('GIF89a')), /isn’t a PNG file/],
    'a truncated icon': [addIcon(pngStart().subarray(0, 20)), /isn’t a PNG file/],
    'a large icon': [addIcon(Buffer.concat([pngStart(), Buffer.alloc(2 ** 22)])), /larger than 4194304 bytes/],
    'an unknown platform': [
      { method: 'POST', below: '/build', fields: { platforms: ['symbian'] } },
      /^The field platforms names "[^"]*": use android, ios, winphone, browser\.$/,
    ],
    'a list of lists': [
      { method: 'POST', below: '/build', fields: { platforms: '[[]]' } },
      /must be a list of strings/,
    ],
    'an object instead of a list': [
      { method: 'POST', below: '/build', fields: { platforms: { a: 'ios' } } },
      /must be a list of strings/,
    ],
    'a platform without builds': [
      { method: 'POST', below: '/build/symbian' },
      /^no builds for the platform symbian$/,
      404,
    ],
    'a missing email address': [invite({ role: 'dev' }), /email must be/],
    'an invalid email address': [invite({ email: 'a@b\u0000', role: 'dev' }), /email must be/],
    'an email address with an invisible character': [invite({ email: 'a\u200b@b.c', role: 'dev' }), /email must be/],
    'a missing role': [invite({ email: 'a@b.c' }), /role must be dev or tester/],
    'an unknown role': [invite({ email: 'a@b.c', role: 'admin' }), /role must/],
  };
  for (const [name, [{ below, ...operation }, message, status = 400]] of Object.entries(refusals)) {
    it(`rejects ${name}, and changes nothing`, async () => {
      const before = await read();
      const files = await keptFiles();
      const answer = await send({ ...operation, path: path + below });
      assert.equal(answer.status, status, answer.text);
      assert.match((answer.json as { error: string }).error, message);
      assert.deepEqual(await read(), before);
      assert.deepEqual(await keptFiles(), files);
    });
  }

  it('rejects an invalid package for a new app, and adds nothing', async () => {
    const before = await read('/api/v1/apps');
    const files = await keptFiles();
    for (const [fields, uploads] of [
      [{ create_method: 'file' }, {}],
      [{ create_method: 'remote_repo' }, { file }],
      [{ create_method: 'both' }, { file }],
      [{ repo: 'a/b' }, { file }],
      [{ title: 'x' }, { file: text('<html') }],
      [{ keys: { android: 7 } }, { file }],
      [{ create_method: 'remote_repo', repo: 'file:///etc' }, {}],
    ] as const) {
      const answer = await send({ method: 'POST', path: '/api/v1/apps', fields, files: uploads });
      assert.ok(answer.status === 400 || answer.status === 404, `${JSON.stringify(fields)}: ${answer.text}`);
    }
    assert.deepEqual(await read('/api/v1/apps'), before);
    assert.deepEqual(await keptFiles(), files);
  });

  it('doesn’t change a collaborator’s email address or the owner’s role', async () => {
    const answer = await send({
      method: 'POST',
      path: `${path}/collaborators`,
      fields: { email: 'a@b.c', role: 'tester' },
    });
    const { active, pending } = (answer.json as { collaborators: Record<string, { id: number }[]> }).collaborators;
    for (const [id, fields, status, message] of [
      [pending?.[0]?.id, { email: 'c@d.e', role: 'dev' }, 400, /collaborator’s email address can’t be changed/],
      [pending?.[0]?.id, {}, 400, /role must be dev or tester/],
      [active?.[0]?.id, { role: 'tester' }, 403, /owner of app \d+ can’t be changed or removed/],
    ] as const) {
      const before = await read();
      const changed = await send({ method: 'PUT', path: `${path}/collaborators/${id ?? 0}`, fields });
      assert.equal(changed.status, status);
      assert.match(changed.text, message);
      assert.deepEqual(await read(), before);
    }
  });

  it('rejects changes from another website, even if the visitor’s browser remembers the password', async () => {
    const { username, password, baseUrl } = service;
    const before = await read();
    for (const headers of [
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
    ]) {
      for (const below of ['', '/build']) {
        const { body } = form({ title: 'Hostile' });
        const answer = await call(service, path + below, {
          method: below === '' ? 'PUT' : 'POST',
          headers: { ...basic(username, password), 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
          ...(body !== undefined && { body }),
        });
        assert.equal(answer.status, 403, JSON.stringify(headers));
        assert.match(answer.text, /isn’t accepted from another website/);
      }
    }
    assert.deepEqual(await read(), before);
    for (const headers of [{ Origin: baseUrl }, { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }]) {
      const answer = await call(service, path, {
        method: 'PUT',
        headers: { ...basic(username, password), ...headers },
      });
      assert.equal(answer.status, 200);
    }
  });
});
