import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';

import fc from 'fast-check';

import { DiskTree, ProjectFolder } from '../../../../src/web-project/projectFolder.ts';
import { IgnoreRules } from '../../../../src/web-project/packing/ignoreRules.ts';
import type { PackagePlan } from '../../../../src/web-project/packing/packageContents.ts';
import { planPackage } from '../../../../src/web-project/packing/folderPlan.ts';
import {
  addFiles,
  emptyFiles,
  fileUri,
  KNOWN_APP,
  getPaths,
  plan,
  getReasons,
  type Files,
} from '../../../support/packing.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { itOnPosix } from '../../../support/itOnPosix.ts';

/** The page is at the top, so that the whole project is searched. */
const APP: Files = { 'config.xml': '<widget/>', 'index.html': '' };

describe('ignore files', () => {
  let folder: string;
  useFolderForEachTest(async (made) => {
    folder = made;
    await addFiles(folder, APP);
  });

  /** Returns the packed paths, except those that every project here has. */
  async function packed(files: Files, project = ''): Promise<readonly string[]> {
    await addFiles(folder, files);
    const planned = await plan(folder, project);
    return getPaths(planned).filter((file) => !(file in APP) && !/(?:^|\/)\.(?:git|appbuild)ignore$/.test(file));
  }

  /** Returns the paths of secrets that a line of .appbuildignore names. */
  async function askedFor(): Promise<readonly string[]> {
    return (await plan(folder)).suspects.filter(({ isRequested }) => isRequested).map(({ file }) => file.path);
  }

  function generatedIn({ warnings }: PackagePlan): PackagePlan['warnings'] {
    return warnings.filter(({ kind }) => kind === 'generatedContent');
  }

  it('can contain a byte order mark, empty lines, and any line ending, and ignore case where the file system does', async () => {
    const rules = '\uFEFFfirst\r\n# comment\n\n/\n\\#real\n\\!bang\n/top.js\ntrailing   \r\nkept\\ \n*.log\n!own.log\n';
    const kept = ['b/top.js', 'comment', 'own.log'];
    const ignored = ['first', '#real', '!bang', 'top.js', 'trailing', 'kept ', 'a.log', 'b/c.log'];
    assert.deepEqual(await packed({ '.gitignore': rules, ...emptyFiles([...kept, ...ignored]) }), kept);
    const isCaseSensitive = process.platform === 'linux';
    assert.equal((await packed({ '.gitignore': `${rules}OWN.log` })).includes('own.log'), isCaseSensitive);
  });

  it('in a subfolder apply only there and take precedence, even if folder names look like patterns', async () => {
    const files: Files = {
      '.gitignore': '*.log\nfoo/\n/[x]*y/b.js\n',
      'sub/.gitignore': '!keep.log\n/here.js\nfoo.txt/\n!foo/\n',
      ...emptyFiles(['keep.log', 'other.log', 'here.js', 'deep/here.js', 'deep/keep.log', 'foo/in.js'], 'sub/'),
      '[x] #!/.gitignore': 'a.js\n/b/c.js',
      ...emptyFiles(['a.js', 'd/a.js', 'b/c.js', 'd/b/c.js'], '[x] #!/'),
      ...emptyFiles(['foo/out.js', 'keep.log', 'x/a.js']),
    };
    const inSub = ['deep/here.js', 'deep/keep.log', 'foo/in.js', 'keep.log'].map((name) => `sub/${name}`);
    assert.deepEqual(await packed(files), ['[x] #!/d/b/c.js', ...inSub, 'x/a.js']);
    const planned = await plan(folder);
    assert.equal(getReasons(planned)['sub/here.js'], 'sub/.gitignore: /here.js');
    assert.equal(getReasons(planned)['[x] #!/b/c.js'], '[x] #!/.gitignore: /b/c.js');
  });

  it('in parent folders apply, starting from the repository that contains the project', async () => {
    const files: Files = {
      '.gitignore': '*.log\n/apps/one/top.js\n',
      'apps/.gitignore': 'one/mid.js\n!special.log\n',
      ...emptyFiles(['index.html', 'a.log', 'special.log', 'top.js', 'mid.js'], 'apps/one/'),
    };
    assert.deepEqual(await packed(files, 'apps/one'), ['special.log']);
    const reasons = getReasons(await plan(folder, 'apps/one'));
    assert.deepEqual(reasons, {
      'a.log': '../../.gitignore: *.log',
      'mid.js': '../.gitignore: one/mid.js',
      'top.js': '../../.gitignore: /apps/one/top.js',
    });
    await addFiles(folder, { 'apps/.git/HEAD': '' });
    const within = await packed({}, 'apps/one');
    assert.deepEqual(within, ['a.log', 'special.log', 'top.js']);
    // The user chose this project, so it isn't sent empty.
    await addFiles(folder, { '.gitignore': 'dist/\n', 'dist/web/index.html': '', 'dist/web/a.js': '' });
    assert.deepEqual(await packed({}, 'dist/web'), ['a.js']);
  });

  it('give .appbuildignore precedence, and let it include files that .gitignore leaves out', async () => {
    const files: Files = {
      '.gitignore': 'generated/\n*.map\n',
      'www/.gitignore': '!app.map\n',
      '.appbuildignore': '!generated/\nwww/app.map\ndocs/\nrelease.p12\n',
      ...emptyFiles(['generated/a.js', 'generated/a.map', 'www/app.map', 'docs/a.md', 'release.p12']),
    };
    assert.deepEqual(await packed(files), ['generated/a.js']);
    const reasons = getReasons(await plan(folder));
    assert.equal(reasons['docs/'], '.appbuildignore: docs/');
    assert.equal(reasons['generated/a.map'], '.gitignore: *.map');
  });

  it('can include a secret or a tools folder only in .appbuildignore', async () => {
    const files: Files = {
      ...emptyFiles(['www/.env', 'www/store.p12', 'www/.git/config', 'plugins/own.js']),
      'www/key.pem': '-----BEGIN PRIVATE KEY-----',
    };
    for (const broad of ['!www', '!www/', '!www/**', '!**', '!*', '!.*', '!www/*', '!*.*', '!?tore.???']) {
      assert.deepEqual(await packed({ '.appbuildignore': broad, ...files }), [], broad);
      assert.deepEqual(await askedFor(), broad === '!?tore.???' ? ['www/store.p12'] : [], broad);
    }
    const names = '!www/.env\n!*.p12\n!/plugins/\n!.git\n!.git/\n!key.pem\n';
    assert.deepEqual(await packed({ '.appbuildignore': names, ...files }), ['plugins/own.js']);
    // A secret is sent only after the user agrees.
    assert.deepEqual(await askedFor(), ['www/.env', 'www/key.pem', 'www/store.p12']);
  });

  it('don’t leave out pages that a tool generated, even if .gitignore names them', async () => {
    await rm(path.join(folder, 'index.html'));
    await addFiles(folder, { 'www/index.html': '' });
    const files = emptyFiles(['www/app.js', 'www/app.js.map', 'www/.env', 'src/a.map']);
    const cases: readonly (readonly [gitignore: string, rule: string])[] = [
      ['www', 'www'],
      ['/www/\n*.map', '/www/'],
      ['www/*', 'www/*'],
      ['www/**', 'www/**'],
      ['*\n!config.xml', '*'],
    ];
    for (const [gitignore, rule] of cases) {
      const sent = await packed({ ...files, '.gitignore': gitignore });
      assert.deepEqual(
        sent.filter((file) => file.startsWith('www/')),
        ['www/app.js', 'www/app.js.map', 'www/index.html'],
        gitignore,
      );
      const planned = await plan(folder);
      assert.deepEqual(generatedIn(planned), [{ kind: 'generatedContent', folder: 'www/', file: '.gitignore', rule }]);
      assert.ok(getPaths(planned).includes('www/index.html'));
    }
    // One rule is in the folder itself, and the other is in the user's .appbuildignore.
    await addFiles(folder, { '.gitignore': '', 'www/.gitignore': '*' });
    assert.deepEqual(generatedIn(await plan(folder)), [
      { kind: 'generatedContent', folder: 'www/', file: 'www/.gitignore', rule: '*' },
    ]);
    await addFiles(folder, { '.gitignore': 'www/', '.appbuildignore': 'www/' });
    const planned = await plan(folder);
    assert.deepEqual(planned.warnings, []);
    assert.ok(!getPaths(planned).includes('www/index.html'));
    // A single ignored file doesn't make this folder ignored.
    await addFiles(folder, { '.gitignore': 'www/*.map', '.appbuildignore': '', 'www/.gitignore': '' });
    assert.deepEqual(getReasons(await plan(folder))['www/app.js.map'], '.gitignore: www/*.map');
  });

  it('stop the plan if they can’t be read, because ignored files would be sent', async () => {
    await addFiles(folder, { 'www/.gitignore': 'private/', 'www/private/a.js': '' });
    const tree = new DiskTree(folder);
    // Permissions don't apply to administrators, so the test simulates the error.
    const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    const head = tree.head.bind(tree);
    tree.head = (file, bytes) => (file.endsWith('.gitignore') ? Promise.reject(denied) : head(file, bytes));
    const project = { uri: fileUri(folder), path: '', name: undefined };
    const planning = planPackage(project, { known: KNOWN_APP }, new ProjectFolder(tree, project.path));
    await assert.rejects(planning, /www\/\.gitignore can’t be read\./);
  });

  itOnPosix('count only if they’re plain files, not folders or links', async () => {
    await addFiles(folder, { 'rules.txt': 'a.js' });
    await symlink('rules.txt', path.join(folder, '.appbuildignore'));
    assert.deepEqual(await packed({ '.gitignore/a.js': '', 'a.js': '' }), ['.gitignore/a.js', 'a.js', 'rules.txt']);
  });

  it('stop the plan if they’re too long, so that no ignored file is sent', async () => {
    const tooLong: readonly Files[] = [
      { '.gitignore': 'a'.repeat(801) },
      { '.gitignore': '', '.appbuildignore': '\n'.repeat(256 * 1024 + 1) },
    ];
    for (const files of tooLong) {
      await addFiles(folder, files);
      await assert.rejects(plan(folder), /ignore is larger than 262.1 kB, or has a line longer than 800 characters/);
    }
  });

  it('apply in every folder as they do at the top, whatever their rules', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((each) => !/^\.*$|\//.test(each));
    const line = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '/', '!', '[', ']', '\\', ' ', '#', '-') });
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 5 }),
        name,
        fc.array(name, { minLength: 1, maxLength: 3 }),
        (lines, below, names) => {
          const all = new IgnoreRules(true).with(lines.join('\n'), below, 'f');
          const file = [below, ...names].join('/');
          const found = all.ruleAgainst(file, false);
          assert.ok(found === undefined || lines.includes(found.rule.replace(/\r$/, '')));
          // The rules of a folder don't apply to other folders.
          assert.equal(all.ruleAgainst(`${below}x/${names.join('/')}`, false), undefined);
          // A rule works in every folder as it does in the top-level one.
          const top = new IgnoreRules(true).with(lines.join('\n'), '', 'f');
          assert.equal(found?.rule, top.ruleAgainst(names.join('/'), false)?.rule);
        },
      ),
      { numRuns: 500 },
    );
  });
});
