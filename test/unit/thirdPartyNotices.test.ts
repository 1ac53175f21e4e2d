import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundledPackageFolders, writeNotices } from '../host/thirdPartyNotices.ts';
import { bundledFiles } from '../support/bundledFiles.ts';
import { repositoryRoot } from '../support/repository.ts';

const dist = path.join(repositoryRoot, 'dist');

describe('the file of third-party notices', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'notices-'));
  });

  afterEach(async () => rm(root, { recursive: true }));

  async function addPackage(json: object, files: Readonly<Record<string, string>> = {}): Promise<void> {
    const folder = path.join(root, 'node_modules', 'example');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'example', version: '1.2.3', ...json }));
    for (const [name, text] of Object.entries(files)) {
      await writeFile(path.join(folder, name), text);
    }
  }

  const write = async (): Promise<string> => writeNotices(['node_modules/example'], root);

  it('names every package in the bundles with its version and its license', async () => {
    const notices = await readFile(path.join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const sources = await Promise.all(
      (await bundledFiles()).map(async (file) => {
        const map = JSON.parse(await readFile(path.join(dist, `${file}.map`), 'utf8')) as {
          readonly sources: readonly string[];
        };
        return map.sources;
      }),
    );
    const folders = new Set(
      sources.flat().flatMap((source) => /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(source) ?? []),
    );
    assert.ok(folders.size > 20, 'run `npm run build` first');
    for (const folder of folders) {
      const { name, version } = JSON.parse(
        await readFile(path.join(repositoryRoot, folder, 'package.json'), 'utf8'),
      ) as { readonly name: string; readonly version: string };
      const [, text = ''] = notices.split(`\n${name} ${version}\nLicense: `);
      assert.match(text, /^.*\n\n.*(?:licen[cs]e|copyright|permission)/i, `${name} ${version}`);
    }
  });

  it('lists only packages that have code in an output file', () => {
    const inputs = {
      'src/extension.ts': { bytesInOutput: 1 },
      'node_modules/a/index.js': { bytesInOutput: 1 },
      'node_modules/unused/index.js': { bytesInOutput: 0 },
      'node_modules/@scope/b/node_modules/c/lib/index.js': { bytesInOutput: 1 },
    };
    assert.deepEqual(bundledPackageFolders({ outputs: { 'dist/extension.js': { inputs } } }), [
      'node_modules/@scope/b/node_modules/c',
      'node_modules/a',
    ]);
  });

  it('contains the license file of a package', async () => {
    await addPackage({ license: 'MIT' }, { 'LICENSE.md': 'Permission is granted to example.\r\n' });
    assert.match(await write(), /\nexample 1\.2\.3\nLicense: MIT\n\nPermission is granted to example\.\n$/);
  });

  it('contains the text of the MIT license for a package without a license file', async () => {
    await addPackage({ license: 'MIT', author: 'Ann Example <ann@example.com>' });
    assert.match(await write(), /Copyright \(c\) Ann Example\n\nPermission is hereby granted/);
  });

  it('fails when a package has no license', async () => {
    await addPackage({});
    await assert.rejects(write(), /example 1\.2\.3 is bundled, but its license is missing/);
    await addPackage({}, { LICENSE: 'Permission is granted.' });
    await assert.rejects(write(), /license is missing/);
  });

  it('fails when a package declares a license with an unknown text and includes no license file', async () => {
    await addPackage({ license: 'Example-1.0' });
    await assert.rejects(write(), /license is missing/);
  });
});
