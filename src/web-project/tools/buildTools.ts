import { posix } from 'node:path';

import { sentence } from '../../errors/index.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import { ELM, OTHER_TOOLS } from './otherTools.ts';
import { findServerTools, type ServerTool } from './serverTools.ts';
import { ABSENT, BROKEN, getLine, getText, NO_CONFIG, ToolConfig } from './toolConfig.ts';
import { noOutput, type ToolOutput, readToolFolder, toFolder, type ToolFolder, toOutput } from './toolFolder.ts';

/** A folder whose pages a build tool creates. */
export interface ToolProject {
  readonly kind: ToolKind;
  /** Name of the application. Undefined unless the folder contains several. */
  readonly name?: string | undefined;
  readonly output: ToolOutput;
}

/** The kind of a build tool. */
export type ToolKind =
  | 'angular'
  | 'nx'
  | 'svelte'
  | 'vite'
  | ServerTool['kind']
  | (typeof TOOLS | typeof OTHER_TOOLS)[number]['kind']
  | (typeof ELM)['kind'];

interface BuildTool {
  readonly kind: string;
  /** Configuration files. The first one that exists is read. A name without extension matches all script extensions. */
  readonly config?: readonly string[];
  /** npm packages that identify the tool. One dependency is enough. */
  readonly packages?: readonly string[];
  /** Command that identifies the tool in a script of package.json. */
  readonly command?: string;
  /** Key of the output folder in the tool's configuration. */
  readonly key?: string;
  /** Default output folders of the tool. */
  readonly folders?: readonly string[];
  /** Finds the output folder, for tools where it depends on more than one value. */
  readonly read?: (config: ToolConfig, folder: ToolFolder) => ToolOutput | undefined;
  /** Whether the tool is used only if the folder has no other one: other tools use it, or it builds documentation. */
  readonly isBundler?: boolean;
}

/** Configuration files of Capacitor, in the order in which its `loadConfig` looks for them. */
export const CAPACITOR_FILES = ['capacitor.config.ts', 'capacitor.config.js', 'capacitor.config.json'] as const;

const TOOLS = [
  {
    kind: 'nativescript',
    config: ['nativescript.config'],
    packages: ['@nativescript/core', 'tns-core-modules'],
    read: nativeScript,
  },
  { kind: 'capacitor', config: CAPACITOR_FILES, key: 'webDir', folders: ['www'] },
  { kind: 'next', config: ['next.config'], packages: ['next'], read: next },
  { kind: 'nuxt', config: ['nuxt.config'], packages: ['nuxt', 'nuxt3', 'nuxt-edge'], read: nuxt },
  { kind: 'astro', config: ['astro.config'], packages: ['astro'], read: astro },
  { kind: 'react-router', config: ['react-router.config'], read: reactRouter },
  {
    kind: 'react-scripts',
    packages: ['react-scripts'],
    command: 'react-scripts',
    read: (_config, folder) =>
      toOutput('package.json', 'BUILD_PATH', folder.buildOption('BUILD_PATH=', 'BUILD_PATH='), ['build']),
  },
  {
    kind: 'vue-cli',
    packages: ['@vue/cli-service'],
    command: 'vue-cli-service',
    config: ['vue.config'],
    key: 'outputDir',
    folders: ['dist'],
  },
  {
    kind: 'rsbuild',
    packages: ['@rsbuild/core'],
    command: 'rsbuild',
    config: ['rsbuild.config'],
    key: 'output.distPath.root',
    folders: ['dist'],
  },
  {
    kind: 'quasar',
    packages: ['@quasar/app-vite', '@quasar/app-webpack', '@quasar/app'],
    command: 'quasar',
    config: ['quasar.config', 'quasar.conf'],
    key: 'build.distDir',
    folders: ['dist/spa', 'dist/pwa'],
  },
  { kind: 'docusaurus', packages: ['@docusaurus/core'], command: 'docusaurus', folders: ['build'] },
  { kind: 'gatsby', packages: ['gatsby'], command: 'gatsby', folders: ['public'] },
  {
    kind: 'eleventy',
    packages: ['@11ty/eleventy'],
    command: 'eleventy',
    config: ['eleventy.config', '.eleventy'],
    key: 'dir.output',
    folders: ['_site'],
  },
  { kind: 'hexo', packages: ['hexo'], command: 'hexo', folders: ['public'] },
  { kind: 'preact-cli', packages: ['preact-cli'], command: 'preact', folders: ['build'] },
  { kind: 'expo', packages: ['expo'], read: expo },
  { kind: 'stencil', packages: ['@stencil/core'], command: 'stencil', folders: ['www'] },
  { kind: 'ember', packages: ['ember-cli'], command: 'ember', folders: ['dist'] },
  { kind: 'parcel', packages: ['parcel', 'parcel-bundler'], command: 'parcel', folders: ['dist'], isBundler: true },
  { kind: 'vitepress', packages: ['vitepress'], command: 'vitepress', read: vitePress, isBundler: true },
  { kind: 'rollup', config: ['rollup.config'], read: rollup, isBundler: true },
  {
    kind: 'webpack',
    // The dependency alone isn't enough: libraries use webpack for their tests.
    packages: ['html-webpack-plugin', 'html-bundler-webpack-plugin'],
    command: 'webpack',
    config: ['webpack.config'],
    key: 'output.path',
    folders: ['dist', 'build'],
    isBundler: true,
  },
] as const satisfies readonly BuildTool[];

/** Reports whether a tool is often only a dependency of the packages in a repository. */
export function isBundler(kind: string): boolean {
  return kind === 'rsbuild' || TOOLS.some((tool) => tool.kind === kind && 'isBundler' in tool);
}

/** Tools that are built on Vite but use a different output folder. */
const BUILT_ON_VITE: readonly ToolKind[] = [
  'astro',
  'ember',
  'nativescript',
  'nuxt',
  'qwik',
  'quasar',
  'react-router',
  'svelte',
  'tanstack-start',
];

/**
 * Finds the tools that build the pages of a folder. Reads their configuration without running it.
 *
 * @param files the names of the files in the folder
 * @param read returns the text of a file, or undefined if it can't be read
 */
export async function findTools(
  files: Iterable<string>,
  read: (name: string) => Promise<string | undefined>,
): Promise<readonly ToolProject[]> {
  const folder = await readToolFolder(files, read);
  const tools: ToolProject[] = [...(await angular(folder))];
  const bundlers: ToolProject[] = [];
  for (const tool of TOOLS) {
    const { config: names = [], packages = [], command, key = '', folders = [], read: readOutput }: BuildTool = tool;
    const found = await folder.config(...names);
    const isCalled = command !== undefined && folder.calls(command);
    if (found !== undefined || folder.dependsOn(...packages) || isCalled) {
      const config = found ?? NO_CONFIG;
      const output =
        readOutput === undefined
          ? toOutput(config.file, key, config.at(...key.split('.')), folders)
          : readOutput(config, folder);
      if (output !== undefined) {
        ('isBundler' in tool ? bundlers : tools).push({ kind: tool.kind, output });
      }
    }
  }
  const svelteOutput = await svelte(folder);
  if (svelteOutput !== undefined) {
    tools.push({ kind: 'svelte', output: svelteOutput });
  }
  tools.push(...(await findServerTools(folder)));
  const viteOutput = tools.some(({ kind }) => BUILT_ON_VITE.includes(kind)) ? undefined : await vite(folder, tools);
  if (viteOutput !== undefined) {
    tools.push({ kind: 'vite', output: viteOutput });
  }
  if (tools.some(({ kind }) => kind !== 'capacitor')) {
    return tools;
  }
  const others = await otherTools(folder, OTHER_TOOLS);
  const rest = others.length > 0 ? others : bundlers;
  return [...tools, ...(rest.length > 0 ? rest : await otherTools(folder, [ELM]))];
}

/** Finds the first of the tools that aren't installed from npm. */
async function otherTools(
  folder: ToolFolder,
  candidates: readonly (typeof ELM | (typeof OTHER_TOOLS)[number])[],
): Promise<readonly ToolProject[]> {
  for (const { kind, read } of candidates) {
    const output = await read(folder);
    if (output !== undefined) {
      return [{ kind, output }];
    }
  }
  return [];
}

/** Source: docs.nativescript.org. */
function nativeScript(config: ToolConfig): ToolOutput {
  const reason = sentence('NativeScript apps have no web pages, so App Build can’t build them.');
  return noOutput(config.file, ABSENT, reason, sentence('Build the app with its own tool: “{0}”.', 'ns build android'));
}

/** Finds the output folder of Expo for the web. Source: docs.expo.dev/workflow/web. */
function expo(config: ToolConfig, folder: ToolFolder): ToolOutput {
  const reason = sentence('To create pages, Expo needs the packages {0} and {1}.', 'react-dom', 'react-native-web');
  const next = sentence('Run “{0}” first.', 'npx expo install react-dom react-native-web');
  // Earlier versions wrote to `web-build`.
  return folder.dependsOn('react-native-web')
    ? { kind: 'folders', paths: ['dist', 'web-build'] }
    : noOutput(config.file, ABSENT, reason, next);
}

/** Finds the output folder of VitePress, in the folder that a script builds. Source: vitepress.dev/guide/deploy. */
function vitePress(_config: ToolConfig, folder: ToolFolder): ToolOutput {
  const [first = '.', ...others] = folder.argumentsOf('vitepress build');
  const paths = [first, ...others, '.', 'docs'].map((root) => posix.join(root, '.vitepress/dist'));
  return { kind: 'folders', paths: [...new Set(paths)].filter((path) => !path.startsWith('..')) };
}

/**
 * Finds the output folder of Rollup. Rollup creates scripts, so the page is in that folder or one above it. Returns
 * undefined for a library, which has no page. Source: rollupjs.org/configuration-options.
 */
function rollup(config: ToolConfig, folder: ToolFolder): ToolOutput | undefined {
  const [dir, file] = [config.at('output', 'dir'), config.at('output', 'file')];
  const path = getText(dir) ?? posix.dirname(getText(file) ?? 'dist/a.js');
  const output = toFolder(config.file, getLine(dir.kind === 'absent' ? file : dir), path);
  if (folder.isLibrary || output.kind !== 'folders') {
    return undefined;
  }
  const names = (output.paths[0] ?? '').split('/');
  const paths = [...names.map((_, index) => names.slice(0, names.length - index).join('/')), ''];
  return { kind: 'folders', paths: [...new Set(paths)], added: [] };
}

/**
 * Reads Capacitor's configuration.
 *
 * @throws CancelledError
 */
export async function readCapacitorConfig(folder: ProjectFolder): Promise<ToolConfig | undefined> {
  const names = await folder.names();
  const file = CAPACITOR_FILES.find((name) => names.has(name));
  const text = file === undefined ? undefined : await folder.readText(file);
  return file === undefined || text === undefined ? undefined : new ToolConfig(file, text);
}

/**
 * Finds the applications in an Angular workspace. Source: the schemas of `@angular/build:application` and
 * `@angular-devkit/build-angular:browser`.
 */
async function angular(folder: ToolFolder): Promise<readonly ToolProject[]> {
  const config = (await folder.config('angular.json', '.angular.json')) ?? NO_CONFIG;
  const found = config.names('projects').flatMap((name) => {
    const isApplication = getText(config.at('projects', name, 'projectType')) === 'application';
    const targets = ['architect', 'targets'].find((each) => config.names('projects', name, each).includes('build'));
    return !isApplication || targets === undefined
      ? []
      : [{ name, output: angularOutput(config, ['projects', name, targets, 'build'], name) }];
  });
  if (found.length === 0 && config.isBroken) {
    return [{ kind: 'angular', output: toOutput(config.file, 'outputPath', BROKEN, []) }];
  }
  return found.map(({ name, output }) => ({ kind: 'angular', name: found.length > 1 ? name : undefined, output }));
}

/** Returns the output folders of a target in angular.json, or of one in project.json in the same format. */
export function angularOutput(config: ToolConfig, target: readonly string[], project: string): ToolOutput {
  const configuration = getText(config.at(...target, 'defaultConfiguration')) ?? 'production';
  const path =
    [['configurations', configuration], ['options']]
      .map((part) => [...target, ...part, 'outputPath'])
      .find((candidate) => config.at(...candidate).kind !== 'absent') ?? target;
  const base = config.at(...path, 'base');
  if (base.kind !== 'absent') {
    const browser = config.at(...path, 'browser');
    return toFolder(config.file, getLine(base), getText(base) ?? '', getText(browser) ?? 'browser');
  }
  const output =
    path === target
      ? toFolder(config.file, 1, 'dist', project)
      : toOutput(config.file, 'outputPath', config.at(...path), []);
  if (output.kind !== 'folders') {
    return output;
  }
  // Other publishers' builders have the same names as the builders that they extend.
  const isApplication = ['builder', 'executor'].some(
    (name) => getText(config.at(...target, name))?.endsWith(':application') === true,
  );
  const paths = output.paths.flatMap((folder) => [posix.join(folder, 'browser'), folder]);
  return { kind: 'folders', paths: isApplication ? paths : paths.toReversed() };
}

/** Finds the output folder of Next.js. Source: nextjs.org/docs/app/guides/static-exports. */
function next(config: ToolConfig, folder: ToolFolder): ToolOutput {
  const output = config.at('output');
  if (output.kind === 'expression') {
    return toOutput(config.file, 'output', output, []);
  }
  if (getText(output) === 'export') {
    const distDir = config.at('distDir');
    return toOutput(config.file, 'distDir', getText(distDir) === '.next' ? ABSENT : distDir, ['out']);
  }
  // Next.js 13 and earlier.
  if (output.kind === 'absent' && folder.someScriptHas('next export')) {
    return { kind: 'folders', paths: ['out'] };
  }
  const reason = sentence(
    "Next.js generates pages for a server. To generate pages for an app, set output: 'export' in next.config.",
  );
  return noOutput(config.file, output, reason);
}

/**
 * Finds the output folder of Nuxt. Sources: nitro.build/config#output,
 * v2.nuxt.com/docs/configuration-glossary/configuration-generate.
 */
function nuxt(config: ToolConfig): ToolOutput {
  const keys = ['nitro.output.publicDir', 'nitro.output.dir', 'generate.dir'];
  const key = keys.find((each) => config.at(...each.split('.')).kind !== 'absent');
  if (key === undefined) {
    // Nuxt 2 writes to `dist`. In Nuxt 3, `dist` is a link.
    return { kind: 'folders', paths: ['.output/public', 'dist'] };
  }
  const value = config.at(...key.split('.'));
  // Nitro expands these placeholders.
  const path = getText(value)
    ?.replaceAll('{{ output.dir }}', getText(config.at('nitro', 'output', 'dir')) ?? '.output')
    .replaceAll('{{ rootDir }}/', '');
  if (path === undefined || path.includes('{{')) {
    return toOutput(config.file, key, { kind: 'expression', line: getLine(value) }, []);
  }
  const output = toFolder(config.file, getLine(value), path, key === 'nitro.output.dir' ? 'public' : '');
  return output.kind === 'folders' ? { kind: 'folders', paths: [...new Set([...output.paths, 'dist'])] } : output;
}

/** Finds the output folder of Astro. Source: docs.astro.build/en/reference/configuration-reference. */
function astro(config: ToolConfig): ToolOutput {
  const output = config.at('output');
  if (output.kind === 'expression') {
    return toOutput(config.file, 'output', output, []);
  }
  if (output.kind === 'literal' && output.value !== 'static') {
    const reason = sentence(
      "With output: '{0}', Astro generates pages for a server. To generate pages for an app, set output: 'static'.",
      String(output.value),
    );
    return noOutput(config.file, output, reason);
  }
  return toOutput(config.file, 'outDir', config.at('outDir'), ['dist']);
}

const STATIC_ADAPTER = '@sveltejs/adapter-static';

/**
 * Finds the output folder of SvelteKit. The options are in svelte.config, or in the plugin's options in vite.config, as
 * in the current starter project. Returns undefined for a project with only Svelte and Vite, which is a Vite project.
 * Source: svelte.dev/docs/kit/adapter-static.
 */
async function svelte(folder: ToolFolder): Promise<ToolOutput | undefined> {
  const own = await folder.config('svelte.config');
  const viteConfig = await folder.config('vite.config');
  const isInOwn = own?.names().includes('kit') === true;
  const isPlugin = viteConfig?.hasString('@sveltejs/kit/vite') === true;
  if (!isInOwn && !isPlugin && !folder.dependsOn('@sveltejs/kit')) {
    return undefined;
  }
  const config = (isInOwn || !isPlugin ? (own ?? viteConfig) : viteConfig) ?? NO_CONFIG;
  const { file } = config;
  const path = isInOwn ? ['kit', 'adapter'] : ['plugins', 'adapter'];
  const adapter = config.at(...path);
  const module = config.findCalledModule(...path);
  if (module === STATIC_ADAPTER) {
    return toOutput(file, 'pages', config.at(...path, 'pages'), ['build']);
  }
  // A project's own adapter can write any files to any folder.
  if (adapter.kind === 'expression' && module?.startsWith('.') !== false) {
    return toOutput(file, isInOwn ? 'kit.adapter' : 'adapter', adapter, []);
  }
  const reason = sentence(
    'SvelteKit generates pages for a server. To generate pages for an app, install {0}, and use it as the adapter in {1}.',
    STATIC_ADAPTER,
    file === 'package.json' ? 'svelte.config.js' : file,
  );
  return noOutput(file, adapter, reason);
}

/** Finds the output folder of React Router in framework mode. Source: reactrouter.com/how-to/spa. */
function reactRouter(config: ToolConfig): ToolOutput {
  const ssr = config.at('ssr');
  if (ssr.kind === 'expression') {
    return toOutput(config.file, 'ssr', ssr, []);
  }
  if (!config.names().includes('prerender') && !(ssr.kind === 'literal' && ssr.value === false)) {
    const reason = sentence(
      'React Router generates pages for a server. To generate pages for an app, set ssr: false in {0}.',
      config.file,
    );
    return noOutput(config.file, ssr, reason);
  }
  const output = toOutput(config.file, 'buildDirectory', config.at('buildDirectory'), ['build']);
  return output.kind === 'folders'
    ? { kind: 'folders', paths: output.paths.map((path) => posix.join(path, 'client')) }
    : output;
}

/** Finds the output folder of Vite. Sources: vite.dev/config, vite.dev/guide/cli. */
async function vite(folder: ToolFolder, others: readonly ToolProject[]): Promise<ToolOutput | undefined> {
  const found = await folder.config('vite.config');
  if (found === undefined && !(folder.calls('vite') && others.every(({ kind }) => kind === 'capacitor'))) {
    return undefined;
  }
  const config = found ?? NO_CONFIG;
  const root = config.at('root');
  // The command-line option overrides the configuration.
  const option = folder.buildOption('vite build', '--outDir ', '--outDir=');
  const isOption = option.kind !== 'absent';
  const outDir = isOption ? option : config.at('build', 'outDir');
  const isResolved = outDir.kind === 'literal' && outDir.isResolved;
  if (root.kind === 'expression' && !isResolved) {
    return toOutput(config.file, 'root', root, []);
  }
  const [file, name] = isOption ? ['package.json', '--outDir'] : [config.file, 'build.outDir'];
  // Some projects only serve their pages with Vite, and another script of theirs builds them.
  if (
    outDir.kind === 'absent' &&
    root.kind === 'absent' &&
    folder.calls('vite') &&
    !folder.someScriptHas('vite build')
  ) {
    return { kind: 'folders', paths: ['dist', 'dist/www', 'www'] };
  }
  const path = outDir.kind === 'absent' ? 'dist' : getText(outDir);
  return path === undefined
    ? toOutput(file, name, outDir, [])
    : toFolder(file, getLine(outDir.kind === 'absent' ? root : outDir), isResolved ? '' : (getText(root) ?? ''), path);
}
