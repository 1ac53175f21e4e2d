import assert from 'node:assert/strict';

import { absenceOf, type SearchedFolder, type NamedFile } from '../../../src/configXml/namedFiles.ts';

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

  it('an image: its folder, its case, and whether a tool makes it', async () => {
    for (const [files, expected, ignored] of [
      [['config.xml'], { isMade: false, folder: 'res', otherCase: undefined }],
      [['res/b.png'], { isMade: false, folder: undefined, otherCase: undefined }],
      [['Res/A.png'], { isMade: false, folder: undefined, otherCase: 'Res/A.png' }],
      [['www/Res/a.png'], { isMade: false, folder: 'res', otherCase: 'www/Res/a.png' }],
      [['config.xml'], { isMade: true, folder: 'res', otherCase: undefined }, 'res'],
      [['res/b.png'], { isMade: true, folder: undefined, otherCase: undefined }, 'res/a.png'],
      [['res/a.png'], undefined, 'res'],
      [['www/res/a.png'], undefined],
    ] as const) {
      assert.deepEqual(await absenceOf(IMAGE, folderOf(files, ignored)), expected, files.join(' '));
    }
    const inPages: NamedFile = { path: 'www/a.png', candidates: ['www/a.png'], pages: 'www' };
    assert.equal((await absenceOf(inPages, folderOf(['config.xml'])))?.isMade, true);
    assert.equal((await absenceOf(inPages, folderOf(['www/index.html'])))?.isMade, false);
    const deep: NamedFile = { path: 'res/x/y/a.png', candidates: ['res/x/y/a.png'] };
    assert.equal((await absenceOf(deep, folderOf(['res/b.png'])))?.folder, 'res/x');
  });

  it('an image of the folder above', async () => {
    const above: NamedFile = { path: 'res/a.png', candidates: ['../res/a.png', 'res/a.png'] };
    const folder = folderOf(['../res/b.png', 'index.html']);
    assert.equal((await absenceOf(above, folder))?.folder, undefined);
    assert.equal((await absenceOf(above, folderOf(['../b.png'])))?.folder, 'res');
    assert.equal((await absenceOf(above, folderOf(['../res/A.png'])))?.otherCase, 'res/A.png');
    assert.equal(await absenceOf(above, folderOf(['../res/a.png'])), undefined);
  });

  it('is not known where a folder cannot be read', async () => {
    const unreadable: SearchedFolder = { ...folderOf([]), names: () => Promise.resolve(undefined) };
    assert.equal(await absenceOf(PAGE, unreadable), undefined);
    assert.equal(await absenceOf(IMAGE, unreadable), undefined);
  });
});
