import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { cordovaEnvironment } from '../../../../src/localService/builds/cordova/platformBuild.ts';
import { findAndroidTools } from '../../../../src/localService/builds/cordova/requirements.ts';
import { androidTools } from '../../../support/androidTools.ts';
import { folderOfEachTest } from '../../../support/hooks.ts';
import { javaScript, writeProgram } from '../../../support/writeProgram.ts';

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

  it('takes no tool of the Android build from a workspace, and runs none', async () => {
    const env = await androidTools(work);
    assert.ok('gradle' in (await findAndroidTools(env)));
    const bin = path.join(work, 'node_modules', '.bin');
    const marker = path.join(work, 'marker');
    const tool = javaScript(`require('fs').writeFileSync(${JSON.stringify(marker)}, ''); console.log('javac 17.0.15')`);
    for (const name of ['javac', 'jarsigner', 'gradle']) {
      await writeProgram(path.join(bin, name), tool);
    }
    const missing = await findAndroidTools({
      ...env,
      JAVA_HOME: undefined,
      PATH: [bin, 'bin', ''].join(path.delimiter),
    });
    assert.deepEqual(missing, [
      'A JDK is missing: install version 17 or newer, and set JAVA_HOME to its folder.',
      'Gradle is missing: install it, and put it on PATH.',
    ]);
    assert.ok(!(await readdir(work)).includes('marker'));
  });
});
