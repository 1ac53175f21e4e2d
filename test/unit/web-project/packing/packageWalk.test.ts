import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, link, mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { CancelledError } from '../../../../src/errors/index.ts';
import { DiskTree, ProjectFolder } from '../../../../src/web-project/projectFolder.ts';
import { MAX_ENTRIES } from '../../../../src/web-project/limits.ts';
import { planPackage } from '../../../../src/web-project/packing/folderPlan.ts';
import { needsConsent } from '../../../../src/web-project/packing/packageContents.ts';
import {
  addFiles,
  emptyFiles,
  fileUri,
  createFolder,
  KNOWN_APP,
  getPaths,
  plan,
  getReasons,
  type Files,
} from '../../../support/packing.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { itOnPosix } from '../../../support/itOnPosix.ts';

const APP: Files = { 'config.xml': '<widget/>', 'index.html': 'page' };
const isWindows = process.platform === 'win32';
/** Name whose characters have a meaning in a URL. Windows doesn't allow `?` in names. */
const ODD_NAME = isWindows ? 'www/ü b#%.txt' : 'www/ü b#?%.txt';

describe('the list of packed files', () => {
  let folder: string;
  useFolderForEachTest(async (made) => {
    folder = made;
    await addFiles(folder, APP);
  });

  /** Plans the folder as seen through this tree. */
  const planIn = (tree: Partial<DiskTree>, signal?: AbortSignal) => {
    const shown = Object.assign(new DiskTree(folder), tree);
    const project = { uri: fileUri(folder), path: '', name: undefined };
    return planPackage(project, { known: KNOWN_APP }, new ProjectFolder(shown, '', signal));
  };
  /** Replaces the listing of one folder. */
  const listing = (below: string, list: DiskTree['list']): Partial<DiskTree> => {
    const tree = new DiskTree(folder);
    return { list: (each) => (each === below ? list(each) : tree.list(each)) };
  };
  /** Creates links, given as path and target. */
  const addLinks = async (links: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, target] of Object.entries(links)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await symlink(target, path.join(folder, name));
    }
  };
  /** Returns the sent paths that aren't the app's. */
  const sent = async () => getPaths(await plan(folder)).filter((name) => !(name in APP));

  it('lists every file, sorted, with its size, mode, and date', async () => {
    await addFiles(folder, {
      'www/js/a.js': '12345',
      'www/Z.css': '',
      'hooks/run.sh': 'x',
      'empty/': '',
      [ODD_NAME]: 'ü',
    });
    await chmod(path.join(folder, 'hooks/run.sh'), 0o755);
    const planned = await plan(folder);
    const paths = ['config.xml', 'hooks/run.sh', 'index.html', 'www/Z.css', 'www/js/a.js', ODD_NAME];
    assert.deepEqual(getPaths(planned), paths);
    assert.equal(planned.totalBytes, 9 + 1 + 0 + 4 + 5 + 2);
    assert.deepEqual([planned.leftOut, planned.suspects], [[], []]);
    assert.deepEqual(planned.warnings, [{ kind: 'fileNames', problem: 'notAscii', paths: [ODD_NAME] }]);
    for (const file of planned.files) {
      assert.equal(file.uri.fsPath, path.join(folder, file.path));
    }
    if (!isWindows) {
      assert.equal((planned.files[1]?.mode ?? 0) & 0o777, 0o755);
    }
  });

  it('lists all files of a folder whose path has characters with a meaning in URLs', async () => {
    const project = isWindows ? 'a b#%41ü' : 'a b#?%41ü';
    await addFiles(folder, { '.gitignore': '*.map', ...emptyFiles(['index.html', 'a%41.js', 'x.map'], `${project}/`) });
    const planned = await plan(folder, project);
    assert.deepEqual(
      planned.files.map(({ uri }) => uri.fsPath),
      ['a%41.js', 'index.html'].map((name) => path.join(folder, project, name)),
    );
    assert.deepEqual(getReasons(planned), { 'x.map': '../.gitignore: *.map' });
  });

  it('omits the folders of version control, tools, and Cordova, and reports them', async () => {
    const notPart = ['.DS_Store', '.git/', 'node_modules/', 'package-lock.json', 'platforms/', 'plugins/'];
    notPart.push('www/lib/.git', 'www/node_modules/');
    await addFiles(folder, emptyFiles(notPart.map((name) => (name.endsWith('/') ? `${name}a/b.js` : name))));
    const own = ['package.json', 'www/platforms.js', 'www/plugins/own.js'];
    await addFiles(folder, emptyFiles(own));
    assert.deepEqual(await sent(), own);
    assert.deepEqual(getReasons(await plan(folder)), Object.fromEntries(notPart.map((name) => [name, 'notPartOfApp'])));
    // Cordova didn't create this folder of a plain page.
    await addFiles(folder, emptyFiles(['index.html', 'plugins/slider.js'], 'site/'));
    assert.deepEqual(getPaths(await plan(folder, 'site')), ['index.html', 'plugins/slider.js']);
  });

  it('omits app packages, wherever they were saved, unless .appbuildignore includes them', async () => {
    const packages = ['Tally-1.0.0-test.apk', 'builds/Tally-1.0.0.APK', 'builds/Tally-1.0.0.aab', 'www/Tally.ipa'];
    await addFiles(folder, emptyFiles([...packages, 'www/apk', 'www/shop.apk/index.html']));
    assert.deepEqual(await sent(), ['www/apk', 'www/shop.apk/index.html']);
    assert.deepEqual(getReasons(await plan(folder)), Object.fromEntries(packages.map((name) => [name, 'appPackage'])));
    await addFiles(folder, { '.appbuildignore': '!/www/*.ipa\n' });
    assert.ok((await sent()).includes('www/Tally.ipa'));
  });

  it('omits everything in a folder with a secret’s name, without asking for each file', async () => {
    await addFiles(folder, {
      '.appbuildignore': '!.aws/\n!.env.d/\n!credentials\n.aws/cli/\n',
      '.aws/sso/cache/x.json': '{"accessToken": "short"}',
      ...emptyFiles(['.aws/.ssh/id_rsa', '.aws/cli/history.db', '.env.d/production', '.gnupg/private-keys-v1.d/a.key']),
    });
    const planned = await plan(folder);
    assert.deepEqual(await sent(), ['.appbuildignore']);
    const below = ['.aws/sso/cache/x.json', '.env.d/production'];
    assert.deepEqual(
      planned.suspects.map((suspect) => [suspect.file.path, suspect.secret, needsConsent(suspect)]),
      below.map((name) => [name, 'name', true]),
    );
    assert.deepEqual(getReasons(planned), {
      '.aws/.ssh/': 'secret',
      '.aws/cli/': '.appbuildignore: .aws/cli/',
      ...Object.fromEntries(below.map((name) => [name, 'secret'])),
      '.gnupg/': 'secret',
    });
  });

  itOnPosix('omits a folder with a secret’s name, even if a link leads to it', async () => {
    await addFiles(folder, { '.appbuildignore': '!data\n!.aws/' });
    await addFiles(folder, emptyFiles(['.ssh/work/key', '.aws/a.json', 'shared/b.json']));
    await addLinks({ 'www/data': '../.ssh/work', '.aws/shared': '../shared' });
    assert.deepEqual(
      (await plan(folder)).suspects.map((suspect) => [suspect.file.path, needsConsent(suspect)]),
      ['.aws/a.json', '.aws/shared/b.json', 'www/data/key'].map((name) => [name, true]),
    );
    assert.deepEqual(await sent(), ['.appbuildignore', 'shared/b.json']);
  });

  itOnPosix(
    'includes the target of a link inside the folder, but no link that leads outside, nowhere, or in a circle',
    async () => {
      const outside = await createFolder({ 'secret.txt': 'outside', 'index.html': '' });
      const shared = ['shared/lib.js', 'shared/node_modules/x.js', 'shared/deep/deeper.js'];
      await addFiles(folder, emptyFiles([...shared, 'data/a.js', 'www/page.html', '.env', '.git/config']));
      await mkdir(`${folder}-beside`);
      await addLinks({
        'www/lib': '../shared',
        'www/lib2': '../shared',
        'www/file.js': '../shared/lib.js',
        'www/chain.js': 'file.js',
        'www/out.txt': path.join(outside.folder, 'secret.txt'),
        'www/outside': outside.folder,
        'www/parent': '../..',
        'www/nowhere': 'missing',
        'www/itself': 'itself',
        'www/up': '..',
        'www/here': '.',
        'shared/deep/back': '../../www',
        // In the target folder of a link, further links to folders aren't followed.
        'shared/deep/data': '../../data',
        'www/settings.txt': '../.env',
        'www/git.txt': '../.git/config',
        // This folder is outside, though its path starts with the same text.
        'www/beside': `${folder}-beside`,
      });
      try {
        const inLinks = ['lib/deep/deeper.js', 'lib/lib.js', 'lib2/deep/deeper.js', 'lib2/lib.js'];
        assert.deepEqual(
          (await sent()).filter((name) => name.startsWith('www/')),
          ['chain.js', 'file.js', ...inLinks, 'page.html'].map((name) => `www/${name}`),
        );
        assert.ok((await sent()).includes('shared/deep/back/page.html'));
        const reasons = getReasons(await plan(folder));
        for (const name of 'out.txt outside parent nowhere itself up/ here/ beside lib/deep/back/ lib/deep/data/'.split(
          ' ',
        )) {
          assert.equal(reasons[`www/${name}`], 'link', name);
        }
        assert.deepEqual([reasons['www/settings.txt'], reasons['www/git.txt']], ['secret', 'notPartOfApp']);
      } finally {
        await outside.remove();
        await rm(`${folder}-beside`, { recursive: true });
      }
    },
  );

  itOnPosix('omits an ignored target of a link, unless a line of .appbuildignore includes it', async () => {
    await addFiles(folder, { '.gitignore': '/private/\n/data/*.csv\n/dist/\n', 'data/.gitignore': 'own.txt\n' });
    const data = ['private/customers.csv', 'data/a.csv', 'data/b.txt', 'data/own.txt', 'data/deep/own.txt'];
    await addFiles(folder, emptyFiles([...data, 'dist/lib.js']));
    await addLinks({
      'assets/p': '../private',
      'assets/customers.csv': '../private/customers.csv',
      'assets/d': '../data',
      'assets/deep': '../data/deep',
      'assets/a.csv': '../data/a.csv',
      'assets/b.txt': '../data/b.txt',
    });
    const inAssets = async () => (await sent()).filter((name) => name.startsWith('assets/'));
    const expected = ['assets/b.txt', 'assets/d/.gitignore', 'assets/d/b.txt'];
    assert.deepEqual(await inAssets(), expected);
    const reasons = getReasons(await plan(folder));
    assert.equal(reasons['assets/p/'], '.gitignore: /private/');
    assert.equal(reasons['assets/deep/own.txt'], 'data/.gitignore: own.txt');
    await addFiles(folder, { '.appbuildignore': '!/assets/p\n' });
    assert.deepEqual(await inAssets(), [...expected, 'assets/p/customers.csv']);
    // The pages folder is the app, even if it's the target of a link.
    await addFiles(folder, { 'dist/index.html': 'page' });
    await rm(path.join(folder, 'index.html'));
    await addLinks({ www: 'dist' });
    assert.deepEqual(await sent(), ['www/index.html', 'www/lib.js']);
  });

  itOnPosix('omits links to files in the project’s parent folder', async () => {
    await addFiles(folder, emptyFiles(['app/index.html', 'shared/lib.js']));
    await addLinks({ 'app/shared': '../shared', 'app/lib.js': '../shared/lib.js', 'app/app': '.' });
    const planned = await plan(folder, 'app');
    assert.deepEqual(getPaths(planned), ['index.html']);
    assert.deepEqual(getReasons(planned), { app: 'link', 'lib.js': 'link', shared: 'link' });
  });

  itOnPosix('omits pipes, and doesn’t wait for them', async () => {
    await promisify(execFile)('mkfifo', [path.join(folder, 'pipe')]);
    await link(path.join(folder, 'index.html'), path.join(folder, 'second.html'));
    assert.deepEqual(getReasons(await plan(folder)), { pipe: 'special' });
    assert.deepEqual(await sent(), ['second.html']);
  });

  it('omits files whose names aren’t valid on every system', async () => {
    // Windows can create these files as well, with special calls.
    const names = ['dot.', 'space ', 'aux.js', `${'long/'.repeat(170)}x`];
    if (!isWindows) {
      names.push('a\\b.txt', 'C:x', 'line\nbreak', 'tab\t');
    }
    const portable = ['www/..ok', 'www/JS/a.js', 'www/Page.html', 'www/auxiliary.js'];
    await addFiles(folder, emptyFiles([...names.map((name) => `www/${name}`), ...portable]));
    assert.deepEqual(await sent(), portable);
    assert.deepEqual(Object.values(getReasons(await plan(folder))), Array(names.length).fill('name'));
  });

  itOnPosix('includes only one of two files whose names differ only in case', async () => {
    await addFiles(folder, emptyFiles(['www/Page.html', 'www/page.html', 'www/JS/a.js', 'www/js/a.js']));
    assert.deepEqual(await sent(), ['www/JS/a.js', 'www/Page.html']);
    assert.deepEqual(getReasons(await plan(folder)), { 'www/page.html': 'name', 'www/js/': 'name' });
  });

  it('omits a folder that can’t be read', async () => {
    await addFiles(folder, { 'www/closed/a.js': '' });
    // Permissions don't apply to administrators, so the test simulates the error.
    const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    const planned = await planIn(listing('www/closed', () => Promise.reject(denied)));
    assert.deepEqual(getReasons(planned), { 'www/closed/': 'unreadable' });
  });

  it('fails if the folder has too many files, is empty, or is missing, and when it’s canceled', async () => {
    await addFiles(folder, {
      'www/many/a.js': '',
      'none/index.html': '',
      'none/.appbuildignore': '*',
      'none/a.p12': '',
    });
    const many = Array.from({ length: MAX_ENTRIES }, (_, index) => ({ name: `${index}`, kind: 'special' }) as const);
    await assert.rejects(planIn(listing('www/many', () => Promise.resolve(many))), / contains more than 200/);
    await assert.rejects(plan(folder, 'none'), /none has no files for an app/);
    await assert.rejects(plan(path.join(folder, 'gone')), /The folder gone can’t be found/);
    await assert.rejects(plan(folder, '', AbortSignal.abort()), CancelledError);
    const stop = new AbortController();
    const waiting = planIn({ details: () => new Promise<never>(() => undefined) }, stop.signal);
    setImmediate(() => stop.abort());
    await assert.rejects(waiting, CancelledError);
  });
});
