import assert from 'node:assert/strict';
import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { guards } from '../guards/guards.ts';
import { repositoryRoot } from '../support/repository.ts';

describe('SECURITY.md', () => {
  it('links to files that there are, and to a test of each guard that is taken out', async () => {
    const text = await readFile(path.join(repositoryRoot, 'SECURITY.md'), 'utf8');
    const links = new Set([...text.matchAll(/\]\((test\/[\w/.]+)\)/g)].map(([, link = '']) => link));
    assert.ok(links.size > 30, `${links.size} links`);
    for (const link of links) {
      await access(path.join(repositoryRoot, link));
    }
    const missing = guards.filter(({ test }) => !links.has(`test/${test}`));
    assert.deepEqual(
      missing.map(({ claim, test }) => `${claim}: ${test}`),
      [],
    );
  });

  it('names guards that there are', async () => {
    const text = await readFile(path.join(repositoryRoot, 'SECURITY.md'), 'utf8');
    const [sources, tests] = [await filesIn('src'), await filesIn('test')];
    const code = (await Promise.all(sources.map((name) => readFile(path.join(repositoryRoot, name), 'utf8')))).join(
      '\n',
    );
    const named = [...text.matchAll(/Guards?: (.*)$/gm)].flatMap(([, line = '']) =>
      [...line.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    );
    assert.ok(named.length > 50, `${named.length} names`);
    const isThere = (name: string) =>
      name.endsWith('.ts')
        ? [...sources, ...tests].some((file) => `/${file}`.endsWith(`/${name}`))
        : (name.match(/\w+/g) ?? []).every((word) => code.includes(word));
    assert.deepEqual(
      named.filter((name) => !isThere(name)),
      [],
    );
  });

  it('takes out guards that stand once where their file has them', async () => {
    for (const { claim, file, replace } of guards) {
      const parts = (await readFile(path.join(repositoryRoot, file), 'utf8')).split(replace);
      assert.equal(parts.length, 2, `${claim}: ${file}`);
    }
  });
});

/** Paths of the TypeScript files in a folder of the repository. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(path.join(repositoryRoot, folder), { recursive: true });
  return names.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`);
}
