import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createUnlessThere, isPlainFile } from '../../../../src/resources/downloads/diskFile.ts';

describe('a plain file of a folder', () => {
  let temporary: string;
  let folder: string;
  beforeEach(async () => {
    temporary = await mkdtemp(path.join(tmpdir(), 'plain-file-'));
    folder = path.join(temporary, 'project');
    await mkdir(path.join(folder, 'sub'), { recursive: true });
    await mkdir(path.join(temporary, 'project-beside'));
    for (const name of ['project/a', 'project/sub/b', 'project-beside/c']) {
      await writeFile(path.join(temporary, name), 'text');
    }
  });
  afterEach(() => rm(temporary, { recursive: true }));

  const isPlain = (name: string) => isPlainFile(folder, path.join(folder, name));

  it('is itself there, in the folder or below it; a link or a folder is none', async () => {
    await symlink('a', path.join(folder, 'inner'));
    await symlink('../project-beside/c', path.join(folder, 'outer'));
    await symlink('missing', path.join(folder, 'dangling'));
    await symlink('sub', path.join(folder, 'inside'), 'junction');
    await symlink(path.join(temporary, 'project-beside'), path.join(folder, 'outside'), 'junction');
    const rows: Readonly<Record<string, boolean>> = {
      a: true,
      'sub/b': true,
      inner: false,
      outer: false,
      dangling: false,
      sub: false,
      inside: false,
      'outside/c': false,
      '../project-beside/c': false,
    };
    for (const [name, expected] of Object.entries(rows)) {
      assert.equal(await isPlain(name), expected, name);
    }
    await assert.rejects(isPlain('missing'), { code: 'ENOENT' });
  });

  it('is plain where the folder itself is reached by way of a link', async () => {
    const linked = path.join(temporary, 'linked');
    await symlink(folder, linked, 'junction');
    assert.equal(await isPlainFile(linked, path.join(linked, 'a')), true);
  });

  it('is made where nothing is; nothing is made at the end of a link that leads nowhere', async () => {
    await symlink('../made', path.join(folder, 'dangling'));
    for (const name of ['new', 'new', 'a', 'dangling']) {
      await createUnlessThere(path.join(folder, name));
    }
    assert.deepEqual((await readdir(folder)).sort(), ['a', 'dangling', 'new', 'sub']);
    assert.deepEqual((await readdir(temporary)).sort(), ['project', 'project-beside']);
    assert.equal(await isPlain('new'), true);
    await assert.rejects(createUnlessThere(path.join(folder, 'missing', 'a')), { code: 'ENOENT' });
  });
});
