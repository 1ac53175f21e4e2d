import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { repositoryRoot } from '../../../support/repository.ts';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

describe('the commands of package.json', () => {
  it('have exactly one handler each', async () => {
    const manifest = JSON.parse(await readFile(path.join(repositoryRoot, 'package.json'), 'utf8')) as Manifest;
    const folder = path.join(repositoryRoot, 'src/extension/commands');
    const files = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
    const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
    const handled = texts.flatMap((text) => [...text.matchAll(/^ +'(appBuild\.\w+)': /gm)].map(([, id]) => id));
    assert.deepEqual(handled.sort(), manifest.contributes.commands.map(({ command }) => command).sort());
  });
});
