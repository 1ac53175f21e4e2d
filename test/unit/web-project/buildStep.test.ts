import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import path from 'node:path';

import { DiskTree, ProjectFolder } from '../../../src/web-project/projectFolder.ts';
import { findBuildStep, newerSource } from '../../../src/web-project/buildStep.ts';
import { fixtureRows } from '../../support/fixtureRows.ts';
import { inProject } from '../../support/folderChecks.ts';
import { useFolderForEachTest } from '../../support/hooks.ts';
import { addFiles } from '../../support/packing.ts';

const packageJson = (scripts: Readonly<Record<string, string>>, more: object = {}): string =>
  JSON.stringify({ scripts, dependencies: { vite: '8' }, ...more });
const BUILD = packageJson({ build: 'vite build' });

describe('the script that builds the pages', () => {
  for (const { title, files, expected } of fixtureRows('buildSteps.txt', { BUILD })) {
    it(`chooses the command for ${title}`, async () => {
      const step = await inProject(files, (project) => findBuildStep(project, 'vite'), 'app');
      assert.equal(step === undefined ? '' : step.command + (step.needsInstall ? '; install' : ''), expected);
    });
  }

  it('uses “generate” for Nuxt, because its “build” creates a server', async () => {
    const scripts = { build: 'nuxt build', generate: 'x' };
    const scriptFor = (kind: Parameters<typeof findBuildStep>[1], more?: object) =>
      inProject({ 'package.json': packageJson(scripts, more) }, async (project) => {
        return (await findBuildStep(project, kind))?.script;
      });
    assert.equal(await scriptFor('nuxt'), 'generate');
    assert.equal(await scriptFor('vite'), 'build');
    assert.equal(await scriptFor('capacitor'), 'build');
    assert.equal(await scriptFor('capacitor', { dependencies: { '@capacitor/core': '8', nuxt: '2' } }), 'generate');
  });
});

describe('the search for a source newer than the pages', () => {
  let folder: string;
  useFolderForEachTest(async (made) => {
    folder = made;
    await addFiles(folder, { '.gitignore': 'dist\n/packages/web/made.ts\n', '.git/HEAD': '' });
    await changed('packages/web/src/app.ts', 10);
    await changed('packages/web/dist/index.html', 20);
    await changed('packages/web/dist/assets/a.js', 30);
  });

  /** Writes a file with a modification time of this second. */
  async function changed(file: string, second: number): Promise<void> {
    await addFiles(folder, { [file]: '' });
    await utimes(path.join(folder, file), second, second);
  }
  const newer = (pages = 'dist') => newerSource(new ProjectFolder(new DiskTree(folder), 'packages/web'), { pages });

  it('finds nothing if the build is newer', async () => {
    assert.equal(await newer(), undefined);
    await changed('packages/web/src/app.ts', 29);
    assert.equal(await newer(), undefined);
  });

  it('finds the most recently changed source', async () => {
    await changed('packages/web/src/app.ts', 31);
    await changed('packages/web/index.html', 32);
    assert.equal(await newer(), 'index.html');
  });

  it('ignores files that aren’t sources of pages', async () => {
    for (const file of [
      'node_modules/a/b.js',
      'android/app/a.java',
      'ios/b.swift',
      '.svelte-kit/a.ts',
      'made.ts',
      'README.md',
      'package-lock.json',
    ]) {
      await changed(`packages/web/${file}`, 99);
    }
    assert.equal(await newer(), undefined);
  });

  it('finds nothing for pages tracked by Git, which have the time of their checkout', async () => {
    await changed('packages/web/src/app.ts', 99);
    await addFiles(folder, { '.gitignore': '' });
    assert.equal(await newer(), undefined);
    await addFiles(folder, { '.gitignore': 'dist' });
    assert.equal(await newer(), 'src/app.ts');
  });

  it('finds nothing for pages that are the project itself', async () => {
    assert.equal(await newer(''), undefined);
  });
});
