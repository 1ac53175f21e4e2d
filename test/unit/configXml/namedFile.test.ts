import assert from 'node:assert/strict';

import { absenceOf, type SearchedFolder, type NamedFile } from '../../../src/configXml/checks/namedFile.ts';

/** A folder with these files; one that ends in `/` is empty. @param ignored a path that Git leaves out, with what is below it */
function folderOf(files: readonly string[], ignored = 'none'): SearchedFolder {
  const names = (folder: string): ReadonlySet<string> => {
    const start = folder === '' ? '' : `${folder}/`;
    const below = files.filter((file) => file.startsWith(start)).map((file) => file.slice(start.length).split('/')[0]);
    return new Set(below.flatMap((name) => (name === undefined || name === '' ? [] : [name])));
  };
  return {
    names: (folder) => Promise.resolve(names(folder)),
    isIgnored: (path) => Promise.resolve(path === ignored || path.startsWith(`${ignored}/`)),
  };
}

const PAGE: NamedFile = { path: 'index.html', candidates: ['www/index.html', 'index.html'], pages: 'www' };
const IMAGE: NamedFile = { path: 'res/a.png', candidates: ['res/a.png', 'www/res/a.png'] };

describe('config.xml: what is not there', () => {
  it('a page that a tool makes, by the state of its folder', async () => {
    for (const [files, isMade, ignored] of [
      [['config.xml'], true],
      [['config.xml', 'www/'], true],
      [['config.xml', 'www/.gitkeep', 'www/.gitignore'], true],
      [['config.xml', 'www/app.js'], false],
      [['config.xml', 'www/app.js'], true, 'www'],
      [['config.xml', 'www/Index.html'], false],
      [['config.xml', 'www/index.html'], undefined],
      [['config.xml', 'index.html'], undefined],
    ] as const) {
      const absence = await absenceOf(PAGE, folderOf(files, ignored));
      assert.equal(absence?.isMade, isMade, files.join(' '));
    }
  });

  it('is not known where a folder cannot be read', async () => {
    const unreadable: SearchedFolder = { ...folderOf([]), names: () => Promise.resolve(undefined) };
    assert.equal(await absenceOf(PAGE, unreadable), undefined);
    assert.equal(await absenceOf(IMAGE, unreadable), undefined);
  });
});
