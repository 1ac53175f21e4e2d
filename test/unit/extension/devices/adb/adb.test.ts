import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { type BuildServiceError, CancelledError, Failure, formatSentence } from '../../../../../src/errors/index.ts';
import { Adb } from '../../../../../src/extension/devices/adb/adb.ts';
import { InstallRefusedError } from '../../../../../src/extension/devices/adb/adbErrors.ts';
import { runAdb } from '../../../../../src/extension/devices/adb/adbProgram.ts';
import { useFolderForEachTest } from '../../../../support/hooks.ts';
import { PIXEL, PretendedAdb } from '../../../../support/pretendedAdb.ts';
import { captureFailure } from '../../../../support/servers.ts';
import { waitUntil } from '../../../../support/waitUntil.ts';
import { javaScript, writeProgram } from '../../../../support/writeProgram.ts';

/** File name with a meaning in shells. Windows doesn't allow `"` in names. */
const ODD_NAME = process.platform === 'win32' ? '$(touch pwned);`x` ^& %PATH%.apk' : '$(touch pwned);`x` "y".apk';
const PACKAGE = Buffer.alloc(300_000, 'PK');
const { signal } = new AbortController();
const pixel = { serial: PIXEL.serial, name: 'Pixel 7', state: 'ready', stateName: 'device' } as const;

/** Returns the text that the user reads. */
const said = ({ what, next }: BuildServiceError): string =>
  [what, next].flatMap((part) => (part === undefined ? [] : formatSentence(part))).join(' ');

describe('running adb', () => {
  let pretended: PretendedAdb;
  let adb: Adb;
  let folder: string;
  let file: string;

  useFolderForEachTest(async (made) => {
    folder = made;
    file = path.join(made, 'package.apk');
    await writeFile(file, PACKAGE);
    pretended = await PretendedAdb.create(made);
    pretended.reset([PIXEL]);
    adb = new Adb(pretended.file);
  });

  it('installs the file on the given device, over the existing app', async () => {
    pretended.reset([{ ...PIXEL, serial: 'OTHER' }, PIXEL]);
    await adb.install(pixel, file, signal);
    assert.deepEqual(pretended.installed, [{ serial: PIXEL.serial, bytes: PACKAGE }]);
    assert.deepEqual(pretended.requests, [`-s ${PIXEL.serial} install -r ${file}`]);
  });

  it('explains a rejection and suggests a remedy', () => {
    for (const [code, sentence] of [
      ['INSTALL_FAILED_UPDATE_INCOMPATIBLE', /app with this ID, signed with another key\. Uninstall it first/],
      ['INSTALL_FAILED_INVALID_APK', /can’t read the package \(INSTALL_FAILED_INVALID_APK\)\. Report this/],
      [
        'INSTALL_PARSE_FAILED_NO_CERTIFICATES',
        /\(INSTALL_PARSE_FAILED_NO_CERTIFICATES\)\. Report this, and include the log\.$/,
      ],
      ['INSTALL_FAILED_DUPLICATE_PERMISSION', /^The phone rejected the app: INSTALL_FAILED_DUPLICATE_PERMISSION: as/],
      ['constructor', /^The phone rejected the app: constructor: as \[i\] said$/],
    ] as const) {
      const error = new InstallRefusedError(code, 'as [i] said');
      assert.match(said(error), sentence);
      assert.equal(error.detail, `${code}: as [i] said`);
    }
  });

  it('shows an unknown rejection as reported, in one short line', async () => {
    const words = `${'x'.repeat(5_000)}\u202e\u0007`;
    pretended.reset([{ ...PIXEL, answer: `Failure [INSTALL_FAILED_NEW: ${words}]\n` }]);
    const refused = await captureFailure(InstallRefusedError, adb.install(pixel, file, signal));
    assert.equal(refused.code, 'INSTALL_FAILED_NEW');
    pretended.reset([{ ...PIXEL, answer: `Exception: ${words}\nlast line\n` }]);
    const failed = await captureFailure(Failure, adb.install(pixel, file, signal));
    assert.match(said(failed), /^adb failed: .*last line Unplug the phone/);
    for (const error of [refused, failed]) {
      assert.ok(said(error).length < 2_000, said(error));
      assert.doesNotMatch(said(error), /[\p{Cc}\p{Cf}]/u);
    }
  });

  for (const [devices, sentence] of [
    [[{ ...PIXEL, state: 'unauthorized' }], /^Pixel 7 isn’t ready\. Allow USB debugging on the phone’s/],
    [[{ ...PIXEL, state: 'offline' }], /The phone isn’t responding\. Unplug it, and plug it in/],
    [[{ ...PIXEL, serial: 'ELSE' }], /^No phone is connected\. .* with adb connect\.$/],
    [[], /^No phone is connected/],
  ] as const) {
    it(`explains how to reconnect a device that was ready: ${sentence.source}`, async () => {
      pretended.reset(devices);
      assert.match(said(await captureFailure(Failure, adb.install(pixel, file, signal))), sentence);
    });
  }

  it('starts an app, and reports a failed start', async () => {
    assert.equal(await adb.start(pixel, 'com.example.shop', 'appbuild.shell.MainActivity', signal), true);
    const started = 'shell am start -n com.example.shop/appbuild.shell.MainActivity';
    assert.deepEqual(pretended.requests, [`-s ${PIXEL.serial} ${started}`]);
    for (const start of [
      ['Error type 3\nError: Activity class {x} does not exist.\n', 0],
      ['Starting: Intent\n', 1],
    ] as const) {
      pretended.reset([{ ...PIXEL, start }]);
      assert.equal(await adb.start(pixel, 'com.example.shop', '.MainActivity', signal), false);
    }
  });

  it('never passes an invalid ID to the phone’s shell', async () => {
    for (const id of ['', 'shop', 'a.b;reboot', 'a.b c', '-a.b', 'a.$(reboot)', 'a.b\n', '1.b', 'a..b', 'a.é']) {
      assert.equal(await adb.start(pixel, id, '.MainActivity', signal), false, id);
    }
    assert.deepEqual(pretended.requests, []);
  });

  it('ends adb when the user cancels', async () => {
    pretended.reset([{ ...PIXEL, answer: undefined }]);
    const controller = new AbortController();
    const cancelled = assert.rejects(adb.install(pixel, file, controller.signal), CancelledError);
    await waitUntil(() => pretended.installed.length > 0);
    controller.abort();
    await cancelled;
    await assert.rejects(adb.devices(controller.signal), CancelledError);
  });

  it('passes arguments without a shell, and nothing from VS Code’s environment or the extension’s', async () => {
    const added = { VSCODE_SECRET: 'one', APP_BUILD_SECRET: 'two', ELECTRON_SECRET: 'three', ADB_TEST_OPTION: 'four' };
    Object.assign(process.env, added);
    try {
      const odd = path.join(folder, ODD_NAME);
      await writeFile(odd, PACKAGE);
      await adb.install(pixel, odd, signal);
      const [{ args, environment } = assert.fail()] = pretended.calls;
      assert.deepEqual(args, ['-s', PIXEL.serial, 'install', '-r', odd]);
      assert.equal(environment.ADB_TEST_OPTION, 'four');
      assert.deepEqual(
        Object.keys(environment).filter((name) => name.endsWith('_SECRET')),
        [],
      );
    } finally {
      Object.keys(added).forEach((name) => Reflect.deleteProperty(process.env, name));
    }
  });

  const script = (code: string) => writeProgram(path.join(folder, 'script'), javaScript(code));

  it('recognizes an old version’s rejection on standard output with exit code 0', async () => {
    const old = await script("console.log('pkg: /x.apk\\r\\nFailure [INSTALL_FAILED_OLDER_SDK]\\r')");
    const error = await captureFailure(InstallRefusedError, new Adb(old).install(pixel, file, signal));
    assert.equal(error.detail, 'INSTALL_FAILED_OLDER_SDK');
    const silent = new Adb(await script(''));
    assert.match(
      said(await captureFailure(Failure, silent.install(pixel, file, signal))),
      /failed without an explanation/,
    );
  });

  it('reports an adb that can’t be started or can’t start its server', async () => {
    const broken = new Adb(await script("console.error('* failed to start daemon'); process.exitCode = 1"));
    assert.match(said(await captureFailure(Failure, broken.devices(signal))), /^adb failed: \* failed to start daemon/);
    const missing = new Adb(path.join(folder, 'missing'));
    assert.match(said(await captureFailure(Failure, missing.devices(signal))), /couldn’t be started \(ENOENT\)/);
  });

  it('stops adb when it takes too long', async () => {
    const slow = await script('setTimeout(() => {}, 600_000)');
    const error = await captureFailure(Failure, runAdb(slow, [], 50, signal));
    assert.match(said(error), /didn’t finish within 0\.05 seconds/);
  });

  it('finishes with the adb process, even if the server that adb started keeps its output open', async () => {
    const daemon = await script(`
      const { spawn } = require('node:child_process');
      const options = { stdio: ['ignore', 'inherit', 'inherit'], detached: true };
      const server = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600_000)'], options);
      server.unref();
      console.log(server.pid);
    `);
    const { stdout, exitCode } = await runAdb(daemon, [], 20_000, signal);
    process.kill(Number(stdout));
    assert.equal(exitCode, 0);
  });
});
