import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as vscode from 'vscode';
import { parseServiceUrl } from '../../api/serviceUrl.ts';
import { newSession } from '../../auth/session.ts';
import { repositoryRoot } from '../repository.ts';
import { activated, configure, extensionId, next, signOutEverywhere } from './support/extension.ts';
import { startFront } from './support/front.ts';

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly contributes: {
    readonly authentication: readonly { readonly id: string }[];
    readonly commands: readonly { readonly command: string }[];
  };
}

describe('activation', () => {
  let text = '';
  let manifest: Manifest;

  before(async () => {
    text = await readFile(path.join(repositoryRoot, 'package.json'), 'utf8');
    manifest = JSON.parse(text) as Manifest;
  });

  it('loads one file of its own, and leaves everybody’s fetch alone', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension, 'VS Code does not know the extension');
    assert.equal(extension.isActive, false, 'something else has activated it already');
    const dispatchers = () => ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) => Reflect.get(globalThis, Symbol.for(name)) as unknown);
    const before = dispatchers();
    await extension.activate();
    assert.equal(extension.isActive, true);
    const dist = path.join(extension.extensionPath, 'dist');
    const loaded = Object.keys(createRequire(path.join(repositoryRoot, 'package.json')).cache).filter((file) => file.startsWith(dist));
    assert.deepEqual(
      loaded.map((file) => path.relative(dist, file)),
      ['extension.js'],
    );
    const { sources } = JSON.parse(await readFile(path.join(dist, 'extension.js.map'), 'utf8')) as { sources: readonly string[] };
    assert.deepEqual(
      sources.filter((source) => /node_modules\/undici\/|src\/localService\//.test(source)),
      [],
    );
    dispatchers().forEach((dispatcher, index) => assert.ok(dispatcher === before[index], 'a global dispatcher has changed'));
  });

  it('asks the service nothing until somebody looks', async () => {
    const access = await activated();
    const front = await startFront();
    front.instead = () => ({ status: 200, body: '{"username":"ann"}' });
    try {
      await configure({ serviceUrl: front.url });
      const session = newSession(parseServiceUrl(front.url), 'ann', { type: 'accessToken', accessToken: 'never-sent-token' }, []);
      const told = next(vscode.authentication.onDidChangeSessions);
      await access.sessions.store(session);
      await told;
      await vscode.authentication.getSession(manifest.contributes.authentication[0]?.id ?? '', [], { silent: true });
      assert.deepEqual(front.asked, []);
      // The same call is seen when there is one.
      await access.tree.getChildren();
      assert.deepEqual(front.asked, ['GET /api/v1']);
    } finally {
      await signOutEverywhere(access);
      await front.close();
    }
  });

  it('registers every command that package.json declares, and no other', async () => {
    await activated();
    const declared = manifest.contributes.commands.map(({ command }) => command);
    // VS Code makes commands of its own for each view.
    const registered = (await vscode.commands.getCommands(true)).filter(
      (command) => command.startsWith('appBuild.') && !command.startsWith('appBuild.resources.'),
    );
    assert.deepEqual(registered.sort(), declared.sort());
  });

  it('has every text that package.json refers to, and no other', async () => {
    const texts = JSON.parse(await readFile(path.join(repositoryRoot, 'package.nls.json'), 'utf8')) as Record<string, string>;
    const keys = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map(([, key = '']) => key));
    assert.deepEqual(Object.keys(texts).sort(), [...keys].sort());
    assert.ok(Object.values(texts).every((value) => value.trim() !== ''));
  });

  it('has the identifier that links to it use', () => {
    assert.equal(`${manifest.publisher}.${manifest.name}`, extensionId);
  });
});
