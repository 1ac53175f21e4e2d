import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { runInNewContext } from 'node:vm';

import { formatSentence, valueAlone } from '../../../../src/errors/index.ts';
import { getNativePlugins } from '../../../../src/android-package/plugins/nativePlugins.ts';
import { DiskTree, ProjectFolder } from '../../../../src/web-project/projectFolder.ts';
import {
  checkProjectConfig,
  checkStartPage,
  findWebProjects,
  packageFindings,
  planFor,
  planPackage,
} from '../../../../src/web-project/index.ts';
import { readWebManifest } from '../../../../src/web-project/projectJson.ts';
import { writeSampleProject, type SampleKind } from '../../../../src/extension/commands/sampleFiles.ts';
import { checkConfig, parseXml, syntaxProblems } from '../../../../src/config-xml/index.ts';
import { getContent } from '../../../support/apk/verifyApk.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { fileUri } from '../../../support/packing.ts';
import { buildPlan } from '../../../support/planBuild.ts';

const SHELL = path.join(import.meta.dirname, '../../../../src/android-package/shell');

/** Name of each app, and the project type that the search finds. */
const APPS: Readonly<Record<SampleKind, readonly [name: string, kind: string]>> = {
  page: ['Tally', 'page'],
  pwa: ['Shopping List', 'pwa'],
  cordova: ['Hello', 'cordova'],
  device: ['Device Check', 'cordova'],
};
/** Addresses that scripts compare or open only when the user taps. */
const KNOWN_URLS = new Set(['https://localhost', 'https://example.com/', 'device-check://back']);
const KINDS = Object.keys(APPS) as SampleKind[];
/** Device Check is in English, because its report goes to this extension's developers. */
const TRANSLATED = KINDS.filter((kind) => kind !== 'device');

describe('a sample', () => {
  let folder: string;
  useFolderForEachTest((made) => (folder = made));

  /** Finds the only project of the folder, plans and checks it for an app with an ID. */
  async function check(projectFolder: string) {
    const tree = new DiskTree(projectFolder);
    const [project, ...others] = await findWebProjects(fileUri(projectFolder));
    assert.deepEqual(others, []);
    assert.ok(project !== undefined);
    const known = {
      id: { value: 'com.example.app', from: valueAlone('The test') },
      title: { value: 'Another title', from: valueAlone('The test') },
      version: undefined,
      hasIcon: false,
    };
    const plan = await planPackage(project, { known }, new ProjectFolder(tree, project.path));
    const config = await checkProjectConfig({
      folder: new ProjectFolder(tree, ''),
      plan,
      unsavedText: () => undefined,
    });
    const findings = [
      ...config.findings,
      ...(await checkStartPage(new ProjectFolder(tree, ''), plan, config.facts?.startPage)),
      ...['builtin', undefined].flatMap((builder) => packageFindings(planFor(plan, builder), () => false, true)),
    ];
    return { project, plan, findings };
  }

  /**
   * Writes a sample.
   * @returns its files by path in its folder, and its page
   */
  async function write(kind: SampleKind, toText = formatSentence) {
    const sample = await writeSampleProject(folder, kind, { language: 'en', toText });
    const entries = await readdir(sample.folder, { recursive: true, withFileTypes: true });
    const files = new Map<string, Buffer>();
    const below = (file: string): string => path.relative(sample.folder, file).replaceAll(path.sep, '/');
    for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
      const file = path.join(parentPath, name);
      files.set(below(file), await readFile(file));
    }
    return { ...sample, files, page: below(sample.page) };
  }

  for (const sampleKind of KINDS) {
    const [name, kind] = APPS[sampleKind];
    it(`creates a project that is found, has no problems, and is built: ${name}`, async () => {
      const sample = await write(sampleKind);
      const { project, plan, findings } = await check(sample.folder);
      assert.deepEqual([project.layout.kind, project.layout.state.kind, project.name], [kind, 'built', name]);
      assert.deepEqual(plan.files.map((file) => file.path).sort(), [...sample.files.keys()].sort());
      assert.ok(sample.files.has(sample.page));
      assert.match(
        project.facts.id?.value ?? '',
        /^com\.example\.(?:tally|list|hello|devicecheck)$/,
        'nothing is asked for',
      );
      assert.deepEqual(
        findings
          .filter(({ verdict }) => verdict !== 'fine')
          .map(({ code, message }) => `${code} ${formatSentence(message)}`),
        [],
      );
      const apk = await buildPlan(plan, folder);
      assert.equal(apk.manifest.application.label, name);
      for (const [file, content] of [...sample.files].filter(([each]) => each !== 'config.xml')) {
        assert.ok(getContent(apk, `assets/www/${file.replace(/^www\//, '')}`).equals(content), file);
      }
    });
  }

  it('escapes the texts for HTML, XML, and JSON', async () => {
    const text = `<b title='a'>"&amp;"`;
    for (const kind of TRANSLATED) {
      const { files, page } = await write(kind, () => text);
      const html = String(files.get(page));
      assert.ok(html.includes('&lt;b title=&apos;a&apos;&gt;&quot;&amp;amp;&quot;'));
      assert.ok(!html.includes('<b '));
      const manifest = files.get('manifest.webmanifest');
      assert.equal(manifest === undefined ? text : readWebManifest(String(manifest))?.name, text);
      const config = files.get('config.xml');
      assert.equal(config === undefined ? 0 : syntaxProblems(parseXml(String(config))).length, 0);
    }
  });

  it('requests the permissions that Device Check tests', async () => {
    const { plan } = await check((await write('device')).folder);
    const asked = (await buildPlan(plan, folder)).manifest.usesPermissions.map(({ name }) => name);
    for (const permission of [
      'CAMERA',
      'RECORD_AUDIO',
      'ACCESS_FINE_LOCATION',
      'READ_CONTACTS',
      'POST_NOTIFICATIONS',
    ]) {
      assert.ok(asked.includes(`android.permission.${permission}`), permission);
    }
  });

  it('names the plugins that Device Check calls, with one row for each title', async () => {
    const { files } = await write('device');
    const script = String(files.get('www/plugins.js'));
    const named = [...String(files.get('config.xml')).matchAll(/<plugin name="([^"]+)"/g)].map(([, name = '']) => name);
    const families = new Set(getNativePlugins(named).map(({ family }) => family));
    const served = new Set<string>();
    for (const family of families) {
      const java = await readFile(path.join(SHELL, `plugins/${family}.java`), 'utf8');
      for (const [, service = ''] of java.matchAll(/"(\w+)"/g)) {
        served.add(service);
      }
    }
    const services = [...script.matchAll(/native\('(\w+)'|'(\w+)', '\w+', \[/g)].map(([, a, b]) => a ?? b ?? '');
    assert.ok(services.length > 30, 'the scan finds the calls');
    assert.deepEqual(
      services.filter((service) => !served.has(service)),
      [],
    );
    const window: { GROUPS?: Readonly<Record<string, readonly (readonly [title: string])[]>> } = {};
    runInNewContext(`${String(files.get('www/checks.js'))}\n${script}`, { window });
    const titles = Object.values(window.GROUPS ?? {}).flatMap((rows) => rows.map(([title]) => title));
    assert.ok(titles.length > 70);
    assert.equal(new Set(titles).size, titles.length, 'results are stored by title');
  });

  it('doesn’t overwrite existing files', async () => {
    const [first, second] = [await write('page'), await write('page')];
    assert.deepEqual([path.basename(first.folder), path.basename(second.folder)], ['tally-app', 'tally-app-2']);
  });

  it('creates a config.xml without problems in the editor', async () => {
    for (const kind of ['cordova', 'device'] as const) {
      const { files } = await write(kind);
      assert.deepEqual(checkConfig(parseXml(String(files.get('config.xml')))), []);
    }
  });

  it('contains no unfilled texts, inline handlers, or absolute addresses', async () => {
    for (const kind of KINDS) {
      for (const [file, content] of (await write(kind)).files) {
        assert.doesNotMatch(String(content), /\{\{/, file);
        const html = file.endsWith('.html') ? String(content) : '';
        assert.doesNotMatch(html, /\son\w+=|\s(?:href|src)="(?:\/|\w+:)|\sstyle=/, file);
        const urls = file.endsWith('.js') ? (String(content).match(/[\w-]+:\/\/[^'"`]*/g) ?? []) : [];
        assert.deepEqual(
          urls.filter((url) => !KNOWN_URLS.has(url)),
          [],
          file,
        );
      }
    }
  });

  it('adds a service worker that caches each file of its app', async () => {
    const { files } = await write('pwa');
    const kept = /const FILES = (\[[^\]]*\]);/.exec(String(files.get('service-worker.js')))?.[1] ?? '';
    assert.deepEqual(
      (JSON.parse(kept.replaceAll("'", '"')) as string[]).sort(),
      ['./', ...[...files.keys()].filter((file) => !['service-worker.js', 'package.json'].includes(file))].sort(),
    );
  });
});
