import assert from 'node:assert/strict';

import { CancelledError } from '../../../../src/api/errors/cancelledError.ts';
import { SecretConsents } from '../../../../src/projects/packing/secretConsents.ts';
import type { Input } from '../../../../src/workbench/input.ts';
import { folderOfEachTest } from '../../../support/hooks.ts';
import { MapMemento } from '../../../support/mapMemento.ts';
import { addFiles, pathsOf, plan, type Files } from '../../../support/packing.ts';
import { accessTokens } from '../../../support/secrets.ts';

describe('a yes to each file that may hold a secret', () => {
  const [token = '', otherToken = ''] = accessTokens();
  let folder: string;
  let state: MapMemento;
  let consents: SecretConsents;
  /** What was asked: of each file, its name and why. */
  let asked: readonly string[];
  folderOfEachTest((made) => {
    folder = made;
    state = new MapMemento();
    consents = new SecretConsents(state);
  });

  /** The paths that are sent if these are ticked. */
  async function confirmed(files: Files, ticked: readonly string[] | 'closed' = []): Promise<readonly string[]> {
    await addFiles(folder, { 'index.html': '<!doctype html>', ...files });
    asked = [];
    const pickSeveral: Input['pickSeveral'] = (items) => {
      asked = items.map(({ label, description = '' }) => `${label}: ${description}`);
      return ticked === 'closed'
        ? Promise.reject(new CancelledError())
        : Promise.resolve(items.filter(({ label }) => ticked.includes(label)));
    };
    return pathsOf(await consents.confirm(await plan(folder), { pickSeveral } as Input));
  }

  it('is asked for once, in one list, and kept until the file holds another secret', async () => {
    const rules = { '.appbuildignore': '!release.p12', 'release.p12': 'x', '.env': 'A=1' };
    const files = { ...rules, 'main.js': `a();\n"${token}"`, 'other.js': `"${otherToken}"` };
    let fired = 0;
    consents.onDidChange(() => fired++);
    const sent = ['.appbuildignore', 'index.html', 'main.js'];
    assert.deepEqual(await confirmed(files, ['main.js']), sent);
    // .env wasn't asked for.
    assert.deepEqual(asked, [
      'main.js: Access token in line 2',
      'other.js: Access token in line 1',
      'release.p12: Its name is that of a secret',
    ]);
    assert.equal(fired, 1);

    // Neither a yes nor a no is asked for again: by another window's object, and when other lines have changed.
    assert.deepEqual(await confirmed({ 'main.js': `b();\nc();\n"${token}"` }), sent);
    assert.deepEqual(asked, []);
    assert.deepEqual(pathsOf(new SecretConsents(state).applied(await plan(folder))), sent);

    const changed = await confirmed({ 'main.js': `"${token}" "${otherToken}"` });
    assert.deepEqual([changed, asked], [['.appbuildignore', 'index.html'], ['main.js: Access token in line 1']]);
    const stored = JSON.stringify([...state.values]);
    assert.ok(stored.includes('main.js') && !stored.includes(token.slice(4, 20)), stored);
  });

  it('is not given by closing the list; without a yes there may be nothing to send', async () => {
    const files = { 'index.html': token };
    await assert.rejects(confirmed(files, 'closed'), CancelledError);
    await assert.rejects(confirmed(files), /has no files for an app/);
    const planned = await plan(folder);
    const [suspect] = planned.suspects;
    assert.ok(suspect !== undefined);
    await consents.keep(planned.project, suspect, 'send');
    assert.deepEqual(await confirmed(files), ['index.html']);
  });
});
