import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { minimumVscode } from '../host/versions.ts';
import { repositoryRoot } from '../support/repository.ts';

type Dependencies = Readonly<Record<string, string | undefined>>;

const minor = (version: string | undefined): string => (version ?? '').split('.').slice(0, 2).join('.');

async function manifest(
  ...folders: string[]
): Promise<{ dependencies?: Dependencies; devDependencies?: Dependencies }> {
  return JSON.parse(await readFile(path.join(repositoryRoot, ...folders, 'package.json'), 'utf8')) as {
    dependencies?: Dependencies;
  };
}

describe('the oldest VS Code version that package.json allows', () => {
  it('names a single release', () => {
    assert.match(minimumVscode(), /^1\.\d+\.0$/);
  });

  it('matches the version that the tests run in', async () => {
    const { dependencies } = await manifest('test', 'host', 'packages', 'oldest');
    // For example, code-server 4.105.1 contains VS Code 1.105.1.
    assert.equal(minor(dependencies?.['code-server']), minor(minimumVscode()).replace(/^1/, '4'));
  });

  it('matches the version whose API the compiler uses', async () => {
    const { devDependencies } = await manifest();
    assert.equal(minor(devDependencies?.['@types/vscode']), minor(minimumVscode()));
  });
});
