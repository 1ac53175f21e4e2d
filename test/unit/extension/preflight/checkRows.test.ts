import assert from 'node:assert/strict';
import { formatSentence, sentence } from '../../../../src/errors/index.ts';
import type { SuspectFile } from '../../../../src/web-project/index.ts';
import { checkRows, checkSummary } from '../../../../src/extension/preflight/checkRows.ts';
import type { CheckValue } from '../../../../src/extension/preflight/packageRows.ts';
import type { FolderCheck } from '../../../../src/extension/preflight/checkFolder.ts';
import { MAX_ROWS } from '../../../../src/extension/workbench/limits.ts';
import { limitRows, type ViewRow, type ViewRowText } from '../../../../src/extension/workbench/rowsView.ts';
import { createCheck, plannedFile, createPlan } from '../../../support/folderChecks.ts';
import { fileUri } from '../../../support/packing.ts';
import type { Finding } from '../../../../src/extension/preflight/finding.ts';

type CheckRow = ViewRow<CheckValue>;

const uri = fileUri('/home/ann/shop');
const project = { uri, path: '', name: undefined };

function getRows(check: FolderCheck, allowed: readonly SuspectFile[] = []) {
  return checkRows(check, (suspect) => (allowed.includes(suspect) ? 'send' : undefined));
}

function text(value: ViewRowText): string {
  return typeof value === 'string' ? value : formatSentence(value);
}

function getText({ label, notes = [], checkbox }: CheckRow): string {
  return `${checkbox === undefined ? '' : checkbox.isChecked ? '☑ ' : '☐ '}${[label, ...notes].map(text).join(' · ')}`;
}

/** Lists the rows, indented by level, down to `levels`. */
function outline(rows: readonly CheckRow[], levels = 9, indent = ''): readonly string[] {
  return limitRows(rows).flatMap((row) => [
    indent + getText(row),
    ...(levels === 1 ? [] : outline(row.children?.() ?? [], levels - 1, `${indent}  `)),
  ]);
}

/** Finds a row by its path of labels. */
function find(rows: readonly CheckRow[], ...labels: readonly string[]): CheckRow {
  const [label, ...others] = labels;
  const row = rows.find((each) => text(each.label) === label);
  assert.ok(row, `${label ?? ''} is not among ${rows.map(getText).join(', ')}`);
  return others.length === 0 ? row : find(row.children?.() ?? [], ...others);
}

const finding = (verdict: Finding['verdict'], message: string, more: Partial<Finding> = {}): Finding => ({
  code: 'config',
  verdict,
  message: sentence(message),
  ...more,
});

describe('the list of a check', () => {
  it('groups the findings, with failures first, and shows the remedy, position, and platform', () => {
    const range = { start: { line: 3 } } as never;
    const findings = [
      finding('fine', 'config.xml is right.', { about: 'config.xml', short: sentence('complete') }),
      finding('mayFail', 'The key expires soon.', { code: 'keyExpiresSoon', about: 'Play', platform: 'ios' }),
      finding('fails', 'The id is missing.', {
        code: 'idMissing',
        next: sentence('Write one.'),
        location: { uri: fileUri(`${uri.path}/config.xml`), range },
      }),
      finding('fails', 'The app calls ble.', {
        code: 'pluginNotSupported',
        about: 'cordova-plugin-ble-central',
        remedies: ['installEngine', 'removePlugin'],
      }),
      finding('fails', 'No Mac.', { code: 'platformUnavailable', platform: 'ios' }),
    ];
    const rows = getRows(createCheck(uri, { findings }));
    assert.deepEqual(outline(rows), [
      'Would fail · 3',
      '  config.xml · app ID missing',
      '  cordova-plugin-ble-central · not available here',
      '  iOS · not available here',
      'Might fail · 1',
      '  Play · expires soon · iOS',
      'Fine · 1',
      '  config.xml · complete',
    ]);
    assert.deepEqual(
      rows.map(({ isExpanded }) => isExpanded),
      [true, true, false],
    );
    assert.deepEqual(
      rows[0]?.children?.().map(({ contextValue }) => contextValue),
      ['finding;', 'finding;installEngine;removePlugin;', 'finding;'],
    );
    const row = find(rows, 'Would fail', 'config.xml');
    assert.deepEqual([row.opens?.uri.path, row.opens?.range], [`${uri.path}/config.xml`, range]);
    const sentences = ['The id is missing.', 'Write one.'];
    assert.deepEqual(row.tooltip?.map(text), sentences);
    assert.deepEqual(row.spoken?.map(text), ['Would fail', 'config.xml', 'app ID missing', ...sentences]);
    assert.equal(find(rows, 'Would fail', 'cordova-plugin-ble-central').opens, undefined);
  });

  it('summarizes a check in one line', () => {
    for (const [verdicts, expected] of [
      ['fine', 'Ready to build.'],
      ['fine mayFail', 'Ready to build. Look at 1 warning first.'],
      ['mayFail mayFail', 'Ready to build. Look at 2 warnings first.'],
      ['fails mayFail', '1 problem would make the build fail.'],
      ['fails fails fine', '2 problems would make the build fail.'],
    ] as const) {
      const findings = verdicts.split(' ').map((verdict) => finding(verdict as Finding['verdict'], 'a'));
      assert.equal(formatSentence(checkSummary(createCheck(uri, { findings }))), expected);
    }
  });

  const sizes = { 'config.xml': 400, 'www/index.html': 600, 'www/img/b10.png': 3_000_000, 'www/img/b9.png': 20 };

  it('shows the files as a tree by name, with folder sizes and a checkbox for every file except config.xml', () => {
    const rows = getRows(createCheck(uri, { plan: createPlan(project, sizes) }));
    assert.deepEqual(outline(rows), [
      'Package contents · 4 files, 3.0 MB',
      '  ☑ www · 3.0 MB',
      '    ☑ img · 3.0 MB',
      '      ☑ b9.png · 20 bytes',
      '      ☑ b10.png · 3.0 MB',
      '    ☑ index.html · 600 bytes',
      '  config.xml · 400 bytes',
    ]);
    const image = find(rows, 'Package contents', 'www', 'img', 'b10.png');
    const path = `${uri.path}/www/img/b10.png`;
    assert.deepEqual(
      [image.value, image.opens?.uri.path, image.file?.path, image.icon],
      [{ kind: 'file', path: 'www/img/b10.png' }, path, path, 'fileTheme'],
    );
    const folder = find(rows, 'Package contents', 'www', 'img');
    assert.deepEqual(
      [folder.value, folder.spoken?.map(text)],
      [{ kind: 'folder', path: 'www/img' }, ['Folder img', '2 files, 3.0 MB']],
    );
    const elsewhere = createPlan(project, { 'src-cordova/config.xml': 400 });
    const layout = { ...elsewhere.layout, config: 'src-cordova/config.xml' };
    const others = getRows(createCheck(uri, { plan: { ...elsewhere, layout } }));
    assert.equal(find(others, 'Package contents', 'src-cordova', 'config.xml').checkbox, undefined);
  });

  it('shows other facts about the package: permissions, overruled Git rules, plugins, and warnings', () => {
    const plan = createPlan(project, { 'config.xml': 400, 'elm.js': 20, 'index.html': 10 });
    const overruled = { file: '../.gitignore', rule: 'elm.js' };
    const plugin = {
      name: 'plugin-a',
      spec: '1',
      variables: {},
      platform: undefined,
      location: { path: 'package.json' },
    };
    const [config, elm, page] = plan.files;
    assert.ok(config && elm && page);
    const files = [
      { ...config, withPlugins: { plugins: [plugin], bytes: Buffer.from('') } },
      { ...elm, overruled },
      page,
    ];
    const permissions = [
      { permission: 'camera', by: 'scan.js', path: 'scan.js', isAllowed: true },
      { permission: 'location', by: 'plugin-b', path: undefined, isAllowed: false },
    ] as const;
    const warnings = [
      { kind: 'largeFiles', paths: ['index.html'] },
      { kind: 'sourceMaps', paths: ['index.html'], bytes: 1 },
      { kind: 'tooManyEntries' },
    ] as const;
    const rows = getRows(createCheck(uri, { plan: { ...plan, files, warnings }, permissions }));
    assert.deepEqual(outline(rows), [
      'Package contents · 3 files, 430 bytes',
      '  Permission: camera · scan.js',
      '  Permission: location · plugin-b · denied by AndroidPermissions',
      '  config.xml · 400 bytes · sent with plugins from package.json: plugin-a',
      '  ☑ elm.js · 20 bytes · needed by the app, although ../.gitignore leaves it out with “elm.js”',
      '  ☑ index.html · 10 bytes',
    ]);
    assert.equal(find(rows, 'Package contents', 'Permission: camera').opens?.uri.path, `${uri.path}/scan.js`);
    assert.equal(find(rows, 'Package contents', 'elm.js').icon, 'fileTheme', 'it isn’t a warning');
    const warned = find(rows, 'Package contents', 'index.html');
    assert.deepEqual(warned.icon, { id: 'warning', color: 'list.warningForeground' });
    assert.deepEqual(warned.spoken?.map(text).slice(2), [
      'A large file, which increases the app’s download size.',
      'A source map, which shows the app’s source code.',
    ]);
  });

  it('keeps an unchecked file in its place, and omits files that another line leaves out', () => {
    const ignored = (path: string, rule: string, file = '.appbuildignore') =>
      ({ path, reason: { kind: 'ignored', file, rule } }) as const;
    const leftOut = [
      ignored('www/a [1].js', '/www/a \\[1\\].js'),
      ignored('www/films/', '/www/films/'),
      ignored('www/b.js', '*.js'),
      ignored('www/c.js', '/www/c.js', '.gitignore'),
    ];
    const rows = getRows(createCheck(uri, { plan: createPlan(project, { 'www/index.html': 600 }, { leftOut }) }));
    assert.deepEqual(outline([find(rows, 'Package contents')]), [
      'Package contents · 1 file, 600 bytes',
      '  ☑ www · 600 bytes',
      '    ☐ films · left out by .appbuildignore',
      '    ☐ a [1].js · left out by .appbuildignore',
      '    ☑ index.html · 600 bytes',
    ]);
    assert.deepEqual(find(rows, 'Package contents', 'www', 'films').value, { kind: 'folder', path: 'www/films' });
  });

  it('asks for consent to each file that may contain a secret, and shows the consent next to sent files', () => {
    const key = { secret: 'privateKey', line: 12, isRequested: false } as const;
    const waiting = { file: plannedFile(project, 'www/key.pem', 10), ...key };
    const allowed = { file: plannedFile(project, 'www/img/b9.png', 20), ...key };
    const env = plannedFile(project, '.env', 5);
    const named: SuspectFile = { file: env, secret: 'name', line: undefined, isRequested: false };
    const leftOut = ['.env', 'www/key.pem'].map((path) => ({ path, reason: { kind: 'secret' } as const }));
    const plan = createPlan(project, sizes, { suspects: [named, waiting, allowed], leftOut });
    // The plan is older than the consent to key.pem, so it still leaves the file out.
    const rows = getRows(createCheck(uri, { plan }), [allowed, waiting]);
    assert.deepEqual(outline(rows.filter(({ key }) => key !== 'files')), [
      'Needs your approval · 1',
      '  ☐ key.pem · Private key on line 12 · www',
      'Left out · 1',
      '  May contain secrets · 1',
      '    ☐ .env · Its name suggests a secret',
    ]);
    const row = find(rows, 'Needs your approval', 'key.pem');
    assert.deepEqual([row.opens?.line, row.value], [11, { kind: 'suspect', path: 'www/key.pem', suspect: waiting }]);
    const sent = find(rows, 'Package contents', 'www', 'img', 'b9.png');
    assert.deepEqual(
      [sent.checkbox?.isChecked, sent.value],
      [true, { kind: 'suspect', path: 'www/img/b9.png', suspect: allowed }],
    );
  });

  it('groups the omitted files by their rule, which opens on a click, or by the reason', () => {
    const rule = { kind: 'ignored', file: '../.gitignore', rule: '*.map' } as const;
    const leftOut = [
      { path: 'a.map', reason: rule },
      { path: 'node_modules/', reason: { kind: 'notPartOfApp' } },
      { path: 'x/', reason: { ...rule, file: '.appbuildignore' } },
      { path: '.env', reason: { kind: 'secret' } },
      { path: 'www/b.map', reason: rule },
    ] as const;
    const rows = getRows(createCheck(uri, { plan: createPlan(project, sizes, { leftOut }) }));
    assert.deepEqual(outline(rows).slice(7), [
      'Left out · 5',
      '  May contain secrets · 1',
      '    .env',
      '  *.map · ../.gitignore · 2',
      '    a.map',
      '    www/b.map',
      '  *.map · .appbuildignore · 1',
      '    x/',
      '  Not part of an app · 1',
      '    node_modules/',
    ]);
    const [, first, second] = find(rows, 'Left out').children?.() ?? [];
    assert.equal(first?.opens?.uri.path, fileUri('/home/ann/.gitignore').path);
    assert.equal(second?.opens?.uri.path, `${uri.path}/.appbuildignore`);
    assert.equal(find(rows, 'Left out', 'Not part of an app', 'node_modules/').opens, undefined);
  });

  it('shows at most a thousand files in a folder, and the number of the others', () => {
    const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`www/${index}.js`, index]));
    const files =
      find(getRows(createCheck(uri, { plan: createPlan(project, many) })), 'Package contents', 'www').children?.() ??
      [];
    const first = limitRows(files).map(getText);
    assert.deepEqual([first[0], first.at(-1)], ['☑ 0.js · 0 bytes', `…and ${1_500 - MAX_ROWS} more`]);
  });
});
