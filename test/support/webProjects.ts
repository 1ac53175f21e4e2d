/** One web project of each kind: what its tool ships, and what a build adds to it. */
import type { ProjectKind } from '../../src/projects/layout.ts';
import type { Files } from './packing.ts';

/** A project before and after its build. */
export interface ProjectFixture {
  readonly kind: ProjectKind;
  /** As a person has it in Git. */
  readonly source: Files;
  /** Folder of the pages, below the project. */
  readonly pages: string;
  /** What a build writes into that folder. */
  readonly built: Files;
  /** By its files; before the build where the page says another. */
  readonly name: string;
  /** By its files. */
  readonly id?: string;
  /** What builds it; undefined for what needs no build. */
  readonly command?: string;
}

const TITLE = 'Tide Times';

/** A page as tools write it: its script is beside it, at the root of the origin. */
function builtPage(script: string, title = TITLE): string {
  return `<!doctype html><html><head><title>${title}</title><script type="module" src="${script}"></script></head><body><div id="app"></div></body></html>`;
}

/** What every built app runs: a person sees where it is. */
const SCRIPT = "document.body.append(Object.assign(document.createElement('h1'), { textContent: 'It works' }));\n";

function packageJson(scripts: Readonly<Record<string, string>>, dependencies: readonly string[]): string {
  const versions = Object.fromEntries(dependencies.map((name) => [name, '^1.0.0']));
  return JSON.stringify({ name: 'tide-times', version: '1.4.2', scripts, dependencies: versions });
}

/** The page that Vite and others make the app's of. */
const SOURCE_PAGE = `<!doctype html><title>${TITLE}</title><div id="app"></div><script type="module" src="/src/main.ts"></script>`;
const LOCK = { 'package-lock.json': '{}', 'node_modules/.package-lock.json': '{}' };

/** The kinds that the users have; each is built end to end. */
export const PROJECTS: readonly ProjectFixture[] = [
  {
    kind: 'cordova',
    source: {
      'config.xml':
        '<?xml version="1.0" encoding="UTF-8"?>\n<widget id="org.example.tide" version="2.0.0" xmlns="http://www.w3.org/ns/widgets">\n  <name>Tide</name>\n</widget>\n',
    },
    pages: 'www',
    built: { 'index.html': builtPage('js/app.js'), 'js/app.js': SCRIPT },
    name: 'Tide',
    id: 'org.example.tide',
  },
  {
    kind: 'capacitor',
    source: {
      ...LOCK,
      '.gitignore': 'node_modules\ndist\n',
      'package.json': packageJson({ build: 'vite build' }, ['@capacitor/core', 'vite']),
      'capacitor.config.ts':
        "import type { CapacitorConfig } from '@capacitor/cli';\n\nconst config: CapacitorConfig = {\n  appId: 'io.example.tides',\n  appName: 'Tides',\n  webDir: 'dist',\n  android: { backgroundColor: '#112233' },\n};\n\nexport default config;\n",
      'index.html': SOURCE_PAGE,
      'src/main.ts': 'export {};\n',
      'android/app/src/main/assets/public/index.html': builtPage('/old.js'),
    },
    pages: 'dist',
    built: { 'index.html': builtPage('/assets/index-1.js'), 'assets/index-1.js': SCRIPT },
    name: 'Tides',
    id: 'io.example.tides',
    command: 'npm run build',
  },
  {
    kind: 'angular',
    source: {
      ...LOCK,
      '.gitignore': '/node_modules\n/dist\n',
      'package.json': packageJson({ build: 'ng build' }, ['@angular/core']),
      'angular.json': JSON.stringify({
        projects: {
          tides: {
            projectType: 'application',
            root: '',
            architect: { build: { builder: '@angular/build:application' } },
          },
        },
      }),
      'src/index.html': `<!doctype html><title>${TITLE}</title><base href="/"><app-root></app-root>`,
      'src/main.ts': 'export {};\n',
    },
    pages: 'dist/tides/browser',
    built: {
      'index.html': `<!doctype html><html><head><title>${TITLE}</title><base href="/"></head><body><app-root></app-root><script src="main-1.js" type="module"></script></body></html>`,
      'main-1.js': SCRIPT,
    },
    name: TITLE,
    command: 'npm run build',
  },
  {
    kind: 'vite',
    source: {
      'pnpm-lock.yaml': '',
      'node_modules/.modules.yaml': '',
      '.gitignore': 'node_modules\ndist\n',
      'package.json': packageJson({ build: 'vue-tsc && vite build' }, ['vue', 'vite']),
      'vite.config.ts': "import { defineConfig } from 'vite';\nexport default defineConfig({ plugins: [] });\n",
      'index.html': SOURCE_PAGE,
      'src/main.ts': 'export {};\n',
    },
    pages: 'dist',
    built: { 'index.html': builtPage('/assets/index-1.js'), 'assets/index-1.js': SCRIPT },
    name: TITLE,
    command: 'pnpm run build',
  },
  {
    kind: 'astro',
    source: {
      ...LOCK,
      '.gitignore': 'node_modules/\nsite/\n',
      'package.json': packageJson({ build: 'astro build' }, ['astro']),
      'astro.config.mjs':
        "import { defineConfig } from 'astro/config';\nexport default defineConfig({ outDir: './site' });\n",
      'src/pages/index.astro': '<h1>Tide</h1>\n',
    },
    pages: 'site',
    built: {
      'index.html': builtPage('/_astro/a.js'),
      '_astro/a.js': SCRIPT,
      'about/index.html': builtPage('/_astro/a.js'),
    },
    name: TITLE,
    command: 'npm run build',
  },
  {
    kind: 'next',
    source: {
      'yarn.lock': '',
      '.pnp.cjs': '',
      '.gitignore': '/out/\n/.next/\n',
      'package.json': packageJson({ build: 'next build' }, ['next', 'react']),
      'next.config.ts':
        "import type { NextConfig } from 'next';\nconst nextConfig: NextConfig = { output: 'export' };\nexport default nextConfig;\n",
      'app/page.tsx': 'export default () => null;\n',
    },
    pages: 'out',
    built: {
      'index.html': builtPage('/_next/static/a.js'),
      '_next/static/a.js': SCRIPT,
      '404.html': builtPage('/_next/static/a.js'),
    },
    name: TITLE,
    command: 'yarn run build',
  },
  {
    kind: 'nuxt',
    source: {
      'bun.lock': '',
      'node_modules/.bin/nuxt': '',
      '.gitignore': '.output\n.nuxt\nnode_modules\n',
      'package.json': packageJson({ build: 'nuxt build', generate: 'nuxt generate' }, ['nuxt']),
      'nuxt.config.ts': "export default defineNuxtConfig({ compatibilityDate: '2025-07-15' });\n",
      'app/pages/index.vue': '<template><h1>Tide</h1></template>\n',
    },
    pages: '.output/public',
    built: {
      'index.html': builtPage('/_nuxt/a.js'),
      '_nuxt/a.js': SCRIPT,
      'about/index.html': builtPage('/_nuxt/a.js'),
    },
    name: TITLE,
    command: 'bun run generate',
  },
  {
    kind: 'svelte',
    source: {
      ...LOCK,
      '.gitignore': 'node_modules\n/build\n',
      'package.json': packageJson({ build: 'vite build' }, ['@sveltejs/kit', '@sveltejs/adapter-static', 'vite']),
      'svelte.config.js':
        "import adapter from '@sveltejs/adapter-static';\nexport default { kit: { adapter: adapter({ fallback: '200.html' }) } };\n",
      'vite.config.ts':
        "import { sveltekit } from '@sveltejs/kit/vite';\nimport { defineConfig } from 'vite';\nexport default defineConfig({ plugins: [sveltekit()] });\n",
      'src/app.html': '<!doctype html>%sveltekit.head%<div>%sveltekit.body%</div>',
      'src/routes/+page.svelte': '<h1>Tide</h1>\n',
    },
    pages: 'build',
    built: { 'index.html': builtPage('/_app/a.js'), '_app/a.js': SCRIPT, 'about.html': builtPage('/_app/a.js') },
    name: TITLE,
    command: 'npm run build',
  },
  {
    kind: 'react-scripts',
    source: {
      ...LOCK,
      '.gitignore': '/node_modules\n/build\n',
      'package.json': packageJson({ build: 'react-scripts build' }, ['react', 'react-scripts']),
      'public/index.html': `<!doctype html><title>${TITLE}</title><link rel="icon" href="%PUBLIC_URL%/favicon.ico"><div id="root"></div>`,
      'src/index.js': 'export {};\n',
    },
    pages: 'build',
    built: { 'index.html': builtPage('/static/js/main.js'), 'static/js/main.js': SCRIPT },
    name: TITLE,
    command: 'npm run build',
  },
  {
    kind: 'pwa',
    source: {},
    pages: '',
    built: {
      'index.html': `<!doctype html><html><head><title>Tide</title><link rel="manifest" href="app.webmanifest"><script type="module" src="./app.js"></script></head><body></body></html>`,
      'app.webmanifest': JSON.stringify({
        ...{ name: TITLE, short_name: 'Tide', start_url: './', display: 'fullscreen', orientation: 'portrait' },
        ...{ theme_color: 'teal', background_color: '#fff' },
      }),
      'app.js': SCRIPT,
    },
    name: TITLE,
  },
  {
    kind: 'page',
    source: {},
    pages: '',
    built: {
      'index.html': `<!doctype html><html><head><title>${TITLE}</title><script defer src="app.js"></script></head><body></body></html>`,
      'app.js': SCRIPT,
    },
    name: TITLE,
  },
];

/** The files of a project after its build. */
export function builtFiles({ source, pages, built }: ProjectFixture): Files {
  const files: Record<string, string | Buffer> = { ...source };
  for (const [name, content] of Object.entries(built)) {
    files[pages === '' ? name : `${pages}/${name}`] = content;
  }
  return files;
}
