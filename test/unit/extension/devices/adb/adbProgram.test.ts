import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { formatSentence } from '../../../../../src/errors/index.ts';
import { AdbNotFoundError } from '../../../../../src/extension/devices/adb/adbErrors.ts';
import { adbCandidates, findAdb } from '../../../../../src/extension/devices/adb/adbProgram.ts';
import { useFolderForEachTest } from '../../../../support/hooks.ts';
import { captureFailure } from '../../../../support/servers.ts';
import { javaScript, writeProgram } from '../../../../support/writeProgram.ts';

const nothing = { setting: undefined, environment: {} };

describe('the search for adb', () => {
  it('looks in ANDROID_HOME first, then on PATH, then in the usual folders of Linux', () => {
    const environment = { PATH: '/usr/bin:/opt/bin', ANDROID_HOME: '/sdk', ANDROID_SDK_ROOT: '/sdk2' };
    assert.deepEqual(adbCandidates({ setting: undefined, environment, platform: 'linux', home: '/home/ann' }), [
      '/sdk/platform-tools/adb',
      '/usr/bin/adb',
      '/opt/bin/adb',
      '/sdk2/platform-tools/adb',
      '/home/ann/Android/Sdk/platform-tools/adb',
      '/usr/lib/android-sdk/platform-tools/adb',
    ]);
  });

  it('looks in the usual folders of macOS and Windows', () => {
    assert.deepEqual(adbCandidates({ ...nothing, platform: 'darwin', home: '/Users/ann' }), [
      '/Users/ann/Library/Android/sdk/platform-tools/adb',
      '/opt/homebrew/bin/adb',
      '/usr/local/bin/adb',
    ]);
    const environment = {
      PATH: String.raw`C:\Windows;D:\tools`,
      ANDROID_HOME: String.raw`D:\sdk`,
      LOCALAPPDATA: String.raw`C:\Users\ann\AppData\Local`,
    };
    assert.deepEqual(adbCandidates({ setting: undefined, environment, platform: 'win32', home: 'C:\\' }), [
      String.raw`D:\sdk\platform-tools\adb.exe`,
      String.raw`C:\Windows\adb.exe`,
      String.raw`D:\tools\adb.exe`,
      String.raw`C:\Users\ann\AppData\Local\Android\Sdk\platform-tools\adb.exe`,
    ]);
  });

  it('ignores relative paths, which would lead to the open folder', () => {
    const environment = { PATH: '.::bin:/usr/bin:', ANDROID_HOME: 'sdk', ANDROID_SDK_ROOT: '../sdk' };
    const found = adbCandidates({ setting: undefined, environment, platform: 'linux', home: '/home/ann' });
    assert.equal(found[0], '/usr/bin/adb');
    assert.ok(found.every((each) => path.posix.isAbsolute(each)));
    for (const [setting, candidates] of [
      ['tools/adb', []],
      ['/my/adb', ['/my/adb']],
    ] as const) {
      assert.deepEqual(adbCandidates({ setting, environment, platform: 'linux', home: '/' }), candidates);
    }
  });

  it('ignores open folders and the programs of npm packages', () => {
    const environment = {
      PATH: '/work/bin:/work:/work/..bin:/worker:/x/node_modules/.bin:/usr/bin',
      ANDROID_HOME: '/work/sdk',
    };
    const search = {
      setting: undefined,
      environment,
      platform: 'linux',
      home: '/home/ann',
      workspaces: ['/work'],
    } as const;
    assert.deepEqual(adbCandidates(search).slice(0, 2), ['/worker/adb', '/usr/bin/adb']);
    const withSdk = adbCandidates({ ...search, workspaces: ['/home/ann'] });
    assert.ok(withSdk.includes('/home/ann/Android/Sdk/platform-tools/adb'), 'the SDK, if the home folder is open');
    const onWindows = { PATH: String.raw`d:\Work\bin;C:\x\node_modules\.bin;C:\Windows` };
    assert.deepEqual(
      adbCandidates({ ...search, environment: onWindows, platform: 'win32', workspaces: [String.raw`D:\work`] }),
      [String.raw`C:\Windows\adb.exe`],
    );
  });

  describe('on this computer', () => {
    let folder: string;
    useFolderForEachTest((made) => (folder = made));
    const search = (setting: string | undefined, ...folders: readonly string[]) => ({
      setting,
      environment: { PATH: folders.join(path.delimiter) },
      platform: process.platform,
      home: folder,
    });
    const name = process.platform === 'win32' ? 'adb.exe' : 'adb';

    it('returns the first executable file', async () => {
      const [asFolder, asText, asProgram] = ['1', '2', '3'].map((each) => path.join(folder, each));
      assert.ok(asFolder !== undefined && asText !== undefined && asProgram !== undefined);
      await mkdir(path.join(asFolder, name), { recursive: true });
      await Promise.all([mkdir(asText), mkdir(asProgram)]);
      // On Windows, every file of that name can be run.
      if (process.platform !== 'win32') {
        await writeFile(path.join(asText, name), '', { mode: 0o644 });
      }
      const program = await writeProgram(path.join(asProgram, 'adb'), javaScript(''));
      assert.equal(await findAdb(search(undefined, asFolder, asText, asProgram)), program);
    });

    it('skips links that lead into an open folder', async () => {
      const [project, linked, tools] = ['project', 'linked', 'tools'].map((each) => path.join(folder, each));
      assert.ok(project !== undefined && linked !== undefined && tools !== undefined);
      await Promise.all([mkdir(path.join(project, 'bin'), { recursive: true }), mkdir(tools)]);
      await symlink(project, linked, 'junction');
      await writeProgram(path.join(project, 'bin', 'adb'), javaScript(''));
      const program = await writeProgram(path.join(tools, 'adb'), javaScript(''));
      const both = search(undefined, path.join(linked, 'bin'), tools);
      assert.equal(await findAdb({ ...both, workspaces: [project] }), program);
      const opened = search(undefined, path.join(project, 'bin'), tools);
      assert.equal(await findAdb({ ...opened, workspaces: [linked] }), program);
      const setting = path.join(linked, 'bin', path.basename(program));
      assert.equal(await findAdb({ ...search(setting), workspaces: [project] }), setting);
    });

    it('explains what to install if adb is missing', async () => {
      const error = await captureFailure(AdbNotFoundError, findAdb({ ...search(undefined), platform: 'win32' }));
      assert.match(formatSentence(error.what), /^adb isn’t installed/);
      assert.equal(
        error.next && formatSentence(error.next),
        'Install Android SDK Platform-Tools, or set appBuild.adbPath.',
      );
      assert.equal(error.remedy, 'findAdb');
    });

    it('reports a setting that doesn’t name adb', async () => {
      const missing = path.join(folder, 'no', name);
      const error = await captureFailure(AdbNotFoundError, findAdb(search(missing)));
      assert.equal(formatSentence(error.what), `appBuild.adbPath doesn’t point to adb: ${missing}`);
      assert.equal(error.remedy, 'findAdb');
    });
  });
});
