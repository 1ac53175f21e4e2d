import assert from 'node:assert/strict';
import { Uri } from 'vscode';
import { parseServiceUrl } from '../../../../src/service-client/index.ts';
import { FolderApps } from '../../../../src/extension/apps/folderApps.ts';
import { MapMemento } from '../../../support/mapMemento.ts';

describe('the app of a folder', () => {
  it('remembers a folder’s app for each service, regardless of the local service’s port', async () => {
    const folders = new FolderApps(new MapMemento());
    const folder = Uri.file('/somewhere/über dir');
    const at = (url: string, local: boolean) => ({ service: { url: parseServiceUrl(url), local } });
    const app = (url: string) => ({ url, title: 'A', project: 'web/app' });
    let fired = 0;
    folders.onDidChange(() => fired++);
    await folders.set(folder, at('http://127.0.0.1:1', true), app('http://127.0.0.1:1/api/v1/apps/7?x=1'));
    await folders.set(folder, at('https://a.example/base', false), app('https://a.example//evil.example/apps/8'));
    const moved = at('http://127.0.0.1:2', true);
    assert.deepEqual(folders.get(folder, moved), app('http://127.0.0.1:2/api/v1/apps/7?x=1'));
    assert.equal(folders.get(folder, at('http://127.0.0.1:2', false)), undefined);
    assert.equal(folders.get(folder, { service: { ...moved.service, demo: true } }), undefined);
    // The path looks like another host. The token must not go there.
    const other = at('https://a.example/base', false);
    assert.equal(folders.get(folder, other)?.url, 'https://a.example//evil.example/apps/8');
    assert.deepEqual(
      folders.getFolders('http://127.0.0.1:2/api/v1/apps/7?x=1', moved).map((uri) => uri.toString()),
      [folder.toString()],
    );
    await folders.set(folder, moved, undefined);
    assert.equal(folders.get(folder, moved), undefined);
    assert.equal(fired, 3);
  });
});
