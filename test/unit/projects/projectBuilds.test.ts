import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { writePackage } from '../../../src/projects/packing/packageFile.ts';
import { createBuiltinBuilder } from '../../../src/localService/builds/builtin/builtinBuilder.ts';
import { readAppFiles } from '../../../src/localService/builds/packages/appFiles.ts';
import { unpackPackage } from '../../../src/localService/builds/packages/uploadedPackage.ts';
import { contentOf, verifyApk } from '../../support/apk/verifyApk.ts';
import { testJob } from '../../support/buildJob.ts';
import { folderOfEachTest } from '../../support/hooks.ts';
import { addFiles, KNOWN_APP, plan, type Files } from '../../support/packing.ts';
import { builtFiles, PROJECTS } from '../../support/webProjects.ts';

describe('the package that is built of a project', () => {
  let folder: string;
  folderOfEachTest((made) => (folder = made));

  /** Plans, packs, unpacks as the service does, and builds. */
  async function build(files: Files) {
    const signal = new AbortController().signal;
    const work = await mkdtemp(path.join(folder, 'work-'));
    const [project, unpacked] = [path.join(work, 'project'), path.join(work, 'unpacked')];
    await addFiles(project, files);
    const packed = await writePackage(await plan(project), {}, work);
    const archive = path.join(work, 'app.zip');
    await writeFile(archive, packed.file.bytes());
    await packed.dispose();
    await mkdir(unpacked);
    await unpackPackage(archive, 'zip', unpacked, signal);
    const job = await testJob(work, { source: await readAppFiles(unpacked, 'android') });
    const { path: apk } = await createBuiltinBuilder(undefined).build(job, () => undefined, signal);
    const verified = await verifyApk(await readFile(apk));
    const { manifest, entries } = verified;
    const shell = JSON.parse(contentOf(verified, 'assets/shell.json').toString()) as Readonly<Record<string, unknown>>;
    const isPage = (name: string) => name.startsWith('assets/www/') && !/\/(?:cordova|phonegap)\.js$/.test(name);
    const pages = entries
      .filter(({ name }) => isPage(name))
      .map(({ name }) => [name.slice('assets/www/'.length), contentOf(verified, name).toString()] as const);
    return {
      id: manifest.package,
      start: shell.start,
      fallback: shell.fallback,
      pages: Object.fromEntries(pages),
    };
  }

  for (const project of PROJECTS) {
    it(`holds the pages of a project of ${project.kind}, and no more`, async () => {
      const { id, start, fallback, pages } = await build(builtFiles(project));
      assert.deepEqual(pages, project.built);
      assert.deepEqual(
        [id, start, fallback],
        [project.id ?? KNOWN_APP.id?.value, '', project.kind === 'cordova' ? '' : 'index.html'],
      );
    });
  }
});
