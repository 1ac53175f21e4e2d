import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../support/repository.ts';

const folder = path.join(repositoryRoot, '.github', 'workflows');

describe('GitHub workflows', () => {
  for (const name of readdirSync(folder)) {
    const text = readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    const [head = '', body = ''] = text.split(/^jobs:\n/m);

    it(`pin each action by its commit and note the version in ${name}`, () => {
      const actions = text.split('\n').filter((line) => /^[\s-]*uses:/.test(line));
      assert.ok(actions.length > 0);
      for (const line of actions) {
        assert.match(line, /uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
      }
    });

    it(`grant no permissions by default, and list those of each job in ${name}`, () => {
      assert.match(head, /^permissions: \{\}$/m);
      const jobs = body.split(/^(?= {2}[\w-]+:\n)/m).filter((job) => /^ {2}[\w-]+:\n/.test(job));
      assert.ok(jobs.length > 1);
      for (const job of jobs) {
        assert.match(job, /^ {4}permissions:/m);
      }
    });

    it(`pass secrets to steps only through environment variables in ${name}`, () => {
      for (const line of text.split('\n').filter((each) => /\bsecrets\.|github\.token/.test(each))) {
        assert.match(line, /^ {10}\w+: \$\{\{ [\w.]+ \}\}$/);
      }
    });
  }
});
