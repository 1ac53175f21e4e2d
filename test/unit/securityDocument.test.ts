import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
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
});
