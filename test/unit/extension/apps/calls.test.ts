import assert from 'node:assert/strict';

import { Failure } from '../../../../src/errors/index.ts';
import { InvalidResponseError, NetworkError, ServiceError } from '../../../../src/service-client/index.ts';
import { isGone, NotAnAppError, OperationNotOfferedError } from '../../../../src/extension/apps/appErrors.ts';
import type { AppCalls } from '../../../../src/extension/apps/calls/appCalls.ts';
import { readCollaborators } from '../../../../src/extension/apps/model/collaborator.ts';
import { findOperation } from '../../../../src/extension/apps/model/operation.ts';
import { FileError } from '../../../../src/extension/resources/downloads/fileError.ts';
import { addApp } from '../../../../src/build-service/store/apps.ts';
import type { UploadFile } from '../../../../src/extension/resources/requests/multipart.ts';
import { startInProcess, type InProcessService } from '../../../support/inProcessService.ts';
import { oddAnswers, OriginalService } from '../../../support/originalService.ts';
import { cleanUp, captureFailure, serve } from '../../../support/servers.ts';
import { appCallsAt, memoryFile } from '../../../support/testData.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const page = (text = '<h1>Notes</h1>') => memoryFile('index.html', text);

describe('calls about apps', () => {
  let original: OriginalService;
  let local: InProcessService;
  let atOriginal: AppCalls;
  let atLocal: AppCalls;

  before(async () => {
    local = await startInProcess();
  });

  after(() => local.stop());

  beforeEach(async () => {
    original = await OriginalService.start();
    atOriginal = appCallsAt(original.url, original.token);
    atLocal = appCallsAt(local.baseUrl, local.authToken);
  });

  afterEach(async () => {
    await cleanUp();
    await original.close();
  });

  /** Creates, changes, builds, and deletes an app, with identical calls at every service. */
  async function wholeLife(calls: AppCalls, finish: (url: string) => void): Promise<void> {
    const sent: [number, number][] = [];
    const created = await calls.createFromFile(page(), { title: 'Notes' }, { onProgress: (...at) => sent.push(at) });
    assert.equal(created.title, 'Notes');
    const [last] = sent.slice(-1);
    assert.ok(
      last !== undefined && last[0] === last[1] && last[0] > page().size,
      'progress in bytes, up to all of them',
    );
    assert.ok((await calls.list()).some(({ url }) => url === created.url));
    assert.equal((await calls.update(created, { title: 'Notebook', keys: {} })).title, 'Notebook');
    await calls.upload(created, page('<h1>Again</h1>'));
    const building = await calls.build(created, ['android', 'ios']);
    // The local service answers with the end of a short build.
    assert.match(
      building.builds.find(({ platform }) => platform === 'android')?.state ?? '',
      /^(?:building|complete)$/,
    );
    finish(created.url);
    await waitUntil(async () => (await calls.status(building)).completed);
    const built = (await calls.get(created.url)).builds.find(({ platform }) => platform === 'android');
    assert.equal(built?.state, 'complete');
    assert.ok(built.downloadUrl?.endsWith('/android'));
    assert.match((await calls.log(built.logUrl ?? '')).text, /^Building /);
    assert.equal((await calls.builds(created)).find(({ platform }) => platform === 'android')?.state, 'complete');
    await calls.setIcon(created, { ...page(), name: 'icon.png' }).catch((error: unknown) => {
      // The local service rejects this file, because it isn't a PNG.
      assert.ok(error instanceof ServiceError && error.status === 400);
    });
    await calls.addCollaborator(created, 'friend@example.com', 'tester');
    assert.ok(readCollaborators((await calls.get(created.url)).resource).some(({ pending }) => pending));
    await calls.delete(created);
    assert.equal((await captureFailure(ServiceError, calls.get(created.url))).status, 404);
  }

  it('manages an app from creation to deletion at the local service, by its forms', async () => {
    await wholeLife(atLocal, () => undefined);
  });

  it('manages an app from creation to deletion at the original service, by its documented paths', async () => {
    await wholeLife(atOriginal, () => original.finishAll());
    assert.deepEqual(
      original.requests.filter((line) => !line.startsWith('GET')),
      [
        'POST /api/v1/apps',
        'PUT /api/v1/apps/2001',
        'PUT /api/v1/apps/2001',
        'POST /api/v1/apps/2001/build',
        'POST /api/v1/apps/2001/icon',
        'POST /api/v1/apps/2001/collaborators',
        'DELETE /api/v1/apps/2001',
      ],
    );
    const uploads = original.uploads.map(({ field, fileName }) => `${field} ${fileName}`);
    assert.deepEqual(uploads, ['file index.html', 'file index.html', 'icon icon.png']);
  });

  it('rejects an action that the service doesn’t offer, before sending anything', async () => {
    const id = original.addApp();
    const app = await atOriginal.get(original.appUrl(id));
    const isNotOffered = (call: Promise<unknown>) => captureFailure(OperationNotOfferedError, call);
    await isNotOffered(atOriginal.cancel(app, 'android'));
    await isNotOffered(atOriginal.pull(app));
    original.role = 'tester';
    const tested = await atOriginal.get(app.url);
    await isNotOffered(atOriginal.build(tested));
    await isNotOffered(atOriginal.upload(tested, page()));
    original.role = 'developer';
    const developed = await atOriginal.get(app.url);
    await isNotOffered(atOriginal.delete(developed));
    assert.ok(findOperation(developed.resource, 'upload') !== undefined);
    assert.ok(original.requests.every((line) => line.startsWith('GET')));
    // The user is a tester of this app at the local service, so it has no forms.
    const foreign = (await atLocal.list()).find(({ role }) => role === 'tester');
    assert.ok(foreign !== undefined);
    await captureFailure(OperationNotOfferedError, atLocal.build(foreign));
    await captureFailure(OperationNotOfferedError, atLocal.build((await atLocal.list())[0] ?? foreign, ['symbian']));
  });

  it('stops reading an endless list, and reports that it contains too many apps', async () => {
    let pages = 0;
    const getList = async (page: (number: number) => object) => {
      pages = 0;
      const server = await serve(({ url = '' }, response) => {
        const isList = url.startsWith('/api/v1/apps');
        pages += isList ? 1 : 0;
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(isList ? page(pages) : {}));
      });
      return appCallsAt(server.url, 'a-token-0123456789').list();
    };
    const following = (count: number) => (page: number) => ({
      next: `/api/v1/apps?page=${page + 1}`,
      apps: Array.from({ length: count }, () => ({ title: 'a', link: '/api/v1/apps/1' })),
    });
    const { message, next } = await captureFailure(Failure, getList(following(4000)));
    assert.equal(pages, 3);
    assert.match(message, /too many apps/);
    assert.notEqual(next, undefined);
    assert.deepEqual(await getList(following(0)), []);
  });

  it('lists all apps across the pages of the local service', async () => {
    const { store } = local.service;
    const before = await atLocal.list();
    store.transaction(() => {
      for (let index = 0; index < 1_100; index += 1) {
        addApp(store, 1, { title: `App ${index}` });
      }
    });
    assert.equal(new Set((await atLocal.list()).map(({ url }) => url)).size, before.length + 1_100);
  });

  it('follows the links of the home resource, and uses the documented paths if it has no links', async () => {
    const root = `${original.url}/api/v1`;
    const expected = { appsUrl: `${root}/apps`, keysUrl: `${root}/keys`, supportUrl: `${root}/current_support` };
    assert.deepEqual(await atOriginal.home(), expected);
    original.answer('GET', /^\/api\/v1$/, { status: 200, body: '{"username":"demo","email":"demo@example.com"}' });
    assert.deepEqual(await atOriginal.home(), expected);
    assert.deepEqual(
      (await atOriginal.support())?.platforms.map(({ platform }) => platform),
      ['android', 'ios'],
    );
    original.answer('GET', /current_support$/, { status: 404, body: '<!DOCTYPE html>' });
    assert.equal(await atOriginal.support(), undefined);
    assert.equal((await atLocal.support())?.builder, 'demo');
  });

  it('finds the app that a response identifies by a Location header or an ID, and fails if it identifies no app', async () => {
    const id = original.addApp({ title: 'Notes' });
    const app = await atOriginal.get(original.appUrl(id));
    original.answer('POST', /build$/, { status: 202, body: '{"success":"queued"}' });
    assert.equal((await atOriginal.build(app)).title, 'Notes');
    original.answer('POST', /apps$/, { status: 201, headers: { location: `/api/v1/apps/${id}` }, body: '{}' }, 1);
    assert.equal((await atOriginal.createFromFile(page(), {})).url, app.url);
    original.answer('POST', /apps$/, { status: 201, body: `{"id":${id}}` }, 1);
    assert.equal((await atOriginal.createFromRepository('o/r', 'main', {})).url, app.url);
    original.answer('POST', /apps$/, { status: 200, body: '{}' }, 1);
    await captureFailure(InvalidResponseError, atOriginal.createFromFile(page(), {}));
    assert.ok(isGone(await captureFailure(NotAnAppError, atOriginal.get(`${original.url}/api/v1/keys`))));
  });

  it('treats an error in a successful response, and any rejected upload, as a failure', async () => {
    const app = await atOriginal.get(original.appUrl(original.addApp()));
    original.answer('PUT', /apps/, oddAnswers.refusedWithSuccess, 1);
    const refused = await captureFailure(ServiceError, atOriginal.upload(app, page()));
    assert.equal(refused.message, 'The service rejected the request: Private app limit reached');
    for (const odd of [oddAnswers.tooLarge, oddAnswers.diskFull, oddAnswers.wrongType, oddAnswers.unavailable]) {
      original.answer('PUT', /apps/, odd, 1);
      assert.equal((await captureFailure(ServiceError, atOriginal.upload(app, page()))).status, odd.status);
    }
    original.answer('PUT', /apps/, oddAnswers.tooManyRequests, 1);
    assert.equal((await captureFailure(ServiceError, atOriginal.upload(app, page()))).kind, 'rateLimited');
    original.answer('PUT', /apps/, { cutAfterBytes: 10 }, 1);
    await captureFailure(NetworkError, atOriginal.upload(app, page('x'.repeat(100_000))));
    original.answer('PUT', /apps/, { dripMs: 1 }, 1);
    assert.equal((await atOriginal.upload(app, page())).url, app.url, 'a slow response counts');
    const html = await captureFailure(ServiceError, atOriginal.get(`${original.url}/api/v1/apps/1/none/none`));
    assert.equal(html.status, 404);
  });

  it('reports an unreadable file instead of a failed connection', async () => {
    const app = await atOriginal.get(original.appUrl(original.addApp()));
    const gone: UploadFile = {
      name: 'www.zip',
      size: 10,
      bytes: () => {
        throw Object.assign(new Error('gone'), { code: 'ENOENT' });
      },
    };
    const error = await captureFailure(FileError, atOriginal.upload(app, gone));
    assert.match(error.message, /www\.zip can’t be found/);
  });

  it('reads a log from an offset if the service supports it, or the whole log otherwise', async () => {
    const id = original.addApp();
    original.setLog(id, 'android', 'one\n');
    const url = `${original.appUrl(id)}/logs/android/build`;
    assert.deepEqual(await atOriginal.log(url, 4), { text: 'one\n', nextOffset: undefined, completed: undefined });
    const logUrl = (await atLocal.list())[0]?.builds[0]?.logUrl ?? '';
    const { text, nextOffset, completed } = await atLocal.log(logUrl);
    assert.deepEqual([text.length, completed], [nextOffset, true]);
    assert.equal((await atLocal.log(logUrl, 9)).text, text.slice(9));
    // A log may be larger than any other response.
    original.setLog(id, 'android', 'a line\n'.repeat(300_000));
    assert.equal((await atOriginal.log(url)).text.length, 2_100_000);
  });
});
