import assert from 'node:assert/strict';
import { getContent } from '../../support/apk/verifyApk.ts';
import { useFolderForEachTest } from '../../support/hooks.ts';
import { addFiles, KNOWN_APP, plan, type Files } from '../../support/packing.ts';
import { buildPlan } from '../../support/planBuild.ts';
import { builtFiles, PROJECTS } from '../../support/webProjects.ts';

describe('the package built from a project', () => {
  let folder: string;
  useFolderForEachTest((made) => (folder = made));

  async function build(files: Files) {
    await addFiles(folder, files);
    const planned = await plan(folder);
    const verified = await buildPlan(planned, folder);
    const { manifest, entries } = verified;
    const shell = JSON.parse(getContent(verified, 'assets/shell.json').toString()) as Readonly<Record<string, unknown>>;
    const isPage = (name: string) => name.startsWith('assets/www/') && !/\/(?:cordova|phonegap)\.js$/.test(name);
    const pages = entries
      .filter(({ name }) => isPage(name))
      .map(({ name }) => [name.slice('assets/www/'.length), getContent(verified, name).toString()] as const);
    return {
      id: manifest.package,
      start: shell.start,
      fallback: shell.fallback,
      pages: Object.fromEntries(pages),
    };
  }

  for (const project of PROJECTS) {
    it(`contains only the pages of a ${project.kind} project`, async () => {
      const { id, start, fallback, pages } = await build(builtFiles(project));
      assert.deepEqual(pages, project.built);
      assert.deepEqual(
        [id, start, fallback],
        [project.id ?? KNOWN_APP.id?.value, '', project.kind === 'cordova' ? '' : 'index.html'],
      );
    });
  }
});
