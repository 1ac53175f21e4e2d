import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import path from 'node:path';

import { DiskTree, ProjectFolder } from '../../../src/web-project/projectFolder.ts';
import { findBuildStep, newerSource } from '../../../src/web-project/buildStep.ts';
import { fixtureRows } from '../../support/fixtureRows.ts';
import { inProject } from '../../support/folderChecks.ts';
import { useFolderForEachTest } from '../../support/hooks.ts';
import { addFiles, type Files } from '../../support/packing.ts';

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

describe('the script of a tool inside a Capacitor project', () => {
  const stepFor = (files: Files) =>
    inProject(files, async (project) => (await findBuildStep(project, 'capacitor'))?.command);
  const quasar = (webDir: string, scripts: Readonly<Record<string, string>>): Files => ({
    'capacitor.config.json': JSON.stringify({ webDir }),
    'package.json': JSON.stringify({ scripts, devDependencies: { '@quasar/app-vite': '2' } }),
  });
  const SCRIPTS = { build: 'quasar build', 'build:pwa': 'quasar build -m pwa' };

  it('builds the mode of Quasar whose folder Capacitor expects', async () => {
    assert.equal(await stepFor(quasar('dist/pwa', SCRIPTS)), 'npm run build:pwa');
    assert.equal(await stepFor(quasar('dist/spa', SCRIPTS)), 'npm run build');
    const modes = { build: 'quasar build --mode=pwa', app: 'vue-tsc && quasar build --mode spa' };
    assert.equal(await stepFor(quasar('dist/spa', modes)), 'npm run app');
    assert.equal(await stepFor(quasar('dist/pwa', { build: 'make' })), 'npm run build');
  });

  it('runs the target of an Nx project', async () => {
    const build = { executor: '@nx/angular:application' };
    const files = {
      'nx.json': '{}',
      'capacitor.config.json': '{"webDir":"dist/mobile"}',
      'project.json': JSON.stringify({ name: 'mobile', projectType: 'application', targets: { build } }),
      'package.json': '{"scripts":{"build":"electron-builder"}}',
    };
    assert.equal(await stepFor(files), 'npx nx build mobile');
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
      'db.json',
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
