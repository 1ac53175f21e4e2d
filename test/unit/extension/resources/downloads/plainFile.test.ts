import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFile, isPlainFile } from '../../../../../src/extension/resources/downloads/diskFile.ts';
import { FileError } from '../../../../../src/extension/resources/downloads/fileError.ts';
import { useFolderForEachTest } from '../../../../support/hooks.ts';

describe('a plain file in a folder', () => {
  let temporary: string;
  let folder: string;
  useFolderForEachTest(async (made) => {
    temporary = made;
    folder = path.join(temporary, 'project');
    await mkdir(path.join(folder, 'sub'), { recursive: true });
    await mkdir(path.join(temporary, 'project-beside'));
    for (const name of ['project/a', 'project/sub/b', 'project-beside/c']) {
      await writeFile(path.join(temporary, name), 'text');
    }
  });

  const isPlain = (name: string) => isPlainFile(folder, path.join(folder, name));

  it('is found in the folder or a subfolder, unless it’s a link or a folder', async () => {
    await symlink('a', path.join(folder, 'inner'));
    await symlink('../project-beside/c', path.join(folder, 'outer'));
    await symlink('missing', path.join(folder, 'dangling'));
    await symlink('sub', path.join(folder, 'inside'), 'junction');
    await symlink(path.join(temporary, 'project-beside'), path.join(folder, 'outside'), 'junction');
    for (const name of ['a', 'sub/b']) {
      assert.equal(await isPlain(name), true, name);
    }
    for (const name of ['inner', 'outer', 'dangling', 'sub', 'inside', 'outside/c', '../project-beside/c']) {
      assert.equal(await isPlain(name), false, name);
    }
    await assert.rejects(isPlain('missing'), { code: 'ENOENT' });
  });

  it('is found if the folder itself is reached through a link', async () => {
    const linked = path.join(temporary, 'linked');
    await symlink(folder, linked, 'junction');
    assert.equal(await isPlainFile(linked, path.join(linked, 'a')), true);
  });

  it('is created with its folders, but never at the end of a link', async () => {
    await symlink('../made', path.join(folder, 'dangling'));
    await symlink(path.join(temporary, 'project-beside'), path.join(folder, 'outside'), 'junction');
    const createFiles = (name: string) =>
      createFile(folder, name, name).then(() => readFile(path.join(folder, name), 'utf8'));
    assert.equal(await createFiles('new'), 'new');
    assert.equal(await createFiles('deep/er/new'), 'deep/er/new');
    for (const name of ['new', 'a', 'dangling', 'sub']) {
      await assert.rejects(createFiles(name), { code: 'EEXIST' }, name);
    }
    for (const name of ['outside/new', 'outside/deep/new', '../new']) {
      await assert.rejects(
        createFiles(name),
        (error) => error instanceof FileError && error.code === 'NotPlainFile',
        name,
      );
    }
    assert.deepEqual((await readdir(folder)).sort(), ['a', 'dangling', 'deep', 'new', 'outside', 'sub']);
    assert.deepEqual(
      (await readdir(temporary, { recursive: true })).filter((name) => /made|beside/.test(name)).sort(),
      ['project-beside', 'project-beside/c'],
    );
    assert.equal(await isPlain('new'), true);
  });
});
