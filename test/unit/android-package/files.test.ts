import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';

import { createTemporaryFolder } from '../../../src/android-package/index.ts';
import { useFolderForEachTest } from '../../support/hooks.ts';

const MODULE = new URL('../../../src/android-package/files.ts', import.meta.url).href;

describe('a temporary folder', () => {
  let parent: string;
  useFolderForEachTest((made) => (parent = made));
  const names = async (): Promise<readonly string[]> => (await readdir(parent)).sort();

  /** Starts a process that creates a temporary folder with a file. @returns its name, and a function that kills the process */
  async function createElsewhere() {
    const program = `
      import { createTemporaryFolder } from ${JSON.stringify(MODULE)};
      import { mkdirSync, writeFileSync } from 'node:fs';
      const folder = await createTemporaryFolder(${JSON.stringify(parent)});
      mkdirSync(folder + '/js');
      writeFileSync(folder + '/js/app.js', 'run()');
      console.log(folder);
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const kill = async () => {
      child.kill('SIGKILL');
      await exited;
    };
    return { name: basename(line), kill };
  }

  it('is readable only by its owner', async () => {
    const folder = await createTemporaryFolder(parent);
    assert.ok(process.platform === 'win32' || ((await stat(folder)).mode & 0o777) === 0o700);
  });

  it('stays while its process runs, and is deleted by the next process after that was killed', async () => {
    const other = await createElsewhere();
    try {
      const own = basename(await createTemporaryFolder(parent));
      assert.deepEqual(await names(), [other.name, own].sort());
      await other.kill();
      const second = basename(await createTemporaryFolder(parent));
      assert.deepEqual(await names(), [own, second].sort());
    } finally {
      await other.kill();
    }
  });

  it('is deleted only if it’s a folder with a name of ours', async () => {
    const { name, kill } = await createElsewhere();
    await kill();
    const [, gone = ''] = name.split(/-(?=\d)|-(?=[A-Za-z0-9]{6}$)/);
    assert.match(gone, /^\d+$/);
    await mkdir(join(parent, 'home'));
    await writeFile(join(parent, 'home', 'thesis.txt'), 'three years of work');
    const kept = [
      'app-build-0-abcdef',
      'app-build-x-abcdef',
      `app-build-${gone}-abcdefg`,
      `my-app-build-${gone}-abcdef`,
      `app-build-${gone}-notes.txt`,
    ];
    await Promise.all(kept.map((each) => mkdir(join(parent, each))));
    const link = `app-build-${gone}-aLink1`;
    await symlink(join(parent, 'home'), join(parent, link), 'junction');
    const file = `app-build-${gone}-aFile1`;
    await writeFile(join(parent, file), '');
    const own = basename(await createTemporaryFolder(parent));
    assert.deepEqual(await names(), [...kept, link, file, 'home', own].sort());
    assert.deepEqual(await readdir(join(parent, 'home')), ['thesis.txt']);
  });

  it('is created even if an abandoned one can’t be deleted', async () => {
    const { name, kill } = await createElsewhere();
    await kill();
    // On POSIX, only root can delete a file from such a folder.
    await chmod(join(parent, name, 'js'), 0o500);
    await stat(await createTemporaryFolder(parent));
    await chmod(join(parent, name, 'js'), 0o700).catch(() => undefined);
  });
});
