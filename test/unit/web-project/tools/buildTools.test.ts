import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import fc from 'fast-check';

import { formatSentence } from '../../../../src/errors/index.ts';
import { MAX_CONFIGURATION_BYTES } from '../../../../src/web-project/limits.ts';
import { findTools, type ToolProject } from '../../../../src/web-project/tools/buildTools.ts';
import { repositoryRoot } from '../../../support/repository.ts';

type Files = Readonly<Record<string, string>>;

function find(files: Files): Promise<readonly ToolProject[]> {
  return findTools(Object.keys(files), (name) => Promise.resolve(files[name]));
}

/** Describes a tool as `kind [name]: paths`, `kind: file:line name?`, or `kind: no, file:line`. */
function summary({ kind, name, output }: ToolProject): string {
  const title = name === undefined ? kind : `${kind} ${name}`;
  switch (output.kind) {
    case 'folders':
      return `${title}: ${output.paths.map((path) => (path === '' ? '.' : path)).join(', ')}`;
    case 'unknown':
      return `${title}: ${output.file}:${output.line} ${output.name}?`;
    case 'none':
      return `${title}: no, ${output.file}:${output.line ?? '-'}`;
  }
}

const packageJson = (packages: readonly string[], scripts: Files = {}): string =>
  JSON.stringify({
    scripts,
    dependencies: Object.fromEntries(packages.slice(0, 1).map((name) => [name, '1.0.0'])),
    devDependencies: Object.fromEntries(packages.slice(1).map((name) => [name, '1.0.0'])),
  });

/** Each line of `fixtures/buildTools.txt`: files with their text, in which `⏎` separates lines, and the resulting tools. */
const CONFIGURATIONS = readFileSync(path.join(repositoryRoot, 'test/fixtures/buildTools.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((row) => {
    const parts = row.split(' | ');
    const files = parts.flatMap((name, index) =>
      index % 2 === 0 && index < parts.length - 1
        ? [[name, (parts[index + 1] ?? '').replaceAll('⏎', '\n')] as const]
        : [],
    );
    return { row, files, expected: parts.at(-1) };
  });

/** Packages that a project depends on, its script `build`, and the resulting tools. */
const PACKAGES: readonly (readonly [packages: string, build: string, expected: string])[] = [
  ['lodash', '', ''],
  ['vitest', 'vitest run', ''],
  ['vite', 'tsc && vite build', 'vite: dist'],
  ['vite', 'vite build --outDir="my docs"', 'vite: my docs'],
  ['vite', 'vite build --outDir=$OUT', 'vite: package.json:1 --outDir?'],
  ['astro', '', 'astro: dist'],
  ['next', '', 'next: no, package.json:-'],
  ['nuxt', '', 'nuxt: .output/public, dist'],
  ['@sveltejs/kit', '', 'svelte: no, package.json:-'],
  ['react-scripts webpack', 'react-scripts build', 'react-scripts: build'],
  ['react-scripts', 'tsc && BUILD_PATH=./www react-scripts build', 'react-scripts: www'],
  ['react-scripts', "cross-env BUILD_PATH='www/app' react-scripts build", 'react-scripts: www/app'],
  ['vue @vue/cli-service', '', 'vue-cli: dist'],
  ['@docusaurus/core', '', 'docusaurus: build'],
  ['gatsby', '', 'gatsby: public'],
  ['@11ty/eleventy', '', 'eleventy: _site'],
  ['@stencil/core', '', 'stencil: www'],
  ['', 'ember build --environment=production', 'ember: dist'],
  ['react parcel', '', 'parcel: dist'],
  ['', 'npx webpack', 'webpack: dist, build'],
  ['html-webpack-plugin webpack', 'node build.js', 'webpack: dist, build'],
  // lodash and other libraries use webpack for their tests.
  ['webpack webpack-cli', 'node build.js', ''],
  ['vitepress', '', 'vitepress: .vitepress/dist, docs/.vitepress/dist'],
  ['vitepress', 'vitepress build docs', 'vitepress: docs/.vitepress/dist, .vitepress/dist'],
  ['vite vitepress', 'vite build', 'vite: dist'],
  ['preact-cli', 'preact build', 'preact-cli: build'],
  ['expo react-native-web', '', 'expo: dist, web-build'],
  ['hexo', 'hexo generate', 'hexo: public'],
];

describe('findTools', () => {
  const told = async (files: Files): Promise<string> => (await find(files)).map(summary).join('; ');

  for (const { row, files, expected } of CONFIGURATIONS) {
    it(`finds the tools of ${row}`, async () => assert.equal(await told(Object.fromEntries(files)), expected));
  }
  for (const [packages, build, expected] of PACKAGES) {
    it(`finds the tools of packages “${packages}” with the script “${build}”`, async () => {
      const scripts = build === '' ? {} : { build };
      assert.equal(await told({ 'package.json': packageJson(packages.split(' '), scripts) }), expected);
    });
  }

  const reasons: readonly (readonly [files: Files, reason: RegExp])[] = [
    [{ 'next.config.js': 'module.exports = {}' }, /output: 'export' in next\.config/],
    [{ 'package.json': packageJson(['@sveltejs/kit']) }, /install @sveltejs\/adapter-static, .* in svelte\.config\.js/],
    [{ 'astro.config.mjs': `export default { output: 'server' }` }, /output: 'server'/],
    [{ 'capacitor.config.json': '{ "webDir": "/var/www" }' }, /capacitor\.config\.json .* \/var\/www,/],
    [{ 'react-router.config.js': 'export default {}' }, /ssr: false in react-router\.config\.js/],
  ];
  for (const [files, expected] of reasons) {
    it(`explains why ${Object.keys(files).join()} gives no pages`, async () => {
      const [project] = await find(files);
      assert.ok(project?.output.kind === 'none');
      assert.match(formatSentence(project.output.reason), expected);
    });
  }

  it('reports a tool’s output folder as unknown if its configuration can’t be read', async () => {
    const long = `{}${' '.repeat(MAX_CONFIGURATION_BYTES)}`;
    for (const read of [
      () => Promise.resolve(undefined),
      () => Promise.resolve(long),
      () => Promise.reject(new Error('EACCES')),
    ]) {
      const found = await findTools(['package.json', 'vite.config.ts', 'capacitor.config.json'], read);
      assert.deepEqual(found.map(summary), [
        'capacitor: capacitor.config.json:1 webDir?',
        'vite: vite.config.ts:1 root?',
      ]);
    }
  });

  it('never throws and never returns a path outside the folder, even for corrupted files', async () => {
    const all = CONFIGURATIONS.flatMap(({ files }) => files);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...all),
        fc.nat(),
        fc.nat(12),
        fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom(`'../'`, `'/a'`, '"..', '{', '...a', '1')),
        async ([name, text], from, count, added) => {
          const at = from % (text.length + 1);
          const changed = text.slice(0, at) + added + text.slice(at + count);
          for (const { output } of await find({ [name]: changed })) {
            for (const folder of output.kind === 'folders' ? output.paths : []) {
              assert.doesNotMatch(folder, /^\/|^\.\.(?:\/|$)|\\/);
            }
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
