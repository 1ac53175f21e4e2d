import assert from 'node:assert/strict';

import fc from 'fast-check';

import { plainText } from '../../../../src/api/errors/sentence.ts';
import { findTools, type ToolProject } from '../../../../src/projects/tools/buildTools.ts';

type Files = Readonly<Record<string, string>>;

function find(files: Files): Promise<readonly ToolProject[]> {
  return findTools(Object.keys(files), (name) => Promise.resolve(files[name]));
}

/** `kind [name]: paths`, `kind: file:line name?`, or `kind: no, file:line`. */
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

const angularJson = (build: object, targets = 'architect'): string =>
  JSON.stringify({ version: 1, projects: { app: { projectType: 'application', root: '', [targets]: { build } } } });

const APPLICATION = '@angular/build:application';
const BROWSER = '@angular-devkit/build-angular:browser';

const VITE = `import { defineConfig } from 'vite'\nimport vue from '@vitejs/plugin-vue'\n\n// https://vite.dev/config/\n`;
const KIT = `import { sveltekit } from '@sveltejs/kit/vite';\nimport { defineConfig } from 'vite';\n`;
const NEXT = `import type { NextConfig } from "next";\n\n`;

const cases: readonly (readonly [title: string, files: Files, expected: readonly string[]])[] = [
  ['nothing', { 'index.html': '' }, []],
  ['a package of no tool', { 'package.json': packageJson(['lodash']) }, []],
  ['a broken package.json', { 'package.json': '{ "dependencies": { "next": ' }, []],

  ['Capacitor in JSON', { 'capacitor.config.json': '{ "appId": "a.b", "webDir": "dist/" }' }, ['capacitor: dist']],
  ['Capacitor without webDir', { 'capacitor.config.json': '{}' }, ['capacitor: www']],
  [
    'TypeScript before JSON',
    { 'capacitor.config.json': '{}', 'capacitor.config.ts': `export default { webDir: './out' }` },
    ['capacitor: out'],
  ],
  [
    'webDir that is an expression',
    { 'capacitor.config.ts': `export default {\n  webDir: process.env.DIR,\n}` },
    ['capacitor: capacitor.config.ts:2 webDir?'],
  ],
  [
    'webDir that is no text',
    { 'capacitor.config.json': '{ "webDir": 5 }' },
    ['capacitor: capacitor.config.json:1 webDir?'],
  ],
  [
    'webDir outside',
    { 'capacitor.config.json': '{\n"webDir": "../web/dist" }' },
    ['capacitor: no, capacitor.config.json:2'],
  ],
  [
    'webDir of a disk',
    { 'capacitor.config.json': '{ "webDir": "C:\\\\web" }' },
    ['capacitor: no, capacitor.config.json:1'],
  ],
  ['webDir of Windows', { 'capacitor.config.json': '{ "webDir": "dist\\\\app" }' }, ['capacitor: dist/app']],
  ['webDir that is the folder', { 'capacitor.config.json': '{ "webDir": "." }' }, ['capacitor: .']],
  [
    'a Capacitor file that is broken',
    { 'capacitor.config.ts': 'export default {' },
    ['capacitor: capacitor.config.ts:1 webDir?'],
  ],

  [
    'Angular today',
    { 'angular.json': angularJson({ builder: APPLICATION, options: { browser: 'src/main.ts' } }) },
    ['angular: dist/app/browser, dist/app'],
  ],
  [
    'Angular with a path',
    {
      'angular.json': angularJson({
        builder: '@angular-devkit/build-angular:application',
        options: { outputPath: 'www' },
      }),
    },
    ['angular: www/browser, www'],
  ],
  [
    'Angular with an object',
    { 'angular.json': angularJson({ builder: APPLICATION, options: { outputPath: { base: 'www', browser: '' } } }) },
    ['angular: www'],
  ],
  [
    'Angular with the base of an object',
    { 'angular.json': angularJson({ builder: APPLICATION, options: { outputPath: { base: 'out' } } }) },
    ['angular: out/browser'],
  ],
  [
    'Angular before 17',
    { 'angular.json': angularJson({ builder: BROWSER, options: { outputPath: 'dist/my-app' } }) },
    ['angular: dist/my-app, dist/my-app/browser'],
  ],
  [
    'Angular with targets',
    { 'angular.json': angularJson({ builder: `${BROWSER}-esbuild`, options: { outputPath: 'www' } }, 'targets') },
    ['angular: www, www/browser'],
  ],
  [
    'Angular with a configuration',
    {
      'angular.json': angularJson({
        builder: BROWSER,
        defaultConfiguration: 'app',
        options: { outputPath: 'a' },
        configurations: { app: { outputPath: 'b' } },
      }),
    },
    ['angular: b, b/browser'],
  ],
  [
    'two applications and a library',
    {
      'angular.json': JSON.stringify({
        projects: {
          shop: { projectType: 'application', architect: { build: { builder: APPLICATION, options: {} } } },
          ui: { projectType: 'library', architect: { build: { builder: '@angular/build:ng-packagr' } } },
          admin: {
            projectType: 'application',
            architect: { build: { builder: BROWSER, options: { outputPath: 'a' } } },
          },
          e2e: { projectType: 'application', architect: {} },
        },
      }),
    },
    ['angular shop: dist/shop/browser, dist/shop', 'angular admin: a, a/browser'],
  ],
  [
    'an application whose name leads out of the folder',
    {
      'angular.json': JSON.stringify({
        projects: { '../../a': { projectType: 'application', architect: { build: { builder: APPLICATION } } } },
      }),
    },
    ['angular: no, angular.json:1'],
  ],
  ['an angular.json that is broken', { 'angular.json': '{ "projects": ' }, ['angular: angular.json:1 outputPath?']],

  ['Vite', { 'vite.config.ts': `${VITE}export default defineConfig({\n  plugins: [vue()],\n})` }, ['vite: dist']],
  [
    'Vite with a root',
    { 'vite.config.ts': `export default defineConfig({ root: './src', build: { outDir: '../dist', minify: false } })` },
    ['vite: dist'],
  ],
  ['Vite with a root alone', { 'vite.config.mjs': `export default { root: 'web' }` }, ['vite: web/dist']],
  [
    'Vite outside',
    { 'vite.config.js': `export default { build: { outDir: '../../dist/app' } }` },
    ['vite: no, vite.config.js:1'],
  ],
  [
    'Vite with an expression',
    { 'vite.config.ts': `export default {\n  build: {\n    outDir: resolve(dir, 'a') } }` },
    ['vite: vite.config.ts:3 build.outDir?'],
  ],
  [
    'Vite with a root that is an expression',
    { 'vite.config.ts': `export default { root: dir }` },
    ['vite: vite.config.ts:1 root?'],
  ],
  [
    'Vite of Nx',
    {
      'vite.config.mts': `export default defineConfig(() => ({ root: import.meta.dirname, build: { outDir: './dist' } }))`,
    },
    ['vite: dist'],
  ],
  [
    'Vite of Framework7',
    {
      'vite.config.js': `import path from 'path';\nconst SRC_DIR = path.resolve(__dirname, './src');\nconst BUILD_DIR = path.resolve(__dirname, './www',);\nexport default async () => {\n  return { root: SRC_DIR, build: { outDir: BUILD_DIR } };\n}`,
    },
    ['vite: www'],
  ],
  [
    'Vite with a folder below a root that is resolved',
    {
      'vite.config.ts': `import { join } from 'node:path';\nexport default { root: join(__dirname, 'src'), build: { outDir: '../dist' } }`,
    },
    ['vite: dist'],
  ],
  [
    'Vite with a resolved folder and a root that nobody knows',
    { 'vite.config.ts': `export default { root: dir, build: { outDir: \`\${import.meta.dirname}/www\` } }` },
    ['vite: www'],
  ],
  [
    'Vite with a resolved folder outside',
    {
      'vite.config.ts': `import { resolve } from 'path';\nexport default { build: { outDir: resolve(__dirname, '../www') } }`,
    },
    ['vite: no, vite.config.ts:2'],
  ],
  [
    'Vite with a folder of its command',
    {
      'vite.config.ts': `export default { root: 'src' }`,
      'package.json': packageJson(['vite'], { build: 'tsc -b && vite build --outDir ../docs --emptyOutDir' }),
    },
    ['vite: docs'],
  ],
  [
    'Vite with a folder of its command alone',
    { 'package.json': packageJson(['vite'], { build: 'vite build --outDir="my docs"' }) },
    ['vite: my docs'],
  ],
  [
    'Vite with a folder of its configuration and of its command',
    {
      'vite.config.ts': `export default { build: { outDir: 'www' } }`,
      'package.json': packageJson(['vite'], { build: 'vite build --outDir=docs' }),
    },
    ['vite: docs'],
  ],
  [
    'Vite with a folder that the shell fills in',
    { 'package.json': packageJson(['vite'], { build: 'vite build --outDir=$OUT' }) },
    ['vite: package.json:1 --outDir?'],
  ],
  ['Vite without a file', { 'package.json': packageJson(['vite'], { build: 'tsc && vite build' }) }, ['vite: dist']],
  ['Vitest alone', { 'package.json': packageJson(['vitest'], { test: 'vitest run' }) }, []],
  [
    'Capacitor and Vite',
    {
      'vite.config.js': 'export default {}',
      'capacitor.config.json': '{ "webDir": "dist" }',
      'package.json': packageJson(['webpack']),
    },
    ['capacitor: dist', 'vite: dist'],
  ],

  [
    'Astro',
    {
      'astro.config.mjs': `// @ts-check\nimport { defineConfig } from 'astro/config';\nexport default defineConfig({});`,
      'package.json': packageJson(['astro', 'vite']),
    },
    ['astro: dist'],
  ],
  [
    'Astro with a folder',
    { 'astro.config.mjs': `export default defineConfig({ outDir: './www', output: 'static' })` },
    ['astro: www'],
  ],
  [
    'Astro with a folder that is resolved',
    {
      'astro.config.mjs': `import { fileURLToPath } from 'node:url';\nexport default { outDir: fileURLToPath(new URL('./www/', import.meta.url)) }`,
    },
    ['astro: www'],
  ],
  [
    'Astro for a server',
    { 'astro.config.ts': `export default defineConfig({\n  adapter: node(),\n  output: 'server' })` },
    ['astro: no, astro.config.ts:3'],
  ],
  [
    'Astro with an expression',
    { 'astro.config.ts': `export default defineConfig({ output: mode })` },
    ['astro: astro.config.ts:1 output?'],
  ],
  ['Astro without a file', { 'package.json': packageJson(['astro']) }, ['astro: dist']],

  [
    'Next.js as its starter has it',
    {
      'next.config.ts': `${NEXT}const nextConfig: NextConfig = {\n  /* config options here */\n};\n\nexport default nextConfig;`,
      'package.json': packageJson(['next']),
    },
    ['next: no, next.config.ts:-'],
  ],
  [
    'Next.js with an export',
    {
      'next.config.ts': `${NEXT}const nextConfig: NextConfig = { output: 'export' };\nexport default withPlugin(nextConfig);`,
    },
    ['next: out'],
  ],
  [
    'Next.js with a folder',
    {
      'next.config.js': `/** @type {import('next').NextConfig} */\nmodule.exports = { output: 'export', distDir: 'www' }`,
    },
    ['next: www'],
  ],
  [
    'Next.js with its own folder',
    { 'next.config.js': `module.exports = { output: 'export', distDir: '.next' }` },
    ['next: out'],
  ],
  [
    'Next.js by a phase',
    {
      'next.config.mjs': `export default async (phase, { defaultConfig }) => {\n  const nextConfig = { output: 'export' }\n  return nextConfig\n}`,
    },
    ['next: out'],
  ],
  [
    'Next.js for a server',
    { 'next.config.js': `module.exports = {\n output: 'standalone' }` },
    ['next: no, next.config.js:2'],
  ],
  [
    'Next.js with an expression',
    { 'next.config.js': `module.exports = { output: isApp ? 'export' : undefined }` },
    ['next: next.config.js:1 output?'],
  ],
  ['Next.js without a file', { 'package.json': packageJson(['next']) }, ['next: no, package.json:-']],
  [
    'Next.js 12',
    {
      'next.config.js': 'module.exports = {}',
      'package.json': packageJson(['next'], { build: 'next build && next export' }),
    },
    ['next: out'],
  ],

  [
    'Nuxt',
    {
      'nuxt.config.ts': `// https://nuxt.com/docs/api/configuration/nuxt-config\nexport default defineNuxtConfig({\n  compatibilityDate: '2025-07-15',\n  devtools: { enabled: true }\n})`,
    },
    ['nuxt: .output/public, dist'],
  ],
  [
    'Nuxt with a folder',
    { 'nuxt.config.ts': `export default defineNuxtConfig({ nitro: { output: { publicDir: 'www' } } })` },
    ['nuxt: www, dist'],
  ],
  [
    'Nuxt with a folder of all',
    { 'nuxt.config.ts': `export default defineNuxtConfig({ nitro: { output: { dir: '{{ rootDir }}/out' } } })` },
    ['nuxt: out/public, dist'],
  ],
  [
    'Nuxt with what Nitro fills in',
    { 'nuxt.config.ts': `export default { nitro: { output: { dir: 'a', publicDir: '{{ output.dir }}/b' } } }` },
    ['nuxt: a/b, dist'],
  ],
  [
    'Nuxt with what nobody knows',
    { 'nuxt.config.ts': `export default { nitro: { output: { publicDir: '{{ buildDir }}/b' } } }` },
    ['nuxt: nuxt.config.ts:1 nitro.output.publicDir?'],
  ],
  [
    'Nuxt 2',
    { 'nuxt.config.js': `export default { target: 'static', generate: { dir: 'www' } }` },
    ['nuxt: www, dist'],
  ],
  [
    'Nuxt with an expression',
    { 'nuxt.config.ts': `export default defineNuxtConfig({ nitro: { output: { publicDir: join(a, 'b') } } })` },
    ['nuxt: nuxt.config.ts:1 nitro.output.publicDir?'],
  ],
  ['Nuxt without a file', { 'package.json': packageJson(['nuxt']) }, ['nuxt: .output/public, dist']],

  [
    'SvelteKit with the static adapter',
    {
      'svelte.config.js': `import adapter from '@sveltejs/adapter-static';\nconst config = { kit: { adapter: adapter({ fallback: '200.html' }) } };\nexport default config;`,
      'vite.config.js': `${KIT}export default defineConfig({ plugins: [sveltekit()] });`,
    },
    ['svelte: build'],
  ],
  [
    'SvelteKit with a folder',
    {
      'svelte.config.js': `import adapter from '@sveltejs/adapter-static';\nexport default { kit: { adapter: adapter({ pages: 'www', assets: 'www' }) } };`,
    },
    ['svelte: www'],
  ],
  [
    'SvelteKit with an expression',
    {
      'svelte.config.js': `import adapter from '@sveltejs/adapter-static';\nexport default { kit: { adapter: adapter({ pages: dir }) } };`,
    },
    ['svelte: svelte.config.js:2 pages?'],
  ],
  [
    'SvelteKit with another adapter',
    {
      'svelte.config.js': `import adapter from '@sveltejs/adapter-auto';\nexport default { kit: { adapter: adapter() } };`,
    },
    ['svelte: no, svelte.config.js:2'],
  ],
  [
    'SvelteKit with one of two adapters',
    { 'svelte.config.js': `export default { kit: { adapter: isApp ? a() : b() } };` },
    ['svelte: svelte.config.js:1 kit.adapter?'],
  ],
  [
    'SvelteKit with an adapter of its own',
    { 'svelte.config.js': `import adapter from './adapter.js';\nexport default { kit: { adapter: adapter() } };` },
    ['svelte: svelte.config.js:2 kit.adapter?'],
  ],
  [
    'SvelteKit as its starter has it',
    {
      'vite.config.ts': `import adapter from '@sveltejs/adapter-auto';\n${KIT}export default defineConfig({ plugins: [sveltekit({ adapter: adapter() })] });`,
      'package.json': packageJson(['@sveltejs/kit', 'vite']),
    },
    ['svelte: no, vite.config.ts:4'],
  ],
  [
    'SvelteKit of the starter, with the static adapter',
    {
      'vite.config.ts': `import adapter from '@sveltejs/adapter-static';\n${KIT}export default defineConfig({ plugins: [tailwind(), sveltekit({ adapter: adapter({ pages: 'www' }) })] });`,
    },
    ['svelte: www'],
  ],
  ['SvelteKit without an adapter', { 'package.json': packageJson(['@sveltejs/kit']) }, ['svelte: no, package.json:-']],
  [
    'Svelte and Vite',
    {
      'svelte.config.js': `import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'\nexport default { preprocess: vitePreprocess() }`,
      'vite.config.ts': `export default defineConfig({ plugins: [svelte()] })`,
    },
    ['vite: dist'],
  ],

  [
    'React Router without a server',
    {
      'react-router.config.ts': `import type { Config } from "@react-router/dev/config";\nexport default {\n  ssr: false,\n} satisfies Config;`,
      'vite.config.ts': 'export default defineConfig({ plugins: [reactRouter()] })',
    },
    ['react-router: build/client'],
  ],
  [
    'React Router with a server',
    { 'react-router.config.ts': `export default {\n  ssr: true,\n}` },
    ['react-router: no, react-router.config.ts:2'],
  ],

  [
    'Create React App',
    { 'package.json': packageJson(['react-scripts', 'webpack'], { build: 'react-scripts build' }) },
    ['react-scripts: build'],
  ],
  [
    'Create React App with a folder of its command',
    { 'package.json': packageJson(['react-scripts'], { build: 'BUILD_PATH=./www react-scripts build' }) },
    ['react-scripts: www'],
  ],
  [
    'Create React App with a folder of cross-env',
    { 'package.json': packageJson(['react-scripts'], { build: "cross-env BUILD_PATH='www/app' react-scripts build" }) },
    ['react-scripts: www/app'],
  ],
  ['Vue CLI', { 'package.json': packageJson(['vue', '@vue/cli-service']) }, ['vue-cli: dist']],
  [
    'Vue CLI with a folder',
    {
      'vue.config.js': `const { defineConfig } = require('@vue/cli-service')\nmodule.exports = defineConfig({\n  transpileDependencies: true, outputDir: 'www' })`,
    },
    ['vue-cli: www'],
  ],
  [
    'Vue CLI with a folder that is resolved',
    { 'vue.config.js': `module.exports = { outputDir: require('path').join(__dirname, 'www') }` },
    ['vue-cli: www'],
  ],
  [
    'Vue CLI with an expression',
    { 'vue.config.js': `module.exports = { outputDir: dir }` },
    ['vue-cli: vue.config.js:1 outputDir?'],
  ],
  [
    'Rsbuild',
    { 'rsbuild.config.ts': `export default defineConfig({ output: { distPath: { root: 'www' } } })` },
    ['rsbuild: www'],
  ],
  [
    'Quasar',
    {
      'quasar.config.js': `export default defineConfig((ctx) => { return { build: { vueRouterMode: 'hash' } } })`,
      'package.json': packageJson(['@quasar/app-vite']),
    },
    ['quasar: dist/spa, dist/pwa'],
  ],
  ['Docusaurus', { 'package.json': packageJson(['@docusaurus/core']) }, ['docusaurus: build']],
  ['Gatsby', { 'package.json': packageJson(['gatsby']) }, ['gatsby: public']],
  ['Eleventy', { 'package.json': packageJson(['@11ty/eleventy']) }, ['eleventy: _site']],
  ['Stencil', { 'package.json': packageJson(['@stencil/core']) }, ['stencil: www']],
  ['Ember', { 'package.json': packageJson([], { build: 'ember build --environment=production' }) }, ['ember: dist']],
  ['Parcel', { 'package.json': packageJson(['react', 'parcel']) }, ['parcel: dist']],
  ['webpack', { 'package.json': packageJson([], { build: 'npx webpack' }) }, ['webpack: dist, build']],
  [
    'webpack with a folder',
    {
      'webpack.config.js': `const path = require('path');\nmodule.exports = { output: { filename: 'a.js', path: path.resolve(__dirname, 'www') } }`,
    },
    ['webpack: www'],
  ],
  [
    'webpack with a folder of another module',
    { 'webpack.config.js': `const paths = require('./paths');\nmodule.exports = { output: { path: paths.build } }` },
    ['webpack: webpack.config.js:2 output.path?'],
  ],
  [
    'Capacitor and webpack',
    { 'capacitor.config.json': '{}', 'package.json': packageJson(['webpack']) },
    ['capacitor: www', 'webpack: dist, build'],
  ],
];

describe('findTools', () => {
  for (const [title, files, expected] of cases) {
    it(`finds: ${title}`, async () => assert.deepEqual((await find(files)).map(summary), expected));
  }

  const reasons: readonly (readonly [files: Files, reason: RegExp])[] = [
    [{ 'next.config.js': 'module.exports = {}' }, /output: 'export' in next\.config/],
    [{ 'package.json': packageJson(['@sveltejs/kit']) }, /install @sveltejs\/adapter-static, .* in svelte\.config\.js/],
    [{ 'astro.config.mjs': `export default { output: 'server' }` }, /output: 'server'/],
    [{ 'capacitor.config.json': '{ "webDir": "/var/www" }' }, /capacitor\.config\.json .* \/var\/www,/],
    [{ 'react-router.config.js': 'export default {}' }, /ssr: false in react-router\.config\.js/],
  ];
  for (const [files, expected] of reasons) {
    it(`says why ${Object.keys(files).join()} gives no pages`, async () => {
      const [project] = await find(files);
      assert.ok(project?.output.kind === 'none');
      assert.match(plainText(project.output.reason), expected);
    });
  }

  it('cannot tell what a file says that cannot be read', async () => {
    for (const read of [() => Promise.resolve(undefined), () => Promise.reject(new Error('EACCES'))]) {
      const found = await findTools(['package.json', 'vite.config.ts', 'capacitor.config.json'], read);
      assert.deepEqual(found.map(summary), [
        'capacitor: capacitor.config.json:1 webDir?',
        'vite: vite.config.ts:1 root?',
      ]);
    }
  });

  it('never throws, and never leaves the folder, however the files are changed', async () => {
    const all = cases.flatMap(([, files]) => Object.entries(files)).filter(([, text]) => text !== '');
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
