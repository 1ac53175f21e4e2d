import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../../../support/repository.ts';

describe('the descriptions of the agent tools', () => {
  it('use the names of commands from the Command Palette', () => {
    const folder = path.join(repositoryRoot, 'src', 'extension', 'agents');
    const texts = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
    const named = texts.flatMap((text) => [...text.matchAll(/“App Build: ([^”]+)”/g)].map(([, name = '']) => name));
    assert.notEqual(named.length, 0);
    const strings = readFileSync(path.join(repositoryRoot, 'package.nls.json'), 'utf8');
    const titles = Object.entries(JSON.parse(strings) as Readonly<Record<string, string>>)
      .filter(([key]) => key.startsWith('command.'))
      .map(([, title]) => title);
    assert.deepEqual(
      named.filter((name) => !titles.includes(name)),
      [],
    );
  });
});
