import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { repositoryRoot } from '../support/repository.ts';

const dist = path.join(repositoryRoot, 'dist');

/** The extension's files: what activation loads, and what is loaded later. The local service is a program of its own. */
const extensionFiles = [
  'clients.js',
  'extension.js',
  'handlers.js',
  'jsonLayout.js',
  'localServiceProcess.js',
  'nodes.js',
  'reader.js',
  'requestSteps.js',
  'saveDownload.js',
  'signingIn.js',
  'templates.js',
  'undici.js',
];

describe('the package', () => {
  it('ships these files and no others', async () => {
    const files = await listFiles({ cwd: repositoryRoot, packageManager: PackageManager.None });
    assert.deepEqual(files.filter((file) => !file.startsWith('dist/')).sort(), [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'media/activity.svg',
      'media/icon.png',
      'media/response.tmLanguage.json',
      'media/walkthrough/browse.md',
      'media/walkthrough/service.md',
      'media/walkthrough/signIn.md',
      'package.json',
      'package.nls.json',
    ]);
    assert.deepEqual(
      files.filter((file) => file.startsWith('dist/')).sort(),
      [...extensionFiles, 'localService.js'].map((file) => `dist/${file}`).sort(),
      'run `npm run build` first',
    );
  });

  it('has each module of ours in one file: a class in two would be two classes', async () => {
    const sources = await Promise.all(
      extensionFiles.map(async (file) => {
        const map = JSON.parse(await readFile(path.join(dist, `${file}.map`), 'utf8')) as {
          readonly sources: readonly string[];
        };
        return map.sources.filter((source) => source.startsWith('../src/'));
      }),
    );
    const modules = sources.flat();
    assert.ok(modules.length > 100);
    assert.deepEqual(
      modules.filter((module, index) => modules.indexOf(module) !== index),
      [],
    );
  });

  it('asks for VS Code’s API once a file, and loads little at activation', async () => {
    for (const file of extensionFiles) {
      const text = await readFile(path.join(dist, file), 'utf8');
      assert.ok(text.split('require("vscode")').length <= 2, file);
    }
    const { size } = await stat(path.join(dist, 'extension.js'));
    assert.ok(size <= 60_000, `${size} bytes`);
  });
});
