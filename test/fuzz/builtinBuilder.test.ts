import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import fc from 'fast-check';

import { DiskTree, ProjectFolder } from '../../src/web-project/projectFolder.ts';
import { checkProjectConfig } from '../../src/web-project/check/configCheck.ts';
import { scanPages } from '../../src/web-project/check/scanPages.ts';
import { supportFindings } from '../../src/web-project/check/supportCheck.ts';
import { SUPPORTED_PLUGINS } from '../../src/android-package/plugins/pluginNotes.ts';
import { getCertificate, getContent, verifyApk } from '../support/apk/verifyApk.ts';
import { testJob } from '../support/buildJob.ts';
import { createFolder, plan, type Files } from '../support/packing.ts';
import { holds } from './property.ts';
import { BuildError } from '../../src/android-package/buildError.ts';
import { PackageError } from '../../src/android-package/config/packageConfig.ts';
import { createBuiltinBuilder } from '../../src/build-service/builds/builtinBuilder.ts';

/** Text that config.xml can contain. */
const text = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .map((value) => value.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ''));
const escaped = text.map((value) => value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`));
const color = fc.oneof(fc.constantFrom('#123', '#abcdef', '0x80102030', 'red'), escaped);
const preference = fc
  .oneof(
    fc.tuple(fc.constantFrom('BackgroundColor', 'StatusBarBackgroundColor', 'SplashScreenBackgroundColor'), color),
    fc.tuple(fc.constantFrom('Orientation', 'AndroidLaunchMode', 'Scheme', 'Hostname', 'AppendUserAgent'), escaped),
    fc.constantFrom(['Orientation', 'sensorPortrait'], ['android-minSdkVersion', '28'], ['Fullscreen', 'true']),
    fc.tuple(escaped, escaped),
  )
  .map(([name, value]) => `<preference name="${name}" value="${value}"/>`);
const element = fc.oneof(
  preference,
  fc.constantFrom(...SUPPORTED_PLUGINS, 'cordova-plugin-contacts').map((name) => `<plugin name="${name}"/>`),
  fc
    .tuple(fc.constantFrom('allow-navigation', 'allow-intent'), escaped)
    .map(([name, url]) => `<${name} href="${url}"/>`),
  escaped.map((src) => `<content src="${src}"/>`),
  fc.constantFrom('<access origin="http://a.example"/>', '<icon src="icon.png"/>', '<hook/><engine name="android"/>'),
);
const config = fc
  .record({
    id: fc.oneof(fc.constantFrom('com.example.app', 'a.b', 'com.class.x', 'x', `a.${'b'.repeat(240)}`), escaped),
    version: fc.oneof(fc.constantFrom('1.2.3', '0', '300000.1', '1.2.3.4'), escaped),
    attributes: fc.constantFrom('', ' android-versionCode="7"', ' android-versionCode="-1"'),
    name: escaped,
    elements: fc.array(element, { maxLength: 6 }),
  })
  .map(
    ({ id, version, attributes, name, elements }) =>
      `<widget id="${id}" version="${version}"${attributes}><name>${name}</name>${elements.join('')}</widget>`,
  );

/** The script that the builder adds to the pages of apps with plugins. */
const PLUGIN_SCRIPT = '<script src="/capacitor-native.js"></script>';

/** Files in folders, with any name that a file can have on this system. */
const files: fc.Arbitrary<Files> = fc
  .record({
    config: fc.option(config, { nil: undefined }),
    others: fc.array(
      fc.tuple(
        text.map((name) => name.replace(/[/\\]/g, '')),
        fc.oneof(
          fc.string(),
          fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
        ),
      ),
      { maxLength: 6 },
    ),
  })
  .map(({ config: xml, others }) => ({
    'www/index.html': '<!doctype html><title>x</title>',
    ...(xml !== undefined && { 'config.xml': xml }),
    ...Object.fromEntries(others.map(([name, content], index) => [`www/${index % 2}/${index}-${name}`, content])),
  }));

describe('packages of the built-in builder', () => {
  const builder = createBuiltinBuilder(undefined);
  let temporary: string;

  before(async () => {
    temporary = await mkdtemp(path.join(tmpdir(), 'builtin-'));
  });

  after(() => rm(temporary, { recursive: true }));

  holds(
    'builds a package that a phone can verify from any folder that passes the check',
    files,
    async (given) => {
      const { folder, remove } = await createFolder(given);
      try {
        const sent = await plan(folder);
        const project = new ProjectFolder(new DiskTree(folder), '');
        const { findings, facts } = await checkProjectConfig({
          folder: project,
          plan: sent,
          unsavedText: () => undefined,
        });
        const platforms = [{ platform: 'android', unavailable: undefined }];
        const plugins = builder.plugins ?? [];
        const support = { builder: builder.name, platforms, plugins };
        const all = [
          ...findings,
          ...supportFindings(['android'], support, (await scanPages(project, sent, facts)).plugins),
        ];
        const isRefused = all.some(({ verdict }) => verdict === 'fails');
        const packed = Object.fromEntries(sent.files.map((file) => [file.path, given[file.path] ?? '']));
        try {
          const job = await testJob(temporary, {}, packed);
          const { path: file } = await builder.build(job, () => undefined, new AbortController().signal);
          const apk = await verifyApk(await readFile(file));
          assert.equal(getCertificate(apk).subject, 'CN=Test key');
          for (const [name, content] of Object.entries(packed).filter(([each]) => each.startsWith('www/'))) {
            const packedContent = getContent(apk, `assets/${name}`).toString('latin1').replace(PLUGIN_SCRIPT, '');
            assert.equal(packedContent, Buffer.from(content).toString('latin1'));
          }
        } catch (error) {
          // A build may fail only because of the app, and only if the check has predicted the failure.
          const isAboutApp = error instanceof BuildError || error instanceof PackageError;
          assert.ok(isAboutApp && isRefused, error instanceof Error ? error.stack : String(error));
        }
      } finally {
        await remove();
      }
    },
    10,
  );
});
