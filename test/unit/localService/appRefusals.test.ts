import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { pngStart, samplePackage } from '../../support/appPackages.ts';
import { builderOf, untilAborted } from '../../support/builds.ts';
import { openInProcess, type OpenedService } from '../../support/inProcessService.ts';
import { perform, type Operation, type UploadedFile } from '../../support/operation.ts';
import { basic, call, form, type Answer } from '../../support/serviceRequests.ts';
import { waitUntil } from '../../support/waitUntil.ts';

describe('local service: requests for apps that are refused', () => {
  let folder: string;
  let service: OpenedService;
  let file: UploadedFile;
  let path: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'app-build-refusals-'));
    // Builds that end with the service, so that files come from requests alone.
    let begun = 0;
    const builder = builderOf(async (...args) => {
      begun += 1;
      return untilAborted(...args);
    });
    service = await openInProcess({ dataFolder: folder, builder });
    file = { name: 'www.zip', content: await samplePackage() };
    path = `/api/v1/apps/${((await send({ method: 'POST', path: '/api/v1/apps', files: { file } })).json as { id: number }).id}`;
    await waitUntil(() => begun === Math.min(4, availableParallelism()));
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const send = (operation: Operation): Promise<Answer> => perform(service, operation);
  const read = async (of = path): Promise<unknown> => (await send({ method: 'GET', path: of })).json;
  const text = (content: string): UploadedFile => ({ name: 'some.file', content: Buffer.from(content) });

  const NO_PLATFORM = /^The field platforms names "[^"]*": use android, ios, winphone, browser\.$/;
  const refusals: readonly (readonly [
    string,
    Omit<Operation, 'path'> & { readonly below?: string },
    number,
    RegExp,
  ])[] = [
    ['a title that is no text', { method: 'PUT', fields: { title: ['a'] } }, 400, /^The field title must be text\.$/],
    [
      'a title of two lines',
      { method: 'PUT', fields: { title: 'a\nb' } },
      400,
      /^The field title must be a single line\.$/,
    ],
    [
      'a long title',
      { method: 'PUT', fields: { title: 'a'.repeat(201) } },
      400,
      /title must have at most 200 characters/,
    ],
    ['a wrong boolean', { method: 'PUT', fields: { title: 'x', debug: 'maybe' } }, 400, /debug must be true or false/],
    ['wrong keys', { method: 'PUT', fields: { title: 'x', keys: 'android' } }, 400, /^The field keys /],
    [
      'a key that is no ID',
      { method: 'PUT', fields: { keys: { android: 'one' } } },
      400,
      /keys\[android\] must be an integer/,
    ],
    [
      'a key of a platform without apps',
      { method: 'PUT', fields: { keys: { symbian: 1 } } },
      400,
      /keys names "symbian": use/,
    ],
    [
      'a key of somebody else',
      { method: 'PUT', fields: { title: 'x', keys: { android: 7 } } },
      404,
      /^could not find android key #7$/,
    ],
    [
      'a key with its password',
      { method: 'PUT', fields: { keys: { android: { id: 1, key_pw: 'x' } } } },
      400,
      /^The field keys\[android\] takes the ID of a key alone\. Unlock the key at /,
    ],
    ['a key of another platform', { method: 'PUT', fields: { keys: { ios: 1 } } }, 404, /^could not find ios key #1$/],
    [
      'an unknown version',
      { method: 'PUT', fields: { phonegap_version: '1.0' } },
      400,
      /^PhoneGap version not supported\. Use one of these: cli-9\.0\.0\.$/,
    ],
    ['no archive', { method: 'PUT', fields: { title: 'x' }, files: { file: text('no archive') } }, 400, /./],
    [
      'an upload and a pull',
      { method: 'PUT', fields: { pull: true }, files: { file: text('x') } },
      400,
      /^Send either a file/,
    ],
    ['a pull without repository', { method: 'PUT', fields: { pull: true } }, 400, /^app #\d+ is not repo backed$/],
    ['a private repository', { method: 'PUT', fields: { repo: 'git@github.com:a/b.git' } }, 400, /./],
    ['no icon', { method: 'POST', below: '/icon' }, 400, /^The field icon, with a PNG file, is missing\.$/],
    ['an icon that is no PNG', { method: 'POST', below: '/icon', files: { icon: text('GIF89a') } }, 400, /no PNG file/],
    [
      'an icon that is cut off',
      { method: 'POST', below: '/icon', files: { icon: { name: 'i.png', content: pngStart().subarray(0, 20) } } },
      400,
      /no PNG file/,
    ],
    [
      'a large picture',
      { method: 'POST', below: '/icon', files: { icon: { name: 'i.png', content: pngStart(5000, 1) } } },
      400,
      /1 to 4096 pixels/,
    ],
    [
      'a large icon',
      {
        method: 'POST',
        below: '/icon',
        files: { icon: { name: 'i.png', content: Buffer.concat([pngStart(), Buffer.alloc(2 ** 22)]) } },
      },
      400,
      /larger than 4194304 bytes/,
    ],
    ['an unknown platform', { method: 'POST', below: '/build', fields: { platforms: ['symbian'] } }, 400, NO_PLATFORM],
    [
      'a platform without builds',
      { method: 'POST', below: '/build/symbian' },
      404,
      /^no builds for the platform symbian$/,
    ],
    ['no e-mail address', { method: 'POST', below: '/collaborators', fields: { role: 'dev' } }, 400, /email must be/],
    [
      'a wrong e-mail address',
      { method: 'POST', below: '/collaborators', fields: { email: 'a@b\u0000', role: 'dev' } },
      400,
      /email must be/,
    ],
    [
      'an invisible address',
      { method: 'POST', below: '/collaborators', fields: { email: 'a\u200b@b.c', role: 'dev' } },
      400,
      /email must be/,
    ],
    [
      'no role',
      { method: 'POST', below: '/collaborators', fields: { email: 'a@b.c' } },
      400,
      /role must be dev or tester/,
    ],
    [
      'a role that nobody gives',
      { method: 'POST', below: '/collaborators', fields: { email: 'a@b.c', role: 'admin' } },
      400,
      /role must/,
    ],
  ];
  for (const [name, { below = '', ...operation }, status, message] of refusals) {
    it(`refuses ${name}, and changes nothing`, async () => {
      const before = await read();
      const files = await readdir(join(folder, 'files'));
      const answer = await send({ ...operation, path: path + below });
      assert.equal(answer.status, status, answer.text);
      assert.match((answer.json as { error: string }).error, message);
      assert.deepEqual(await read(), before);
      assert.deepEqual(await readdir(join(folder, 'files')), files);
    });
  }

  it('refuses to create from what is no package, and adds nothing', async () => {
    const before = await read('/api/v1/apps');
    const files = await readdir(join(folder, 'files'));
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
    assert.deepEqual(await readdir(join(folder, 'files')), files);
  });

  it('lets nobody give a collaborator another address, or the owner another role', async () => {
    const answer = await send({
      method: 'POST',
      path: `${path}/collaborators`,
      fields: { email: 'a@b.c', role: 'tester' },
    });
    const { active, pending } = (answer.json as { collaborators: Record<string, { id: number }[]> }).collaborators;
    for (const [id, fields, status, message] of [
      [pending?.[0]?.id, { email: 'c@d.e', role: 'dev' }, 400, /e-mail address of a collaborator cannot be changed/],
      [pending?.[0]?.id, {}, 400, /role must be dev or tester/],
      [active?.[0]?.id, { role: 'tester' }, 403, /owner of app \d+ cannot be changed or removed/],
    ] as const) {
      const before = await read();
      const changed = await send({ method: 'PUT', path: `${path}/collaborators/${id ?? 0}`, fields });
      assert.equal(changed.status, status);
      assert.match(changed.text, message);
      assert.deepEqual(await read(), before);
    }
  });

  it('takes no change from another website, whose visitor has a browser that remembers the password', async () => {
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
        assert.match(answer.text, /not taken from another website/);
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
