import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { parseServiceUrl } from '../../src/service-client/index.ts';
import { newSession } from '../../src/extension/auth/session.ts';
import { activationFiles } from '../support/bundledFiles.ts';
import { repositoryRoot } from '../support/repository.ts';
import { newConnections } from './support/connections.ts';
import { activated, configure, extensionId, next, signOutEverywhere } from './support/extension.ts';
import { startInterceptingProxy } from './support/interceptingProxy.ts';

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

  it('loads at most three of the extension’s files, leaves the global fetch unchanged, and loads the rest with the first command', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension, 'VS Code does not know the extension');
    const dispatchers = () =>
      ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map(
        (name) => Reflect.get(globalThis, Symbol.for(name)) as unknown,
      );
    const before = dispatchers();
    // VS Code may have activated the extension already, at the end of its startup. No other test has run in this window yet.
    await extension.activate();
    assert.equal(extension.isActive, true);
    const files = loaded(extension);
    assert.deepEqual(files.toSorted(), await activationFiles());
    assert.ok(files.length <= 3, files.join(', '));
    for (const file of files) {
      const map = await readFile(path.join(extension.extensionPath, 'dist', `${file}.map`), 'utf8');
      const { sources } = JSON.parse(map) as { sources: readonly string[] };
      assert.ok(sources.length > 0, file);
      assert.deepEqual(
        sources.filter((source) => /node_modules\/undici\/|src\/localService\//.test(source)),
        [],
      );
    }
    // The first command loads the commands' code once, even if several commands start together. The first API call loads the client.
    const url = 'https://build.example/api/v1/apps';
    const commands = ['appBuild.copySignInLink', 'appBuild.copyLink', 'appBuild.retry'];
    await Promise.all(commands.map((command) => vscode.commands.executeCommand(command, { url })));
    assert.equal(await vscode.env.clipboard.readText(), url);
    const later = loaded(extension);
    assert.ok(later.includes('later.cjs'));
    assert.ok(!later.includes('undici.cjs'));
    dispatchers().forEach((dispatcher, index) =>
      assert.ok(dispatcher === before[index], 'a global dispatcher has changed'),
    );
  });

  it('stops a client that is still loading when the window closes', async () => {
    const { connections, parts } = newConnections(await activated());
    const url = parseServiceUrl('http://127.0.0.1:9');
    const loading = connections.anonymousClient({
      url,
      local: false,
      ready: () => Promise.resolve(),
      registration: () => Promise.resolve(undefined),
    });
    connections.dispose();
    const client = await loading;
    await assert.rejects(client.me(), { kind: 'cancelled' });
    parts.forEach((part) => part.dispose());
  });

  it('sends no request before the view is opened', async () => {
    const access = await activated();
    const front = await startInterceptingProxy();
    front.instead = () => ({ status: 200, body: '{"username":"ann"}' });
    try {
      await configure({ serviceUrl: front.url });
      const session = newSession(
        parseServiceUrl(front.url),
        'ann',
        { type: 'accessToken', accessToken: 'never-sent-token' },
        [],
      );
      const told = next(vscode.authentication.onDidChangeSessions);
      await access.sessions.store(session);
      await told;
      await vscode.authentication.getSession(manifest.contributes.authentication[0]?.id ?? '', [], { silent: true });
      assert.deepEqual(front.requests, []);
      // Opening the view sends this request, so the server would have recorded an earlier one.
      await access.tree.getChildren();
      assert.deepEqual(front.requests, ['GET /api/v1']);
    } finally {
      await signOutEverywhere(access);
      await front.close();
    }
  });

  it('keeps every value that it stores while VS Code writes another one', async () => {
    const { globalState } = await activated();
    const keys = Array.from({ length: 100 }, (_each, index) => `test/${index}`);
    const stored: Promise<void>[] = [];
    for (const key of keys) {
      stored.push(Promise.resolve(globalState.update(key, key)));
      await setTimeout(1);
    }
    await Promise.all(stored);
    assert.deepEqual(
      keys.filter((key) => globalState.get(key) !== key),
      [],
    );
    await Promise.all(keys.map((key) => globalState.update(key, undefined)));
  });

  it('has the extension ID that links use', () => {
    assert.equal(`${manifest.publisher}.${manifest.name}`, extensionId);
  });
});

/** Returns the names of the extension's own loaded files. */
function loaded({ extensionPath }: vscode.Extension<unknown>): readonly string[] {
  const dist = path.join(extensionPath, 'dist');
  const files = Object.keys(createRequire(path.join(repositoryRoot, 'package.json')).cache);
  return files.filter((file) => file.startsWith(dist)).map((file) => path.relative(dist, file));
}
