import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { verifyApk } from '../support/apk/verifyApk.ts';
import { useFolderForEachTest } from '../support/hooks.ts';
import { itOnPosix } from '../support/itOnPosix.ts';
import { addFiles } from '../support/packing.ts';
import { repositoryRoot } from '../support/repository.ts';
import { KEY_PASSWORDS, keyFile } from '../support/signingKeys.ts';
import { builtFiles, PROJECTS } from '../support/webProjects.ts';

/** A folder that can become an app. */
const APP = { 'app/index.html': '<p>' };

/** The output of `--json`. */
interface Report {
  readonly file: string;
  readonly id: string;
  readonly sha256: string;
  readonly warnings: readonly string[];
}

interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('npm run apk', () => {
  let folder: string;
  useFolderForEachTest((made) => (folder = made));

  function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Run> {
    const program = path.join(repositoryRoot, 'src', 'apk.ts');
    return new Promise((resolve) => {
      const env = { ...process.env, ...environment, INIT_CWD: folder };
      execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
      });
    });
  }

  for (const project of PROJECTS) {
    it(`makes a signed app from a ${project.kind} project`, async () => {
      await addFiles(
        folder,
        Object.fromEntries(Object.entries(builtFiles(project)).map(([name, text]) => [`app/${name}`, text])),
      );
      const { status, stdout, stderr } = await run(['app', '--json']);
      assert.equal(status, 0, stderr);
      const { file, id, sha256, warnings } = JSON.parse(stdout) as Report;
      assert.equal(path.dirname(file), folder);
      const bytes = await readFile(file);
      assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
      assert.equal((await verifyApk(bytes)).manifest.package, id);
      assert.equal(
        warnings.some((text) => text.startsWith('No file sets the app ID')),
        project.id === undefined,
      );
    });
  }

  it('signs with a key and makes a bundle, without printing the password', async () => {
    const password = KEY_PASSWORDS['release.p12'].keystore;
    await addFiles(folder, { 'app/index.html': '<title>Shop</title>' });
    await writeFile(path.join(folder, 'release.p12'), keyFile('release.p12'));
    const args = ['app', '--key', 'release.p12', '--aab'];
    const { status, stdout, stderr } = await run(args, { APP_BUILD_KEY_PASSWORD: password });
    assert.equal(status, 0, stderr);
    assert.deepEqual((await readdir(folder)).sort(), ['Shop-1.0.0.aab', 'Shop-1.0.0.apk', 'app', 'release.p12']);
    assert.match(stdout, /Signed with the key “release\.p12”/);
    assert.equal(`${stdout}${stderr}`.includes(password), false);
  });

  it('warns about elements and preferences in config.xml that have no effect', async () => {
    const parts = '<name>A</name><hook type="x" src="x.js"/><preference name="KeepRunning" value="true"/>';
    await addFiles(folder, {
      'app/config.xml': `<widget id="a.b" version="1.0.0">${parts}</widget>`,
      'app/www/index.html': '<p>',
    });
    const { status, stdout, stderr } = await run(['app', '--json']);
    assert.equal(status, 0, stderr);
    assert.deepEqual(
      (JSON.parse(stdout) as Report).warnings.filter((text) => text.startsWith('config.xml: ')),
      [
        'config.xml: the preference “KeepRunning” has no effect in this package.',
        'config.xml: <hook> has no effect in this package.',
      ],
    );
  });

  itOnPosix('replaces a link at the path of the app, and leaves the link’s target unchanged', async () => {
    await addFiles(folder, { 'app/index.html': '<title>Shop</title>', 'notes.txt': 'mine' });
    const target = path.join(folder, 'Shop-1.0.0-test.apk');
    await symlink('notes.txt', target);
    const { status, stderr } = await run(['app', '--json']);
    assert.equal(status, 0, stderr);
    assert.ok((await lstat(target)).isFile());
    assert.equal(await readFile(path.join(folder, 'notes.txt'), 'utf8'), 'mine');
  });

  it('exits with 1 and leaves no part of the app if the app can’t be written', async () => {
    await addFiles(folder, { 'app/index.html': '<title>Shop</title>' });
    await mkdir(path.join(folder, 'Shop-1.0.0-test.apk', 'inside'), { recursive: true });
    const { status, stdout, stderr } = await run(['app', '--json']);
    assert.equal(status, 1, stderr);
    assert.match((JSON.parse(stdout) as { readonly error: string }).error, /Shop-1\.0\.0-test\.apk can’t be written/);
    assert.deepEqual((await readdir(folder)).sort(), ['Shop-1.0.0-test.apk', 'app']);
  });

  for (const { args, reason, files } of [
    { args: ['nowhere'], reason: /nowhere isn’t a folder/, files: {} },
    { args: ['empty'], reason: /no web project/, files: { 'empty/readme.txt': '' } },
    {
      args: ['broken'],
      reason: /config\.xml/,
      files: { 'broken/config.xml': '<widget', 'broken/www/index.html': '<p>' },
    },
    {
      args: ['unbuilt'],
      reason: /npm run build/,
      files: {
        'unbuilt/package.json': '{"scripts":{"build":"vite build"},"devDependencies":{"vite":"7.0.0"}}',
        'unbuilt/index.html': '<script type="module" src="/src/main.ts"></script>',
        'unbuilt/src/main.ts': '',
      },
    },
    {
      args: ['several'],
      reason: /several web projects: one, two/,
      files: {
        'several/one/www/index.html': '<p>',
        'several/one/config.xml': '<widget/>',
        'several/two/www/index.html': '<p>',
        'several/two/config.xml': '<widget/>',
      },
    },
    {
      args: ['plugin'],
      reason: /^Plugin not supported: cordova-plugin-admob-free \(.*app\.js:1\)\. Remove it .* with Cordova\.$/,
      files: {
        'plugin/config.xml':
          '<widget id="a.b" version="1.0.0"><name>A</name><plugin name="cordova-plugin-admob-free"/></widget>',
        'plugin/www/index.html': '<script src="app.js"></script><p>',
        'plugin/www/app.js': 'admob.banner.show()',
      },
    },
    { args: ['app', '--key', 'no.p12'], reason: /no\.p12 can’t be read/, files: APP },
    { args: ['app', '--key', 'noise.p12'], reason: /Invalid keystore format/, files: APP },
    { args: ['app', '--key', 'release.p12'], reason: /password/i, files: APP },
  ]) {
    it(`exits with 1 and the reason for ${args.join(' ')}`, async () => {
      await addFiles(folder, files);
      await writeFile(path.join(folder, 'release.p12'), keyFile('release.p12'));
      await writeFile(path.join(folder, 'noise.p12'), 'not a keystore');
      const password = 'a wrong password';
      const { status, stdout, stderr } = await run([...args, '--json'], { APP_BUILD_KEY_PASSWORD: password });
      assert.equal(status, 1, stderr);
      assert.match((JSON.parse(stdout) as { readonly error: string }).error, reason);
      assert.equal(`${stdout}${stderr}`.includes(password), false);
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name.endsWith('.apk')),
        [],
      );
    });
  }

  it('exits with 2 and its usage if the arguments are wrong', async () => {
    for (const args of [[], ['a', 'b'], ['a', '--aab'], ['a', '--unknown']]) {
      const { status, stdout, stderr } = await run(args);
      assert.deepEqual([status, stdout], [2, ''], args.join(' '));
      assert.match(stderr, /Usage: npm run apk -- FOLDER/);
    }
  });
});
