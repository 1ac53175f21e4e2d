import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { defaultFolder } from '../../src/extension/resources/downloads/saveDownload.ts';
import type { Input } from '../../src/extension/workbench/input.ts';
import { cleanUp, json, serve, type TestServer } from '../support/servers.ts';
import { getTestExtension, logged } from './support/extension.ts';
import { MemoryFiles } from './support/memoryFiles.ts';
import { signInAt } from './support/signedIn.ts';

const MEBIBYTE = 1024 * 1024;

describe('downloads', () => {
  const access = getTestExtension();
  let input: Input;
  let server: TestServer;
  let folder: string;
  let target: vscode.Uri | undefined;
  let suggested: string[];
  let questions: string[];
  let agreed: boolean;
  let answer: (response: ServerResponse) => void;
  let files: MemoryFiles;
  let registration: vscode.Disposable;

  before(async () => {
    server = await serve((request, response) => {
      if (request.url?.startsWith('/api/v1?')) {
        json(response, { username: 'ann' });
      } else {
        answer(response);
      }
    });
    input = await access.loadInput();
    files = new MemoryFiles();
    registration = vscode.workspace.registerFileSystemProvider('app-build-virtual', files);
    input.saveFile = (suggestion) => {
      suggested.push(path.basename(suggestion.fsPath));
      return Promise.resolve(target);
    };
    input.confirm = (question) => {
      questions.push(question);
      return Promise.resolve(agreed);
    };
  });

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'app-build-downloads-'));
    target = vscode.Uri.file(path.join(folder, 'app.apk'));
    [suggested, questions, agreed] = [[], [], true];
    files.files.clear();
    await signInAt(access, server.url);
  });

  afterEach(() => rm(folder, { recursive: true }));

  after(async () => {
    await cleanUp();
    Reflect.deleteProperty(input, 'confirm');
    Reflect.deleteProperty(input, 'saveFile');
    registration.dispose();
  });

  const download = () =>
    vscode.commands.executeCommand<vscode.Uri | undefined>('appBuild.download', { url: '/api/v1/apps/7/android' });

  it('saves in the user’s Downloads folder by default, or in the home folder', async () => {
    const name = process.platform === 'win32' ? 'USERPROFILE' : 'HOME';
    const before = process.env[name];
    process.env[name] = folder;
    try {
      assert.equal((await defaultFolder()).fsPath, folder);
      await mkdir(path.join(folder, 'Downloads'));
      assert.equal((await defaultFolder()).fsPath, path.join(folder, 'Downloads'));
    } finally {
      process.env[name] = before;
    }
  });

  it('saves under the name that the user chooses, and suggests a safe one', async () => {
    answer = (response) =>
      response.writeHead(200, { 'content-disposition': `attachment; filename="../../.ssh/con"` }).end('binary');
    assert.equal((await download())?.toString(), target?.toString());
    assert.deepEqual(suggested, ['_con']);
    assert.equal(await readFile(path.join(folder, 'app.apk'), 'utf8'), 'binary');
    assert.deepEqual(await readdir(folder), ['app.apk']);
    assert.deepEqual(questions, []);
  });

  it('ends the connection if the user chooses no file', async () => {
    let closed: Promise<unknown> | undefined;
    answer = (response) => {
      closed = once(response, 'close');
      response.writeHead(200, { 'content-length': 1000 }).write('half');
    };
    target = undefined;
    assert.equal(await download(), undefined);
    await closed;
  });

  it('downloads a bundle by the app’s link, or explains how to get one', async () => {
    const app = { title: 'Shop', version: '1.2', link: '/api/v1/apps/7', status: { android: 'complete' } };
    const bundle = { android: '/api/v1/files/shop' };
    answer = (response) =>
      response.req.url?.startsWith('/api/v1/files/') ? response.end('bundle') : json(response, { ...app, bundle });
    target = vscode.Uri.file(path.join(folder, 'shop.aab'));
    const run = () =>
      vscode.commands.executeCommand<vscode.Uri | undefined>('appBuild.downloadBundle', { url: app.link });
    assert.equal((await run())?.toString(), target.toString());
    assert.deepEqual(suggested, ['Shop-1.2.aab']);
    assert.equal(await readFile(target.fsPath, 'utf8'), 'bundle');
    answer = (response) => json(response, app);
    assert.equal(await run(), undefined);
    assert.match(await logged(access), /“Shop” doesn’t have a bundle for Google Play\. Unlock your own signing key/);
  });

  describe('saving to a virtual file system', () => {
    beforeEach(() => {
      target = vscode.Uri.parse('app-build-virtual:/app.apk');
    });

    it('writes the complete file', async () => {
      const bytes = Buffer.alloc(3 * MEBIBYTE, 'virtual');
      answer = (response) => response.end(bytes);
      await download();
      assert.deepEqual([...files.files.keys()], ['/app.apk']);
      assert.ok(bytes.equals(files.files.get('/app.apk') ?? new Uint8Array()));
    });

    it('rejects a file that is too large for memory', async () => {
      answer = (response) => {
        response.writeHead(200, { 'content-length': 65 * MEBIBYTE });
        for (let piece = 0; piece < 65; piece += 1) {
          response.write(Buffer.alloc(MEBIBYTE));
        }
        response.end();
      };
      assert.equal(await download(), undefined);
      assert.deepEqual([...files.files.keys()], []);
      assert.match(await logged(access), /app\.apk is too large for this type of folder/);
    });
  });
});
