import assert from 'node:assert/strict';

import { CancelledError } from '../../../../src/errors/index.ts';
import { SecretConsents } from '../../../../src/extension/preflight/secretConsents.ts';
import type { Input } from '../../../../src/extension/workbench/input.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { MapMemento } from '../../../support/mapMemento.ts';
import { addFiles, getPaths, plan, type Files } from '../../../support/packing.ts';
import { accessTokens } from '../../../support/secrets.ts';

describe('the consent to send files that may contain a secret', () => {
  const [token = '', otherToken = ''] = accessTokens();
  let folder: string;
  let state: MapMemento;
  let consents: SecretConsents;
  /** Questions asked, as name and reason of each file. */
  let asked: readonly string[];
  useFolderForEachTest((made) => {
    folder = made;
    state = new MapMemento();
    consents = new SecretConsents(state);
  });

  /** Returns the sent paths if the user ticks these. */
  async function confirmed(files: Files, ticked: readonly string[] | 'closed' = []): Promise<readonly string[]> {
    await addFiles(folder, { 'index.html': '<!doctype html>', ...files });
    asked = [];
    const pickSeveral: Input['pickSeveral'] = (items) => {
      asked = items.map(({ label, description = '' }) => `${label}: ${description}`);
      return ticked === 'closed'
        ? Promise.reject(new CancelledError())
        : Promise.resolve(items.filter(({ label }) => ticked.includes(label)));
    };
    return getPaths(await consents.confirm(await plan(folder), { pickSeveral } as Input));
  }

  it('is requested once, in one list, and kept until a file contains another secret', async () => {
    const rules = { '.appbuildignore': '!release.p12', 'release.p12': 'x', '.env': 'A=1' };
    const files = { ...rules, 'main.js': `a();\n"${token}"`, 'other.js': `"${otherToken}"` };
    let fired = 0;
    consents.onDidChange(() => fired++);
    const sent = ['.appbuildignore', 'index.html', 'main.js'];
    assert.deepEqual(await confirmed(files, ['main.js']), sent);
    // The question doesn't include .env, which isn't sent.
    assert.deepEqual(asked, [
      'main.js: Access token on line 2',
      'other.js: Access token on line 1',
      'release.p12: Its name suggests a secret',
    ]);
    assert.equal(fired, 1);

    // The user isn't asked again after an answer, even by another window's object or after other lines changed.
    assert.deepEqual(await confirmed({ 'main.js': `b();\nc();\n"${token}"` }), sent);
    assert.deepEqual(asked, []);
    assert.deepEqual(getPaths(new SecretConsents(state).applyTo(await plan(folder))), sent);

    const changed = await confirmed({ 'main.js': `"${token}" "${otherToken}"` });
    assert.deepEqual([changed, asked], [['.appbuildignore', 'index.html'], ['main.js: Access token on line 1']]);
    const stored = JSON.stringify([...state.values]);
    assert.ok(stored.includes('main.js') && !stored.includes(token.slice(4, 20)), stored);
  });

  it('is denied if the user closes the list, and then the package may be empty', async () => {
    const files = { 'index.html': token };
    await assert.rejects(confirmed(files, 'closed'), CancelledError);
    await assert.rejects(confirmed(files), /has no files for an app/);
    const planned = await plan(folder);
    const [suspect] = planned.suspects;
    assert.ok(suspect !== undefined);
    await consents.setAnswer(planned.project, suspect, 'send');
    assert.deepEqual(await confirmed(files), ['index.html']);
  });
});
