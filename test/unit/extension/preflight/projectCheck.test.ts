import assert from 'node:assert/strict';

import { packageFindings, type ProjectFinding } from '../../../../src/web-project/index.ts';
import { formatSentence } from '../../../../src/errors/index.ts';
import { config } from '../../../support/failingFolders.ts';
import { inFolder, formatFinding } from '../../../support/folderChecks.ts';
import type { Files } from '../../../support/packing.ts';

const PAGE = { 'www/index.html': '' };

/** Returns the findings about a folder. */
const check = (files: Files): Promise<readonly ProjectFinding[]> =>
  inFolder(files, ({ sent, config: { findings } }) => [...findings, ...packageFindings(sent, () => false, false)]);

/** Lists the findings with a code, each with its position. */
const told = (findings: readonly ProjectFinding[], code: ProjectFinding['code']): readonly string[] =>
  findings.filter((finding) => finding.code === code).map(formatFinding);

describe('the check of a project', () => {
  it('reports positive findings as well', async () => {
    const findings = await check({ 'config.xml': config(), ...PAGE });
    assert.deepEqual(
      findings.map(({ code, verdict, message }) => `${code} ${verdict} ${formatSentence(message)}`),
      [
        'config fine config.xml is well-formed and complete.',
        'startPage fine The app starts with www/index.html.',
        'package fine The package has 2 files, 139 bytes.',
      ].map((text) => text.replace(/\d+ bytes/, `${config().length} bytes`)),
    );
  });

  it('distinguishes missing files, files that a rule leaves out, and names that differ only in case', async () => {
    const body = ['a.png', 'b.png', 'C.png'].map((src) => `  <icon src="www/${src}"/>\n`).join('');
    const findings = await check({
      'config.xml': config({ body }),
      ...PAGE,
      'www/b.png': '',
      'www/c.png': '',
      '.appbuildignore': 'b.png\n',
    });
    const [first = '', ...others] = told(findings, 'fileMissing');
    assert.match(first, /^mayFail config\.xml:4 .*www\/a\.png/);
    assert.match(others[0] ?? '', /www\/b\.png exists, but the rule “b\.png” in \.appbuildignore leaves it out\.$/);
    assert.match(others[1] ?? '', /www\/C\.png is named www\/c\.png\. Names in an app are case-sensitive\.$/);
  });

  it('reports the ID that Android uses instead of an ID with hyphens, without a warning', async () => {
    const findings = await check({ 'config.xml': config({ id: 'com.my-shop.app' }), ...PAGE });
    assert.deepEqual(told(findings, 'idHyphen'), [
      'fine config.xml:2 Android doesn’t allow hyphens in an app ID, so builds for Android use com.my_shop.app.',
    ]);
    assert.deepEqual(
      findings.map(({ verdict }) => verdict),
      findings.map(() => 'fine'),
    );
    assert.equal(told(findings, 'config').length, 1);
  });

  it('names the website that an app shows, and warns if a phone may not reach it', async () => {
    const page = { 'www/index.html': '<p>Page</p>' };
    const capacitor = (url: string) => ({ 'capacitor.config.json': JSON.stringify({ server: { url } }), ...page });
    assert.deepEqual(told(await check(capacitor('https://shop.example/a')), 'startPage'), [
      'fine capacitor.config.json The app shows the website https://shop.example/a, which capacitor.config.json names. The pages in the package aren’t shown.',
    ]);
    const body = '  <content src="https://shop.example/"/>\n';
    assert.match(
      told(await check({ 'config.xml': config({ body }), ...PAGE }), 'startPage')[0] ?? '',
      /^fine config\.xml /,
    );
    for (const host of ['a.localhost', 'my-mac.local', '127.0.0.1', '10.0.2.2', '192.168.1.7', '172.31.0.1', '[::1]']) {
      const url = `http://${host}:5173/`;
      const message = `The app loads ${url}, the address of a development server. A phone that can’t reach it shows no page.`;
      assert.deepEqual(told(await check(capacitor(url)), 'startPage'), [`mayFail capacitor.config.json ${message}`]);
    }
    for (const host of ['10.example', '172.32.0.1', '8.8.8.8', 'localhost.example']) {
      assert.match(told(await check(capacitor(`https://${host}/`)), 'startPage')[0] ?? '', /^fine /, host);
    }
  });

  it('shows the source of an invalid value in a generated config.xml', async () => {
    const capacitor = "export default {\n  appId: 'com.example.2a4b',\n  appName: 'App', webDir: 'www' };";
    const findings = await check({ 'capacitor.config.ts': capacitor, 'www/index.html': '<p>Page</p>' });
    assert.deepEqual(told(findings, 'idMalformed'), [
      'fails capacitor.config.ts:2 “2a4b” in the app ID must begin with a letter.',
    ]);
    const hyphen = { 'capacitor.config.json': '{"appId":"com.my-shop.app"}', 'www/index.html': '<p>Page</p>' };
    assert.match(told(await check(hyphen), 'idHyphen')[0] ?? '', /^fine capacitor\.config\.json:1 /);
  });

  it('reports a placeholder in the ID or name as a failure, and accepts a version with a suffix', async () => {
    const codes = async (text: string) =>
      (await check({ 'config.xml': text, ...PAGE })).flatMap(({ verdict, code }) =>
        verdict === 'fine' ? [] : [`${verdict} ${code}`],
      );
    for (const text of [
      config({ id: '{{ID}}' }),
      config({ id: '<%= id %>' }),
      config().replace(/<name>[^<]*/, '<name>{{NAME}}'),
    ]) {
      assert.deepEqual(await codes(text), ['fails placeholder']);
    }
    assert.deepEqual(await codes(config({ version: '1.0.0-beta' })), []);
  });

  it('reports a config.xml for Tizen or BlackBerry, and its missing or malformed ID', async () => {
    const tizen = config().replace('<widget', '<widget xmlns:tizen="http://tizen.org/ns/widgets"');
    const message = 'config.xml is for widgets of Tizen or BlackBerry, not for a Cordova app.';
    for (const [text, ...more] of [
      [tizen],
      [tizen.replace('tizen.org', 'www.blackberry.com').replace(/ id="[^"]*"/, ''), 'idMissing'],
      [tizen.replace(/ id="[^"]*"/, ' id="http://example.com/App"'), 'idMalformed'],
    ]) {
      const findings = await check({ 'config.xml': text ?? '', ...PAGE });
      assert.deepEqual(told(findings, 'otherWidget'), [`mayFail config.xml:2 ${message}`]);
      assert.deepEqual(
        findings.filter(({ verdict }) => verdict !== 'fine').map(({ code }) => code),
        ['otherWidget', ...more],
      );
      assert.deepEqual(told(findings, 'config'), []);
    }
  });

  it('reports a missing folder once, including one that a tool creates', async () => {
    const body = [1, 2, 3].map((n) => `  <icon src="res/${n}.png"/>\n  <icon src="made/${n}.png"/>\n`).join('');
    const findings = await check({ 'config.xml': config({ body }), ...PAGE, '.gitignore': 'made/\n' });
    assert.deepEqual(told(findings, 'fileMissing'), [
      'mayFail config.xml:4 The folder res doesn’t exist, but config.xml refers to 3 files in it.',
      'mayFail config.xml:5 The folder made doesn’t exist yet.',
    ]);
    const there = await check({
      'config.xml': config({ body }),
      ...PAGE,
      '.appbuildignore': 'made/\n',
      'made/1.png': '',
      'made/2.png': '',
    });
    assert.deepEqual(
      told(there, 'fileMissing').slice(1, 3),
      [1, 2].map(
        (n) =>
          `mayFail config.xml:${3 + 2 * n} made/${n}.png exists, but the rule “made/” in .appbuildignore leaves it out.`,
      ),
    );
  });

  it('lists files that may contain a secret and await consent, and files with names that phones reject', async () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEA0m5'.repeat(4)}\n-----END RSA PRIVATE KEY-----\n`;
    const findings = await check({ ...PAGE, 'www/app.js': `\n${key}`, '.env': 'A=1', 'www/_hidden/a.js': '' });
    assert.match(told(findings, 'secretWaiting').join(), /^mayFail www\/app\.js:2 www\/app\.js may contain a secret/);
    assert.match(told(findings, 'fileNames').join(), /_hidden/);
  });
});
