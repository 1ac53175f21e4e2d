import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { FILE_SCHEME, resourceUri } from '../../src/extension/resources/documents/resourceUri.ts';
import { oddUser, startOddService, type OddService } from '../support/oddService.ts';
import { getTestExtension, configure, next } from './support/extension.ts';
import { signInAtService } from './support/signedIn.ts';

describe('a document of the explorer', () => {
  const access = getTestExtension();
  let service: OddService;

  before(async () => {
    service = await startOddService();
  });

  beforeEach(() => signInAtService(access, oddUser(service)));

  after(() => service.close());

  async function opened(path: string, at: OddService = service): Promise<vscode.TextDocument> {
    await vscode.commands.executeCommand('appBuild.openResource', { url: at.url + path });
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document, 'no document opened');
    return document;
  }

  async function getLinks(document: vscode.TextDocument): Promise<readonly vscode.DocumentLink[]> {
    return vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', document.uri);
  }

  it('opens links by a number instead of the service’s text', async () => {
    service.paths.set('/api/v1/list', { link: '/api/v1/list', next: { link: '/api/v1/"]command:x' }, note: 'no link' });
    service.paths.set('/api/v1/%22]command:x', { title: 'there' });
    const document = await opened('/api/v1/list');
    const links = await getLinks(document);
    assert.deepEqual(
      links.map(({ range }) => document.getText(range)),
      ['/api/v1/list', '/api/v1/\\"]command:x'],
    );
    const target = links[1]?.target;
    assert.ok(target);
    // VS Code also decodes the query before it reads the arguments.
    const args: unknown = JSON.parse(decodeURIComponent(target.query));
    assert.ok(Array.isArray(args) && args.length === 2 && args.every((one) => typeof one === 'number'));
    assert.ok(!service.requests.includes('/api/v1/%22]command:x'));
    await vscode.commands.executeCommand(target.path, ...args);
    // The view may send a request at the same time.
    assert.ok(service.requests.includes('/api/v1/%22]command:x'), service.requests.join());
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /there/);
  });

  it('shows addresses as the service wrote them, and opens links to the service with a command', async () => {
    service.paths.set('/api/v1/words', { html_url: 'https://other.example/a', note: 'see https://other.example/b' });
    const document = await opened('/api/v1/words');
    assert.equal(
      document.getText(),
      '{\n  "html_url": "https://other.example/a",\n  "note": "see https://other.example/b"\n}',
    );
    assert.deepEqual(
      (await getLinks(document)).map(({ range, target }) => [document.getText(range), target?.scheme]),
      [
        ['https://other.example/a', 'command'],
        ['https://other.example/b', 'https'],
      ],
    );
    const words = ['https://other.example/a', 'file:///etc/hostname', '//other.example/a', 'www.a.b'];
    for (const [type, before, behind] of [
      ['plain', '', ''],
      ['html', '<a href="', '">x</a>'],
      ['markdown', '[x](', ')'],
      ['css', '@import "', '";'],
      ['csv', '', ','],
      ['xml', '<a href="', '"/>'],
      ['x-yaml', '- ', ''],
    ] as const) {
      const body = words.map((word) => `${before}${word}${behind}`).join('\n');
      service.paths.set(`/api/v1/${type}`, { body, headers: { 'content-type': `text/${type}` } });
      const shown = await opened(`/api/v1/${type}`);
      assert.equal(shown.getText(), body, type);
      // Extensions for these languages turn any text into links, including commands.
      assert.ok(!['html', 'markdown', 'css'].includes(shown.languageId), type);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('changes in place on Refresh, and stays valid JSON', async () => {
    service.paths.set('/api/v1/now', { value: 1 });
    const document = await opened('/api/v1/now');
    service.paths.set('/api/v1/now', { value: 2 });
    const changed = next(vscode.workspace.onDidChangeTextDocument, (event) => event.document === document);
    await vscode.commands.executeCommand('appBuild.refreshResource', document.uri);
    await changed;
    assert.deepEqual(JSON.parse(document.getText()), { value: 2 });
    assert.equal(document.languageId, 'json');
  });

  it('shows images as read-only files, byte for byte', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 254]);
    service.paths.set('/api/v1/picture', { body: bytes, headers: { 'content-type': 'image/png' } });
    const uri = resourceUri(`${service.url}/api/v1/picture`, 'png', FILE_SCHEME);
    assert.deepEqual(Buffer.from(await vscode.workspace.fs.readFile(uri)), bytes);
    assert.equal((await vscode.workspace.fs.stat(uri)).size, 7);
    await assert.rejects(async () => vscode.workspace.fs.writeFile(uri, bytes));
  });

  it('doesn’t let documents from another service block Refresh', async () => {
    const other = await startOddService({ '/api/v1/theirs': { a: 1 } });
    await signInAtService(access, oddUser(other));
    await opened('/api/v1/theirs', other);
    await configure({ serviceUrl: service.url });
    other.requests.length = 0;
    service.paths.set('/api/v1/ours', { value: 1 });
    const ours = await opened('/api/v1/ours');
    service.paths.set('/api/v1/ours', { value: 2 });
    const changed = next(vscode.workspace.onDidChangeTextDocument, (event) => event.document === ours);
    await vscode.commands.executeCommand('appBuild.refresh');
    await changed;
    assert.deepEqual(other.requests, []);
    await other.close();
  });

  it('never sends requests to another host', async () => {
    const other = await startOddService({ '/x': { a: 1 } });
    await assert.rejects(async () => vscode.workspace.openTextDocument(resourceUri(`${other.url}/x`, 'json')));
    assert.deepEqual(other.requests, []);
    await other.close();
  });
});
