import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import fc from 'fast-check';

import { plainText } from '../../../../src/api/errors/sentence.ts';
import { MAX_CONFIGURATION_BYTES } from '../../../../src/projects/limits.ts';
import { findTools, type ToolProject } from '../../../../src/projects/tools/buildTools.ts';
import { repositoryRoot } from '../../../support/repository.ts';

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
const CONFIGURATIONS = readFileSync(path.join(repositoryRoot, 'test/fixtures/buildTools.txt'), 'utf8')
  .trim()
  .split('\n');

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
  for (const row of CONFIGURATIONS) {
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
    const all = [
      ...cases.flatMap(([, files]) => Object.entries(files)),
      ...CONFIGURATIONS.map((row): [string, string] => [row.split(' | ')[0] ?? '', row.split(' | ')[1] ?? '']),
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
