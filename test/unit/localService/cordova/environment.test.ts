import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { toolPath } from '../../../../src/localService/builds/cordova/engine.ts';
import { cordovaEnvironment } from '../../../../src/localService/builds/cordova/platformBuild.ts';
import { folderOfEachTest } from '../../../support/hooks.ts';

describe('local service: the environment of Cordova', () => {
  let work: string;
  folderOfEachTest((folder) => (work = folder));

  it('finds no program, has a home of its own, and nothing of the service', async () => {
    const env = await cordovaEnvironment(work, { ...process.env, SERVICE_SECRET: 'x' });
    const { PATH = '', HOME = '' } = env;
    assert.notEqual(PATH, '', 'without one, systems look in folders of their own');
    for (const folder of [PATH, HOME]) {
      assert.equal(path.dirname(folder), work);
      assert.deepEqual(await readdir(folder), []);
    }
    assert.equal(env.SERVICE_SECRET, undefined);
  });

  it('looks for tools in no folder of a workspace', () => {
    const tools = path.resolve('/usr/bin');
    const folders = [tools, path.resolve('/home/ann/app/node_modules/.bin'), 'bin', ''];
    assert.equal(toolPath({ PATH: folders.join(path.delimiter) }), tools);
  });
});
