import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Uri } from 'vscode';
import { readPackageIcon, readProjectIcon, renderIcon } from '../../../../src/extension/devices/packageIcon.ts';
import { findWebProjects } from '../../../../src/web-project/index.ts';
import { pngStart } from '../../../support/appPackages.ts';
import { createZip } from '../../../support/archives.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { itOnPosix } from '../../../support/itOnPosix.ts';

describe('the icon of a package', () => {
  let folder = '';
  useFolderForEachTest((made) => {
    folder = made;
  });

  async function getIcon(entries: Readonly<Record<string, Buffer | string>>): Promise<string | undefined> {
    const file = path.join(folder, 'app.apk');
    await writeFile(file, createZip(Object.entries(entries).map(([name, content]) => ({ name, content }))));
    return readPackageIcon(file);
  }

  const address = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`;

  it('is the built-in builder’s icon, or the one for the densest screens', async () => {
    const [small, large, other] = [pngStart(48), pngStart(192), pngStart(32)];
    assert.equal(await getIcon({ 'res/picture.png': other, 'res/icon.png': small }), address(small));
    const densities = {
      'res/mipmap-hdpi-v4/ic_launcher.png': small,
      'res/mipmap-xxxhdpi-v4/ic_launcher.png': large,
      'res/mipmap-xhdpi-v4/ic_launcher.png': small,
      'res/mipmap-xxxhdpi-v4/ic_launcher_round.png': other,
      'assets/www/res/icon.png': other,
    };
    assert.equal(await getIcon(densities), address(large));
    assert.equal(await getIcon({ 'res/drawable-mdpi/icon.png': small }), address(small));
  });

  it('is omitted without a readable PNG of an acceptable size', async () => {
    assert.equal(await getIcon({ 'classes.dex': 'dex' }), undefined);
    assert.equal(await getIcon({ 'res/icon.png': '<svg onload="alert(1)"/>' }), undefined);
    assert.equal(await getIcon({ 'res/icon.png': Buffer.concat([pngStart(), Buffer.alloc(600_000)]) }), undefined);
    const file = path.join(folder, 'broken.apk');
    await writeFile(file, 'no archive');
    assert.equal(await readPackageIcon(file), undefined);
    assert.match(renderIcon(undefined).markup, /^<svg class="picture".*aria-hidden="true"/);
  });

  it('is the PNG that a project’s package gets', async () => {
    const picture = pngStart(192);
    const project = async (icon: Buffer) => {
      await writeFile(path.join(folder, 'icon.png'), icon);
      await writeFile(path.join(folder, 'index.html'), '<!doctype html><link rel="icon" href="icon.png">');
      const [found = assert.fail()] = await findWebProjects(Uri.file(folder));
      return readProjectIcon(found);
    };
    assert.equal(await project(picture), address(picture));
    assert.equal(await project(Buffer.concat([picture, Buffer.alloc(600_000)])), undefined);
    assert.equal(await project(Buffer.from('<svg onload="alert(1)"/>')), undefined);
  });

  itOnPosix('is never read through a link that leads out of the project', async () => {
    await writeFile(path.join(folder, 'outside.png'), pngStart(192));
    await mkdir(path.join(folder, 'app'));
    await symlink('../outside.png', path.join(folder, 'app', 'icon.png'));
    await writeFile(path.join(folder, 'app', 'index.html'), '<!doctype html><link rel="icon" href="icon.png">');
    const [found = assert.fail()] = await findWebProjects(Uri.file(path.join(folder, 'app')));
    assert.equal(await readProjectIcon(found), undefined);
  });
});
