import assert from 'node:assert/strict';

import fc from 'fast-check';

import { plainText } from '../../../../src/api/errors/sentence.ts';
import { MAX_CONFIGURATION_BYTES } from '../../../../src/projects/limits.ts';
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

const KIT = `import { sveltekit } from '@sveltejs/kit/vite';\nimport { defineConfig } from 'vite';\n`;
const NEXT = `import type { NextConfig } from "next";\n\n`;

/** A configuration, and the tools that are found by it. Lines are separated by `⏎`. */
const CONFIGURATIONS = String.raw`
vite.config.ts | import { root } from './a' ⏎ export default { build: { outDir: 'www' } } | vite: www
vite.config.ts | export default { base: './', ...(isApp && { build: { outDir: 'www' } }) } | vite: www
vite.config.ts | export default { root: 'src', build: { outDir: join(__dirname, 'www') } } | vite: www
capacitor.config.json | { "appId": "a.b", "webDir": "dist/" } | capacitor: dist
capacitor.config.json | {} | capacitor: www
capacitor.config.ts | export default { ⏎  webDir: process.env.DIR, ⏎ } | capacitor: capacitor.config.ts:2 webDir?
capacitor.config.json | { "webDir": 5 } | capacitor: capacitor.config.json:1 webDir?
capacitor.config.json | { ⏎ "webDir": "../web/dist" } | capacitor: no, capacitor.config.json:2
capacitor.config.json | { "webDir": "C:\\web" } | capacitor: no, capacitor.config.json:1
capacitor.config.json | { "webDir": "dist\\app" } | capacitor: dist/app
capacitor.config.json | { "webDir": "." } | capacitor: .
capacitor.config.ts | export default { | capacitor: capacitor.config.ts:1 webDir?
capacitor.config.json | ﻿{ // comment ⏎ "webDir": "caf\u00e9", } | capacitor: café
vite.config.ts | // https://vite.dev/config/ ⏎ export default defineConfig({ ⏎  plugins: [vue()], ⏎ }) | vite: dist
vite.config.ts | export default defineConfig({ root: './src', build: { outDir: '../dist', minify: false } }) | vite: dist
vite.config.mjs | export default { root: 'web' } | vite: web/dist
vite.config.js | export default { build: { outDir: '../../dist/app' } } | vite: no, vite.config.js:1
vite.config.ts | export default { ⏎  build: { ⏎   outDir: resolve(dir, 'a') } } | vite: vite.config.ts:3 build.outDir?
vite.config.ts | export default { root: dir } | vite: vite.config.ts:1 root?
vite.config.mts | export default defineConfig(() => ({ root: import.meta.dirname, build: { outDir: './dist' } })) | vite: dist
vite.config.js | const SRC = path.resolve(__dirname, './src'); ⏎ const OUT = path.resolve(__dirname, './www',); ⏎ export default async () => { return { root: SRC, build: { outDir: OUT } }; } | vite: www
vite.config.ts | export default { root: join(__dirname, 'src'), build: { outDir: '../dist' } } | vite: dist
vite.config.ts | import { resolve } from 'path'; ⏎ export default { build: { outDir: resolve(__dirname, '../www') } } | vite: no, vite.config.ts:2
vite.config.ts | import adapter from '@sveltejs/adapter-static'; ⏎ import { sveltekit } from '@sveltejs/kit/vite'; ⏎ export default { plugins: [tailwind(), sveltekit({ adapter: adapter({ pages: 'www' }) })] }; | svelte: www
vite.config.js | const config = { build: { outDir: 'www' } }; ⏎ module.exports = withA({ silent: true })(config); | vite: www
vite.config.ts | const outDir = 'www' ⏎ export default <const>{ 'build': { outDir } } satisfies UserConfig; | vite: www
vite.config.ts | export default { plugins: [pwa({ build: { outDir: 'a' } })], server: { root: 'b' } } | vite: dist
vite.config.ts | export default ({ command }) => command === 'serve' ? { root: 'a' } : { root: 'b' } | vite: vite.config.ts:1 root?
vite.config.ts | // root: 'no' ⏎ export default { /* root: 'no', */ root: /* a */ 'src', // b ⏎ build: { outDir: undefined } } | vite: src/dist
vite.config.ts | import { outDir } from './a'; ⏎ export default { build: { outDir } } | vite: vite.config.ts:2 build.outDir?
vite.config.ts | export default { build: { outDir: isDev ? 'a' : 'b' } } | vite: vite.config.ts:1 build.outDir?
vite.config.ts | export default { build: { outDir: 'a' + suffix } } | vite: vite.config.ts:1 build.outDir?
vite.config.ts | export default { root: __dirname + '/web', build: { outDir: new URL('www', import.meta.url).pathname } } | vite: www
astro.config.mjs | export default defineConfig({ outDir: './www', output: 'static' }) | astro: www
astro.config.mjs | export default { outDir: fileURLToPath(new URL('./www/', import.meta.url)) } | astro: www
astro.config.ts | export default defineConfig({ ⏎  adapter: node(), ⏎  output: 'server' }) | astro: no, astro.config.ts:3
astro.config.ts | export default defineConfig({ output: mode }) | astro: astro.config.ts:1 output?
next.config.ts | const nextConfig: NextConfig = { output: 'export' }; ⏎ export default withPlugin(nextConfig); | next: out
next.config.js | /** @type {import('next').NextConfig} */ ⏎ module.exports = { output: 'export', distDir: 'www' } | next: www
next.config.js | module.exports = { output: 'export', distDir: '.next' } | next: out
next.config.mjs | export default async (phase, { defaultConfig }) => { ⏎  const nextConfig = { output: 'export' } ⏎  return nextConfig ⏎ } | next: out
next.config.js | module.exports = { ⏎ output: 'standalone' } | next: no, next.config.js:2
next.config.js | module.exports = { output: isApp ? 'export' : undefined } | next: next.config.js:1 output?
nuxt.config.ts | export default defineNuxtConfig({ compatibilityDate: '2025-07-15', devtools: { enabled: true } }) | nuxt: .output/public, dist
nuxt.config.ts | export default defineNuxtConfig({ nitro: { output: { publicDir: 'www' } } }) | nuxt: www, dist
nuxt.config.ts | export default defineNuxtConfig({ nitro: { output: { dir: '{{ rootDir }}/out' } } }) | nuxt: out/public, dist
nuxt.config.ts | export default { nitro: { output: { dir: 'a', publicDir: '{{ output.dir }}/b' } } } | nuxt: a/b, dist
nuxt.config.ts | export default { nitro: { output: { publicDir: '{{ buildDir }}/b' } } } | nuxt: nuxt.config.ts:1 nitro.output.publicDir?
nuxt.config.js | export default { target: 'static', generate: { dir: 'www' } } | nuxt: www, dist
nuxt.config.ts | export default defineNuxtConfig({ nitro: { output: { publicDir: join(a, 'b') } } }) | nuxt: nuxt.config.ts:1 nitro.output.publicDir?
svelte.config.js | import adapter from '@sveltejs/adapter-static'; ⏎ export default { kit: { adapter: adapter({ pages: 'www', assets: 'www' }) } }; | svelte: www
svelte.config.js | import adapter from '@sveltejs/adapter-static'; ⏎ export default { kit: { adapter: adapter({ pages: dir }) } }; | svelte: svelte.config.js:2 pages?
svelte.config.js | import adapter from '@sveltejs/adapter-auto'; ⏎ export default { kit: { adapter: adapter() } }; | svelte: no, svelte.config.js:2
svelte.config.js | export default { kit: { adapter: isApp ? a() : b() } }; | svelte: svelte.config.js:1 kit.adapter?
svelte.config.js | import adapter from './adapter.js'; ⏎ export default { kit: { adapter: adapter() } }; | svelte: svelte.config.js:2 kit.adapter?
react-router.config.ts | export default { ⏎  ssr: true, ⏎ } | react-router: no, react-router.config.ts:2
vue.config.js | const { defineConfig } = require('@vue/cli-service') ⏎ module.exports = defineConfig({ transpileDependencies: true, outputDir: 'www' }) | vue-cli: www
vue.config.js | module.exports = { outputDir: require('path').join(__dirname, 'www') } | vue-cli: www
vue.config.js | module.exports = { outputDir: dir } | vue-cli: vue.config.js:1 outputDir?
rsbuild.config.ts | export default defineConfig({ output: { distPath: { root: 'www' } } }) | rsbuild: www
webpack.config.js | module.exports = { output: { filename: 'a.js', path: path.resolve(__dirname, 'www') } } | webpack: www
webpack.config.js | const paths = require('./paths'); ⏎ module.exports = { output: { path: paths.build } } | webpack: webpack.config.js:2 output.path?
`;

/** What the build of Angular's only application says, and its folders. */
const ANGULAR_BUILDS: readonly (readonly [build: object, folders: string])[] = [
  [{ builder: APPLICATION, options: { browser: 'src/main.ts' } }, 'dist/app/browser, dist/app'],
  [{ builder: '@angular-devkit/build-angular:application', options: { outputPath: 'www' } }, 'www/browser, www'],
  [{ builder: APPLICATION, options: { outputPath: { base: 'www', browser: '' } } }, 'www'],
  [{ builder: APPLICATION, options: { outputPath: { base: 'out' } } }, 'out/browser'],
  [{ builder: BROWSER, options: { outputPath: 'dist/my-app' } }, 'dist/my-app, dist/my-app/browser'],
  [
    {
      builder: BROWSER,
      defaultConfiguration: 'a',
      options: { outputPath: 'b' },
      configurations: { a: { outputPath: 'c' } },
    },
    'c, c/browser',
  ],
];

/** Packages that a project depends on, its script `build`, and the tools that are found by them. */
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
];

const cases: readonly (readonly [title: string, files: Files, expected: readonly string[]])[] = [
  ['nothing', { 'index.html': '' }, []],
  ['a broken package.json', { 'package.json': '{ "dependencies": { "next": ' }, []],
  [
    'TypeScript before JSON',
    { 'capacitor.config.json': '{}', 'capacitor.config.ts': `export default { webDir: './out' }` },
    ['capacitor: out'],
  ],
  [
    'Angular with targets',
    { 'angular.json': angularJson({ builder: `${BROWSER}-esbuild`, options: { outputPath: 'www' } }, 'targets') },
    ['angular: www, www/browser'],
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
  [
    'Vite with a resolved folder and a root that nobody knows',
    { 'vite.config.ts': `export default { root: dir, build: { outDir: \`\${import.meta.dirname}/www\` } }` },
    ['vite: www'],
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
    'Vite with a folder of its configuration and of its command',
    {
      'vite.config.ts': `export default { build: { outDir: 'www' } }`,
      'package.json': packageJson(['vite'], { build: 'vite build --outDir=docs' }),
    },
    ['vite: docs'],
  ],
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
    'Next.js as its starter has it',
    {
      'next.config.ts': `${NEXT}const nextConfig: NextConfig = {\n  /* config options here */\n};\n\nexport default nextConfig;`,
      'package.json': packageJson(['next']),
    },
    ['next: no, next.config.ts:-'],
  ],
  [
    'Next.js 12',
    {
      'next.config.js': 'module.exports = {}',
      'package.json': packageJson(['next'], { build: 'next build && next export' }),
    },
    ['next: out'],
  ],
  [
    'SvelteKit with the static adapter',
    {
      'svelte.config.js': `import adapter from '@sveltejs/adapter-static';\nconst config = { kit: { adapter: adapter({ fallback: '200.html' }) } };\nexport default config;`,
      'vite.config.js': `${KIT}export default defineConfig({ plugins: [sveltekit()] });`,
    },
    ['svelte: build'],
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
    'Quasar',
    {
      'quasar.config.js': `export default defineConfig((ctx) => { return { build: { vueRouterMode: 'hash' } } })`,
      'package.json': packageJson(['@quasar/app-vite']),
    },
    ['quasar: dist/spa, dist/pwa'],
  ],
  [
    'Capacitor and webpack',
    { 'capacitor.config.json': '{}', 'package.json': packageJson(['webpack']) },
    ['capacitor: www', 'webpack: dist, build'],
  ],
];

describe('findTools', () => {
  const told = async (files: Files): Promise<string> => (await find(files)).map(summary).join('; ');

  for (const [title, files, expected] of cases) {
    it(`finds: ${title}`, async () => assert.deepEqual((await find(files)).map(summary), expected));
  }
  for (const row of CONFIGURATIONS.trim().split('\n')) {
    it(`finds: ${row}`, async () => {
      const [file = '', text = '', expected] = row.split(' | ');
      assert.equal(await told({ [file]: text.replaceAll('⏎', '\n') }), expected);
    });
  }
  for (const [build, folders] of ANGULAR_BUILDS) {
    it(`finds: Angular with ${JSON.stringify(build)}`, async () => {
      assert.equal(await told({ 'angular.json': angularJson(build) }), `angular: ${folders}`);
    });
  }
  for (const [packages, build, expected] of PACKAGES) {
    it(`finds: ${packages} with ${build}`, async () => {
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
    it(`says why ${Object.keys(files).join()} gives no pages`, async () => {
      const [project] = await find(files);
      assert.ok(project?.output.kind === 'none');
      assert.match(plainText(project.output.reason), expected);
    });
  }

  it('cannot tell what a file says that cannot be read', async () => {
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

  it('never throws, and never leaves the folder, however the files are changed', async () => {
    const rows = CONFIGURATIONS.trim().split('\n');
    const all = [
      ...cases.flatMap(([, files]) => Object.entries(files)),
      ...rows.map((row): [string, string] => [row.split(' | ')[0] ?? '', row.split(' | ')[1] ?? '']),
    ];
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
