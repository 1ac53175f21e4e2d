import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, link, mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { CancelledError } from '../../../../src/api/errors/cancelledError.ts';
import { DiskTree, ProjectFolder } from '../../../../src/projects/projectFolder.ts';
import { MAX_ENTRIES } from '../../../../src/projects/limits.ts';
import { planFolder } from '../../../../src/projects/packing/folderPlan.ts';
import { needsConsent } from '../../../../src/projects/packing/packageContents.ts';
import {
  addFiles,
  fileUri,
  folderOf,
  KNOWN_APP,
  pathsOf,
  plan,
  reasonsOf,
  type Files,
} from '../../../support/packing.ts';
import { itOnPosix } from '../../../support/itOnPosix.ts';

const APP: Files = { 'config.xml': '<widget/>', 'index.html': 'page' };
const isWindows = process.platform === 'win32';
/** What means something in an address; Windows has no `?` in names. */
const ODD_NAME = isWindows ? 'www/ü b#%.txt' : 'www/ü b#?%.txt';

describe('what is packed', () => {
  let folder: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ folder, remove } = await folderOf(APP));
  });
  afterEach(() => remove());

  /** Plans the folder as this tree shows it. */
  const planIn = (tree: Partial<DiskTree>, signal?: AbortSignal) => {
    const shown = Object.assign(new DiskTree(folder), tree);
    const project = { uri: fileUri(folder), path: '', name: undefined };
    return planFolder(new ProjectFolder(shown, '', signal), project, { known: KNOWN_APP });
  };
  /** Lists a folder in another way. */
  const listing = (path: string, list: DiskTree['list']): Partial<DiskTree> => {
    const tree = new DiskTree(folder);
    return { list: (below) => (below === path ? list(below) : tree.list(below)) };
  };

  it('is every file, sorted, with its size, mode and date', async () => {
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
    assert.deepEqual(pathsOf(planned), paths);
    assert.equal(planned.totalBytes, 9 + 1 + 0 + 4 + 5 + 2);
    assert.deepEqual(planned.leftOut, []);
    assert.deepEqual(planned.suspects, []);
    assert.deepEqual(planned.warnings, [{ kind: 'fileNames', problem: 'notAscii', paths: [ODD_NAME] }]);
    for (const file of planned.files) {
      assert.equal(file.uri.fsPath, path.join(folder, file.path));
    }
    if (!isWindows) {
      assert.equal((planned.files[1]?.mode ?? 0) & 0o777, 0o755);
    }
  });

  it('is that of a folder whose path means something in an address', async () => {
    const project = isWindows ? 'a b#%41ü' : 'a b#?%41ü';
    await addFiles(folder, { [`${project}/index.html`]: 'page', [`${project}/a%41.js`]: '', '.gitignore': '*.map' });
    await addFiles(folder, { [`${project}/x.map`]: '' });
    const planned = await plan(folder, project);
    assert.deepEqual(
      planned.files.map(({ uri }) => uri.fsPath),
      ['a%41.js', 'index.html'].map((name) => path.join(folder, project, name)),
    );
    assert.deepEqual(reasonsOf(planned), { 'x.map': '../.gitignore: *.map' });
  });

  it('is nothing of version control, tools and Cordova’s own folders, which is said', async () => {
    await addFiles(folder, {
      '.git/config': '',
      'www/lib/.git': 'gitdir: elsewhere',
      'node_modules/a/index.js': '',
      'www/node_modules/b.js': '',
      'platforms/android/a': '',
      'plugins/p/plugin.xml': '',
      '.DS_Store': '',
      'package-lock.json': '{}',
      'package.json': '{}',
      'www/plugins/own.js': '',
      'www/platforms.js': '',
    });
    const planned = await plan(folder);
    assert.deepEqual(pathsOf(planned), [
      'config.xml',
      'index.html',
      'package.json',
      'www/platforms.js',
      'www/plugins/own.js',
    ]);
    assert.deepEqual(reasonsOf(planned), {
      '.DS_Store': 'notPartOfApp',
      '.git/': 'notPartOfApp',
      'node_modules/': 'notPartOfApp',
      'package-lock.json': 'notPartOfApp',
      'platforms/': 'notPartOfApp',
      'plugins/': 'notPartOfApp',
      'www/lib/.git': 'notPartOfApp',
      'www/node_modules/': 'notPartOfApp',
    });
  });

  it('is no app package, wherever it was saved, unless .appbuildignore asks for it', async () => {
    await addFiles(folder, {
      'Tally-1.0.0-test.apk': 'package',
      'builds/Tally-1.0.0.APK': 'package',
      'builds/Tally-1.0.0.aab': 'package',
      'www/Tally.ipa': 'package',
      'www/apk': 'a page about it',
      'www/shop.apk/index.html': 'page',
    });
    const planned = await plan(folder);
    assert.deepEqual(pathsOf(planned), ['config.xml', 'index.html', 'www/apk', 'www/shop.apk/index.html']);
    const packages = ['Tally-1.0.0-test.apk', 'builds/Tally-1.0.0.APK', 'builds/Tally-1.0.0.aab', 'www/Tally.ipa'];
    assert.deepEqual(reasonsOf(planned), Object.fromEntries(packages.map((name) => [name, 'appPackage'])));
    await addFiles(folder, { '.appbuildignore': '!/www/*.ipa\n' });
    assert.ok(pathsOf(await plan(folder)).includes('www/Tally.ipa'));
  });

  it('is a folder plugins/ of a plain page, which Cordova has not made', async () => {
    await addFiles(folder, { 'site/index.html': 'page', 'site/plugins/slider.js': '' });
    assert.deepEqual(pathsOf(await plan(folder, 'site')), ['index.html', 'plugins/slider.js']);
  });

  it('is nothing below a folder with the name of a secret, without a question for each file', async () => {
    await addFiles(folder, {
      '.appbuildignore': '!.aws/\n!.env.d/\n!credentials\n.aws/cli/\n',
      '.aws/.ssh/id_rsa': 'key',
      '.aws/cli/history.db': 'x',
      '.aws/sso/cache/x.json': '{"accessToken": "short"}',
      '.env.d/production': 'A=1',
      '.gnupg/private-keys-v1.d/a.key': 'key',
    });
    const planned = await plan(folder);
    assert.deepEqual(pathsOf(planned), ['.appbuildignore', ...Object.keys(APP)]);
    const below = ['.aws/sso/cache/x.json', '.env.d/production'];
    assert.deepEqual(
      planned.suspects.map((suspect) => [suspect.file.path, suspect.secret, needsConsent(suspect)]),
      below.map((name) => [name, 'name', true]),
    );
    assert.deepEqual(reasonsOf(planned), {
      '.aws/.ssh/': 'secret',
      '.aws/cli/': '.appbuildignore: .aws/cli/',
      ...Object.fromEntries(below.map((name) => [name, 'secret'])),
      '.gnupg/': 'secret',
    });
  });

  itOnPosix('is nothing of a folder with the name of a secret by way of a link either', async () => {
    await addFiles(folder, {
      '.appbuildignore': '!data\n!.aws/',
      '.ssh/work/key': 'key',
      '.aws/a.json': '{}',
      'shared/b.json': '{}',
    });
    await mkdir(path.join(folder, 'www'));
    await symlink('../.ssh/work', path.join(folder, 'www/data'));
    await symlink('../shared', path.join(folder, '.aws/shared'));
    const planned = await plan(folder);
    assert.deepEqual(
      planned.suspects.map((suspect) => [suspect.file.path, needsConsent(suspect)]),
      ['.aws/a.json', '.aws/shared/b.json', 'www/data/key'].map((name) => [name, true]),
    );
    assert.deepEqual(pathsOf(planned), ['.appbuildignore', ...Object.keys(APP), 'shared/b.json'].sort());
  });

  itOnPosix(
    'is a link inside the folder as what it leads to, and none that leads out, nowhere or in a circle',
    async () => {
      const outside = await folderOf({ 'secret.txt': 'outside', 'index.html': '' });
      await addFiles(folder, {
        'shared/lib.js': 'library',
        'shared/node_modules/x.js': '',
        'shared/deep/deeper.js': '',
        'www/page.html': '',
        '.env': 'A=1',
        '.git/config': '',
      });
      const links: Readonly<Record<string, string>> = {
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
        'www/settings.txt': '../.env',
        'www/git.txt': '../.git/config',
        // Not below the folder, though its path begins alike.
        'www/beside': `${folder}-beside`,
      };
      await mkdir(`${folder}-beside`);
      for (const [name, target] of Object.entries(links)) {
        await symlink(target, path.join(folder, name));
      }
      try {
        const planned = await plan(folder);
        assert.deepEqual(
          pathsOf(planned).filter((name) => name.startsWith('www/')),
          [
            'www/chain.js',
            'www/file.js',
            'www/lib/deep/deeper.js',
            'www/lib/lib.js',
            'www/lib2/deep/deeper.js',
            'www/lib2/lib.js',
            'www/page.html',
          ],
        );
        const reasons = reasonsOf(planned);
        for (const name of 'out.txt outside parent nowhere itself up/ here/ beside lib/deep/back/'.split(' ')) {
          assert.equal(reasons[`www/${name}`], 'link', name);
        }
        assert.equal(reasons['www/settings.txt'], 'secret');
        assert.equal(reasons['www/git.txt'], 'notPartOfApp');
        assert.ok(pathsOf(planned).includes('shared/deep/back/page.html'));
      } finally {
        await outside.remove();
        await rm(`${folder}-beside`, { recursive: true });
      }
    },
  );

  itOnPosix(
    'is nothing by way of a link that stays behind at its own place, unless a line asks for the link',
    async () => {
      await addFiles(folder, {
        '.gitignore': '/private/\n/data/*.csv\n/dist/\n',
        'private/customers.csv': 'name',
        'data/.gitignore': 'own.txt\n',
        'data/a.csv': '',
        'data/b.txt': '',
        'data/own.txt': '',
        'data/deep/own.txt': '',
        'dist/lib.js': '',
      });
      await mkdir(path.join(folder, 'assets'));
      for (const [name, target] of [
        ['p', '../private'],
        ['customers.csv', '../private/customers.csv'],
        ['d', '../data'],
        ['deep', '../data/deep'],
        ['a.csv', '../data/a.csv'],
        ['b.txt', '../data/b.txt'],
      ] as const) {
        await symlink(target, path.join(folder, 'assets', name));
      }
      const sent = async () => pathsOf(await plan(folder)).filter((name) => name.startsWith('assets/'));
      assert.deepEqual(await sent(), ['assets/b.txt', 'assets/d/.gitignore', 'assets/d/b.txt']);
      const reasons = reasonsOf(await plan(folder));
      assert.equal(reasons['assets/p/'], '.gitignore: /private/');
      assert.equal(reasons['assets/deep/own.txt'], 'data/.gitignore: own.txt');
      await addFiles(folder, { '.appbuildignore': '!/assets/p\n' });
      assert.deepEqual(await sent(), [
        'assets/b.txt',
        'assets/d/.gitignore',
        'assets/d/b.txt',
        'assets/p/customers.csv',
      ]);
      // The folder of the pages is the app, wherever a link has it.
      await addFiles(folder, { 'dist/index.html': 'page' });
      await rm(path.join(folder, 'index.html'));
      await symlink('dist', path.join(folder, 'www'));
      assert.deepEqual(pathsOf(await plan(folder)), ['config.xml', 'www/index.html', 'www/lib.js']);
    },
  );

  itOnPosix('is no link to what is beside the project, in the folder that it was found in', async () => {
    await addFiles(folder, { 'app/index.html': '', 'shared/lib.js': '' });
    await symlink('../shared', path.join(folder, 'app/shared'));
    await symlink('../shared/lib.js', path.join(folder, 'app/lib.js'));
    await symlink('.', path.join(folder, 'app/app'));
    const planned = await plan(folder, 'app');
    assert.deepEqual(pathsOf(planned), ['index.html']);
    assert.deepEqual(reasonsOf(planned), { app: 'link', 'lib.js': 'link', shared: 'link' });
  });

  itOnPosix('is no pipe, on which nobody waits', async () => {
    await promisify(execFile)('mkfifo', [path.join(folder, 'pipe')]);
    await link(path.join(folder, 'index.html'), path.join(folder, 'second.html'));
    const planned = await plan(folder);
    assert.deepEqual(reasonsOf(planned), { pipe: 'special' });
    assert.ok(pathsOf(planned).includes('second.html'));
  });

  it('is no file whose name not every system can have', async () => {
    // Windows makes these, too, for programs that know how to ask.
    const names = ['dot.', 'space ', 'aux.js', `${'long/'.repeat(170)}x`];
    if (!isWindows) {
      names.push('a\\b.txt', 'C:x', 'line\nbreak', 'tab\t');
    }
    await addFiles(folder, Object.fromEntries(names.map((name) => [`www/${name}`, ''])));
    await addFiles(folder, { 'www/..ok': '', 'www/auxiliary.js': '', 'www/Page.html': '', 'www/JS/a.js': '' });
    const planned = await plan(folder);
    const expected = ['config.xml', 'index.html', 'www/..ok', 'www/JS/a.js', 'www/Page.html', 'www/auxiliary.js'];
    assert.deepEqual(pathsOf(planned), expected);
    const reasons = reasonsOf(planned);
    assert.deepEqual([...new Set(Object.values(reasons))], ['name']);
    assert.equal(Object.keys(reasons).length, names.length);
  });

  itOnPosix('is one of two files whose names differ by upper and lower case only', async () => {
    await addFiles(folder, { 'www/Page.html': '', 'www/page.html': '', 'www/JS/a.js': '', 'www/js/a.js': '' });
    const planned = await plan(folder);
    assert.deepEqual(pathsOf(planned), ['config.xml', 'index.html', 'www/JS/a.js', 'www/Page.html']);
    assert.deepEqual(reasonsOf(planned), { 'www/page.html': 'name', 'www/js/': 'name' });
  });

  it('is not a folder that cannot be read', async () => {
    await addFiles(folder, { 'www/closed/a.js': '' });
    // Permissions would not keep an administrator out.
    const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    const planned = await planIn(listing('www/closed', () => Promise.reject(denied)));
    assert.deepEqual(reasonsOf(planned), { 'www/closed/': 'unreadable' });
  });

  it('ends at a limit, when there is nothing, when the folder is gone, and when it is cancelled', async () => {
    await addFiles(folder, { 'www/many/a.js': '' });
    const many = Array.from(
      { length: MAX_ENTRIES },
      (_, index) => ({ name: `f${index}.js`, kind: 'special' }) as const,
    );
    await assert.rejects(planIn(listing('www/many', () => Promise.resolve(many))), / holds more than 200/);
    await addFiles(folder, { 'none/index.html': '', 'none/.appbuildignore': '*', 'none/a.p12': '' });
    await assert.rejects(plan(folder, 'none'), /nothing to send in none/);
    await assert.rejects(plan(path.join(folder, 'gone')), /The folder gone cannot be found/);
    await assert.rejects(plan(folder, '', AbortSignal.abort()), CancelledError);
    const stop = new AbortController();
    const waiting = planIn({ details: () => new Promise<never>(() => undefined) }, stop.signal);
    setImmediate(() => stop.abort());
    await assert.rejects(waiting, CancelledError);
  });
});
