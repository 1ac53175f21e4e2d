import assert from 'node:assert/strict';
import path from 'node:path';

import { fileUri, createFolder, type Files } from '../../../support/packing.ts';
import { readAppFolder } from '../../../../src/extension/config-editor/configFolder.ts';

const CONFIG = '<widget id="a.b"><name>A</name></widget>';

/** Reads the facts about the folder `app` of a workspace. */
async function read(files: Files, ...ignored: readonly string[]) {
  const { folder, remove } = await createFolder(files);
  try {
    const app = await readAppFolder(fileUri(path.join(folder, 'app')), fileUri(folder));
    assert.ok(app !== undefined);
    const areIgnored = await Promise.all(ignored.map((each) => app.isIgnored(each)));
    return { pages: app.pages, command: await app.buildCommand(), ignored: ignored.filter((_, at) => areIgnored[at]) };
  } finally {
    await remove();
  }
}

describe('reading the folder of a config.xml', () => {
  it('finds the pages folder and the tool that builds it', async () => {
    const script = { 'app/package.json': '{"scripts":{"build":"gulp"}}' };
    const { pages, command } = await read({ 'app/config.xml': CONFIG, 'app/yarn.lock': '', ...script });
    assert.deepEqual([pages, command], ['www', 'yarn run build']);
    // The script in the parent folder may build another project.
    const above = await read({ 'app/config.xml': CONFIG, 'app/www/': '', 'package.json': '{"scripts":{"build":"x"}}' });
    assert.deepEqual([above.pages, above.command], ['www', undefined]);
  });

  it('reports paths that Git ignores, by ignore files in the folder, its parents, and its subfolders', async () => {
    const files = {
      '.gitignore': '/app/www\n',
      'app/config.xml': CONFIG,
      'app/.gitignore': 'resources/**/*.png\n',
      'app/res/.gitignore': '*\n!kept.png\n',
    };
    const paths = [
      'www/index.html',
      'resources/icon/a.png',
      'resources/a.xml',
      'res/a.png',
      'res/kept.png',
      'config.xml',
    ];
    assert.deepEqual((await read(files, ...paths)).ignored, ['www/index.html', 'resources/icon/a.png', 'res/a.png']);
    const tooLong = { 'app/config.xml': CONFIG, 'app/.gitignore': 'a\n'.repeat(200_000) };
    assert.deepEqual((await read(tooLong, 'a')).ignored, []);
  });

  it('ignores a folder that isn’t on disk', async () => {
    const folder = Object.assign(fileUri('/app'), { scheme: 'virtual' });
    assert.equal(await readAppFolder(folder), undefined);
  });
});
