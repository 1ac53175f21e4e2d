import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { devServerAddress, findDevServer, hasDevServer } from '../../../src/web-project/devServer.ts';
import { DiskTree, ProjectFolder } from '../../../src/web-project/projectFolder.ts';
import { useFolderForEachTest } from '../../support/hooks.ts';
import { addFiles, type Files } from '../../support/packing.ts';

describe('the search for a project’s development server', () => {
  let folder = '';
  let server: Server;
  let port = 0;
  let respond: (response: ServerResponse) => void;
  useFolderForEachTest((made) => {
    folder = made;
  });
  beforeEach(async () => {
    respond = (response) => response.setHeader('content-type', 'text/html').end('<title>Shop</title>');
    server = createServer((_request, response) => respond(response)).listen(0, 'localhost');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const project = async (files: Files): Promise<ProjectFolder> => {
    await addFiles(folder, files);
    return new ProjectFolder(new DiskTree(folder), '');
  };
  const find = async (files: Files, named?: string) =>
    findDevServer(await project(files), 'vite', named, { vite: port });

  it('finds the server at the tool’s default port, if its page belongs to the project', async () => {
    const address = `http://localhost:${port}/`;
    assert.equal(await find({ 'index.html': '<title>Shop</title><script src="/src/main.ts"></script>' }), address);
    assert.equal(await find({ 'index.html': '<title>Another</title>' }), undefined);
    // A tool replaces this title.
    assert.equal(await find({ 'index.html': '<title>%TITLE%</title>' }), address);
    assert.equal(await findDevServer(await project({}), 'page', undefined, { vite: port }), undefined);
  });

  it('finds the server of the tool that builds the pages in a Capacitor project', async () => {
    const files = await project({
      'package.json': '{ "devDependencies": { "vite": "7" }, "scripts": { "dev": "vite" } }',
    });
    assert.equal(await findDevServer(files, 'capacitor', undefined, { vite: port }), `http://localhost:${port}/`);
    assert.equal(await hasDevServer(files), true);
    assert.equal(await hasDevServer(await project({ 'package.json': '{ "scripts": { "build": "x" } }' })), false);
  });

  it('follows a redirect to the page, but not to another server', async () => {
    const page = '<title>Shop</title>';
    const redirectTo = (location: string) => (response: ServerResponse) => {
      const isStart = response.req.url === '/';
      response.writeHead(isStart ? 302 : 200, { 'content-type': 'text/html', location }).end(isStart ? '' : page);
    };
    respond = redirectTo('/app/');
    assert.equal(await find({ 'index.html': page }), `http://localhost:${port}/`);
    assert.equal(await find({ 'index.html': '<title>Another</title>' }), undefined);
    for (const location of ['/', `http://127.0.0.1:${port}/app/`]) {
      respond = redirectTo(location);
      assert.equal(await find({ 'index.html': page }), undefined, location);
    }
  });

  it('ignores a server that responds with an error, without a page, or not at all', async () => {
    for (const answer of [
      (response: ServerResponse) => response.writeHead(500, { 'content-type': 'text/html' }).end(),
      (response: ServerResponse) => response.setHeader('content-type', 'application/json').end('{}'),
      (response: ServerResponse) => response.destroy(),
    ]) {
      respond = answer;
      assert.equal(await find({}), undefined);
    }
  });

  it('doesn’t require a matching title at an address that the user enters', async () => {
    const named = `http://localhost:${port}/app/`;
    assert.equal(await find({ 'index.html': '<title>Another</title>' }, named), named);
    respond = (response) => response.destroy();
    assert.equal(await find({}, named), undefined);
  });

  it('accepts only servers on this computer, whatever the user enters', () => {
    const names: readonly (readonly [string, string | undefined])[] = [
      ['http://localhost:5173/', 'http://localhost:5173/'],
      ['localhost:5173', 'http://localhost:5173/'],
      ['http://127.0.0.1:8080/app/?x#y', 'http://127.0.0.1:8080/app/'],
      ['http://example.com/', undefined],
      ['http://localhost.example.com:5173/', undefined],
      ['http://localhost@example.com/', undefined],
      ['http://192.168.1.2:5173/', undefined],
      ['https://localhost:5173/', undefined],
      ['javascript://localhost/%0aalert(1)', undefined],
      ['file:///etc/passwd', undefined],
      ['', undefined],
    ];
    for (const [text, address] of names) {
      assert.equal(devServerAddress(text), address, text);
    }
  });
});
