import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import type { BuildJob } from '../../../../src/localService/builds/builder.ts';
import { demoBuilder } from '../../../../src/localService/builds/demoBuilder.ts';
import { testJob, testKey } from '../../../support/buildJob.ts';
import { PAGE, unzip } from '../../../support/builds.ts';
import { folderOfEachTest } from '../../../support/hooks.ts';

const CONFIG = '<widget id="com.example.app" version="1.0.0"><name>App</name></widget>';

describe('local service: the demo builder', () => {
  let folder: string;
  folderOfEachTest((made) => (folder = made));

  /** Builds these files. */
  async function build(
    files: Readonly<Record<string, string>>,
    values: Partial<BuildJob> = {},
  ): Promise<{ readonly fileName: string; readonly packed: Readonly<Record<string, string>>; readonly log: string }> {
    const job = await testJob(folder, values, files);
    const log: string[] = [];
    const { path, fileName } = await demoBuilder.build(job, (line) => log.push(line), new AbortController().signal);
    return { fileName, packed: await unzip(await readFile(path)), log: log.join('\n') };
  }

  it('packs the web root, config.xml, and what says that the package cannot be installed', async () => {
    const { fileName, packed, log } = await build({
      'home/me/config.xml': CONFIG,
      'home/me/www/index.html': 'page',
      'home/me/www/css/a.css': 'css',
      'home/me/secret.txt': 'not packed',
    });
    assert.equal(fileName, 'Title-1.2.3-demo.apk');
    const { 'README.txt': readme = '', 'manifest.json': manifest = '', ...files } = packed;
    assert.deepEqual(files, { 'config.xml': CONFIG, 'www/index.html': 'page', 'www/css/a.css': 'css' });
    assert.match(readme, /^Title 1\.2\.3 for android\n\nThis is a demo package: .* cannot be installed\./);
    assert.equal((JSON.parse(manifest) as { installable: boolean }).installable, false);
    assert.match(log, /This is a demo package: .* cannot be installed\./);
  });

  it('packs a page alone, under names that every file system takes', async () => {
    const { app } = await testJob(folder);
    const nameOf = async (title: string, version: string): Promise<string> => {
      const values = { app: { ...app, title, version }, platform: 'winphone' } as const;
      return (await build(PAGE, values)).fileName;
    };
    assert.equal(await nameOf('Café – Queue', '1.0'), 'Cafe-Queue-1.0-demo.xap');
    assert.equal(await nameOf('珈琲', '../..'), 'app-demo.xap');
    assert.equal(await nameOf(`../${'a'.repeat(500)}`, '"\r\n'), `${'a'.repeat(60)}-demo.xap`);
  });

  const refused: Readonly<
    Record<string, readonly [string | RegExp, Readonly<Record<string, string>>, Partial<BuildJob>]>
  > = {
    'has no page': [/^App has no index\.html: /, { 'config.xml': CONFIG, 'www/start.html': '' }, {}],
    'has a broken config.xml': [/^Malformed config\.xml: /, { ...PAGE, 'config.xml': '<widget>' }, {}],
    'has no name in config.xml': [
      /^Malformed config\.xml: .*name/,
      { ...PAGE, 'config.xml': '<widget id="a.b"/>' },
      {},
    ],
    'has no key for ios': ['You must provide a signing key, first', PAGE, { platform: 'ios' }],
    'has a locked key': [
      /locked/,
      PAGE,
      { platform: 'ios', key: { key: { ...testKey, platform: 'ios', locked: true }, files: {}, passwords: undefined } },
    ],
  };
  for (const [what, [message, files, values]] of Object.entries(refused)) {
    it(`refuses an app that ${what}`, () => assert.rejects(build(files, values), { message }));
  }

  it('builds for ios with a key, and for winphone with the ID of a publisher, which nothing opens', async () => {
    const key = { key: { ...testKey, platform: 'ios' }, files: {}, passwords: {} } as const;
    assert.equal((await build(PAGE, { platform: 'ios', key })).fileName, 'Title-1.2.3-demo.ipa');
    const publisher = { ...key, key: { ...testKey, platform: 'winphone', locked: true } } as const;
    assert.equal((await build(PAGE, { platform: 'winphone', key: publisher })).fileName, 'Title-1.2.3-demo.xap');
  });
});
