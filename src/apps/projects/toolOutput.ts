import { posix } from 'node:path';

import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { ConfigModule, type Fields, type Value } from './literals.ts';

/**
 * Where a tool writes the pages, as far as its configuration says it in literals. Paths are below the folder of the
 * configuration, with `/`; the folder itself is the empty path.
 */
export type Output =
  /** The first that holds an index.html counts. */
  | { readonly kind: 'folders'; readonly paths: readonly string[] }
  /** Nobody can tell without running the tool: this value is not a literal. */
  | { readonly kind: 'unknown'; readonly file: string; readonly line: number; readonly name: string }
  /** The tool makes no pages that an app can hold. */
  | { readonly kind: 'none'; readonly file: string; readonly line?: number; readonly reason: Sentence };

/** A folder that is made by a build tool. */
export interface ToolProject {
  readonly kind: ToolKind;
  /** Of one application among several of a folder. */
  readonly name?: string;
  readonly output: Output;
  /** The file that tells of the tool. */
  readonly file: string;
}

export type ToolKind =
  | 'capacitor'
  | 'angular'
  | 'next'
  | 'nuxt'
  | 'astro'
  | 'svelte'
  | 'react-router'
  | 'vite'
  | TableKind;

type TableKind =
  | 'react-scripts'
  | 'vue-cli'
  | 'rsbuild'
  | 'quasar'
  | 'docusaurus'
  | 'gatsby'
  | 'eleventy'
  | 'stencil'
  | 'ember'
  | 'parcel'
  | 'webpack';

interface TableTool {
  readonly kind: TableKind;
  /** One of them is a dependency. */
  readonly packages: readonly string[];
  /** What a script of package.json calls. */
  readonly command: string;
  /** Without extension. */
  readonly configs?: readonly string[];
  /** Values of the configuration that name the folder, the first that is there. */
  readonly keys?: readonly (readonly string[])[];
  readonly folders: readonly string[];
  /** Other tools are made of it. */
  readonly isBundler?: true;
}

/** Tools whose output is one value of their configuration, or always the same. */
const TABLE: readonly TableTool[] = [
  { kind: 'react-scripts', packages: ['react-scripts'], command: 'react-scripts', folders: ['build'] },
  {
    kind: 'vue-cli',
    packages: ['@vue/cli-service'],
    command: 'vue-cli-service',
    configs: ['vue.config'],
    keys: [['outputDir']],
    folders: ['dist'],
  },
  {
    kind: 'rsbuild',
    packages: ['@rsbuild/core'],
    command: 'rsbuild',
    configs: ['rsbuild.config'],
    keys: [['output', 'distPath', 'root']],
    folders: ['dist'],
  },
  {
    kind: 'quasar',
    packages: ['@quasar/app-vite', '@quasar/app-webpack', '@quasar/app'],
    command: 'quasar',
    configs: ['quasar.config', 'quasar.conf'],
    keys: [['build', 'distDir']],
    folders: ['dist/spa', 'dist/pwa'],
  },
  { kind: 'docusaurus', packages: ['@docusaurus/core'], command: 'docusaurus', folders: ['build'] },
  { kind: 'gatsby', packages: ['gatsby'], command: 'gatsby', folders: ['public'] },
  { kind: 'eleventy', packages: ['@11ty/eleventy'], command: 'eleventy', folders: ['_site'] },
  { kind: 'stencil', packages: ['@stencil/core'], command: 'stencil', folders: ['www'] },
  { kind: 'ember', packages: ['ember-cli'], command: 'ember', folders: ['dist'] },
  { kind: 'parcel', packages: ['parcel', 'parcel-bundler'], command: 'parcel', folders: ['dist'], isBundler: true },
  { kind: 'webpack', packages: ['webpack'], command: 'webpack', folders: ['dist', 'build'], isBundler: true },
];

/** Tools that build with Vite, and say themselves where. */
const MADE_OF_VITE: readonly ToolKind[] = ['astro', 'nuxt', 'svelte', 'react-router', 'quasar'];

const SCRIPT_EXTENSIONS = ['.js', '.mjs', '.ts', '.cjs', '.mts', '.cts'] as const;

/** A configuration, and the file that it is in. */
interface ConfigFile {
  readonly file: string;
  readonly config: ConfigModule;
}

/**
 * The tools that make the pages of a folder, Capacitor first. Their configuration is read, never run.
 *
 * @param files names of the files in the folder
 * @param read gives the text of one of them; undefined when it cannot be read
 */
export async function toolsOf(
  files: Iterable<string>,
  read: (name: string) => Promise<string | undefined>,
): Promise<readonly ToolProject[]> {
  const folder = new ToolFolder(files, read, await packageOf(files, read));
  const tools = [
    ...(await capacitor(folder)),
    ...(await angular(folder)),
    ...(await next(folder)),
    ...(await nuxt(folder)),
    ...(await astro(folder)),
    ...(await svelte(folder)),
    ...(await reactRouter(folder)),
    ...(await fromTable(folder, false)),
  ];
  if (!tools.some(({ kind }) => MADE_OF_VITE.includes(kind))) {
    tools.push(...(await vite(folder, tools)));
  }
  return tools.some(({ kind }) => kind !== 'capacitor') ? tools : [...tools, ...(await fromTable(folder, true))];
}

async function packageOf(
  files: Iterable<string>,
  read: (name: string) => Promise<string | undefined>,
): Promise<ConfigModule> {
  const text = [...files].includes('package.json') ? await read('package.json').catch(() => undefined) : undefined;
  return ConfigModule.read(text ?? '{}', 'package.json');
}

/** What tells of the tools of a folder. */
class ToolFolder {
  readonly #files: ReadonlySet<string>;
  readonly #read: (name: string) => Promise<string | undefined>;
  readonly #packages: ReadonlySet<string>;
  readonly #scripts: readonly string[];
  readonly #commands: ReadonlySet<string>;

  constructor(files: Iterable<string>, read: (name: string) => Promise<string | undefined>, packageJson: ConfigModule) {
    this.#files = new Set(files);
    this.#read = read;
    this.#packages = new Set([...packageJson.keys('dependencies'), ...packageJson.keys('devDependencies')]);
    this.#scripts = packageJson
      .keys('scripts')
      .map((name) => textOf(packageJson.at('scripts', name)))
      .filter((script) => script !== undefined);
    this.#commands = new Set(this.#scripts.flatMap((script) => script.split(/[\s;&|()"']/)));
  }

  dependsOn(...packages: readonly string[]): boolean {
    return packages.some((name) => this.#packages.has(name));
  }

  /** Whether a script has this word. */
  calls(command: string): boolean {
    return this.#commands.has(command);
  }

  someScriptHas(words: string): boolean {
    return this.#scripts.some((script) => script.includes(words));
  }

  /** The first of these files that there is. */
  async config(...names: readonly string[]): Promise<ConfigFile | undefined> {
    const file = names.find((name) => this.#files.has(name));
    return file === undefined
      ? undefined
      : { file, config: ConfigModule.read((await this.#read(file).catch(() => undefined)) ?? '', file) };
  }

  /** The configuration of this name, with any of the extensions of a script. */
  script(...names: readonly string[]): Promise<ConfigFile | undefined> {
    return this.config(...names.flatMap((name) => SCRIPT_EXTENSIONS.map((extension) => `${name}${extension}`)));
  }
}

/** Capacitor's `loadConfig` asks for them in this order. */
async function capacitor(folder: ToolFolder): Promise<readonly ToolProject[]> {
  const found = await folder.config('capacitor.config.ts', 'capacitor.config.js', 'capacitor.config.json');
  if (found === undefined) {
    return [];
  }
  const { file, config } = found;
  return [{ kind: 'capacitor', output: folderBy(file, 'webDir', config.at('webDir'), ['www']), file }];
}

/** Source: the schemas of `@angular/build:application` and `@angular-devkit/build-angular:browser`. */
async function angular(folder: ToolFolder): Promise<readonly ToolProject[]> {
  const found = await folder.config('angular.json', '.angular.json');
  if (found === undefined) {
    return [];
  }
  const { file, config } = found;
  const applications = config
    .keys('projects')
    .filter((name) => textOf(config.at('projects', name, 'projectType')) === 'application')
    .flatMap((name) => {
      const path = ['architect', 'targets']
        .map((targets) => ['projects', name, targets, 'build'])
        .find((target) => config.at(...target).kind !== 'absent');
      return path === undefined ? [] : [{ name, output: angularOutput(file, config, path, name) }];
    });
  if (applications.length === 0 && config.at().kind === 'expression' && config.keys().length === 0) {
    return [{ kind: 'angular', output: unknown(file, 1, 'outputPath'), file }];
  }
  return applications.map(({ name, output }) => ({
    kind: 'angular',
    ...(applications.length > 1 ? { name } : {}),
    output,
    file,
  }));
}

function angularOutput(file: string, config: Fields, target: readonly string[], project: string): Output {
  const configuration = textOf(config.at(...target, 'defaultConfiguration')) ?? 'production';
  const path = [
    [...target, 'configurations', configuration, 'outputPath'],
    [...target, 'options', 'outputPath'],
  ].find((candidate) => config.at(...candidate).kind !== 'absent');
  const name = 'outputPath';
  if (path === undefined || config.at(...path).kind === 'literal') {
    const value: Value = path === undefined ? { kind: 'absent' } : config.at(...path);
    const output = folderBy(file, name, value, [`dist/${project}`]);
    // The builders of others are named like those that they extend.
    const isApplication = textOf(config.at(...target, 'builder'))?.endsWith(':application') === true;
    const below = (folder: string): string => posix.join(folder, 'browser');
    return output.kind === 'folders'
      ? {
          kind: 'folders',
          paths: output.paths.flatMap((base) => (isApplication ? [below(base), base] : [base, below(base)])),
        }
      : output;
  }
  const base = config.at(...path, 'base');
  const browser = config.at(...path, 'browser');
  return base.kind === 'literal' && browser.kind !== 'expression'
    ? folderIn(file, base.line, String(base.value), textOf(browser) ?? 'browser')
    : unknown(file, lineOf(config.at(...path)), name);
}

/** Source: nextjs.org/docs/app/guides/static-exports. */
async function next(folder: ToolFolder): Promise<readonly ToolProject[]> {
  const found = await folder.script('next.config');
  if (found === undefined && !folder.dependsOn('next')) {
    return [];
  }
  const file = found?.file ?? 'package.json';
  const output = found?.config.at('output') ?? { kind: 'absent' };
  // Next.js 13 and those before it.
  const isExported = output.kind === 'absent' && folder.someScriptHas('next export');
  if (output.kind === 'expression') {
    return [{ kind: 'next', output: unknown(file, output.line, 'output'), file }];
  }
  if (found === undefined || isExported || textOf(output) !== 'export') {
    const none: Output = {
      kind: 'none',
      file,
      ...(output.kind === 'literal' ? { line: output.line } : {}),
      reason: sentence(
        "Next.js writes pages for a server. To make pages that an app can hold, write output: 'export' in next.config.",
      ),
    };
    return [{ kind: 'next', output: isExported ? { kind: 'folders', paths: ['out'] } : none, file }];
  }
  const distDir = found.config.at('distDir');
  const value: Value = textOf(distDir) === '.next' ? { kind: 'absent' } : distDir;
  return [{ kind: 'next', output: folderBy(file, 'distDir', value, ['out']), file }];
}

/** Sources: nitro.build/config#output; v2.nuxt.com/docs/configuration-glossary/configuration-generate. */
async function nuxt(folder: ToolFolder): Promise<readonly ToolProject[]> {
  const found = await folder.script('nuxt.config');
  if (found === undefined && !folder.dependsOn('nuxt', 'nuxt3', 'nuxt-edge')) {
    return [];
  }
  const file = found?.file ?? 'package.json';
  return [{ kind: 'nuxt', output: found === undefined ? NUXT_DEFAULT : nuxtOutput(found), file }];
}

/** `dist` is where Nuxt 2 writes, and where Nuxt 3 makes a link. */
const NUXT_DEFAULT: Output = { kind: 'folders', paths: ['.output/public', 'dist'] };

function nuxtOutput({ file, config }: ConfigFile): Output {
  const name = ['nitro.output.publicDir', 'nitro.output.dir', 'generate.dir'].find(
    (key) => config.at(...key.split('.')).kind !== 'absent',
  );
  if (name === undefined) {
    return NUXT_DEFAULT;
  }
  const value = config.at(...name.split('.'));
  const dir = config.at('nitro', 'output', 'dir');
  // Nitro fills these in.
  const text = textOf(value)
    ?.replaceAll('{{ output.dir }}', dir.kind === 'absent' ? '.output' : (textOf(dir) ?? '{{'))
    .replaceAll('{{ rootDir }}/', '');
  if (text === undefined || text.includes('{{')) {
    return unknown(file, lineOf(value), name);
  }
  const output = folderIn(file, lineOf(value), text, name === 'nitro.output.dir' ? 'public' : '');
  return output.kind === 'folders' ? { kind: 'folders', paths: [...new Set([...output.paths, 'dist'])] } : output;
}

/** Source: docs.astro.build/en/reference/configuration-reference. */
async function astro(folder: ToolFolder): Promise<readonly ToolProject[]> {
  const found = await folder.script('astro.config');
  if (found === undefined) {
    return folder.dependsOn('astro')
      ? [{ kind: 'astro', output: { kind: 'folders', paths: ['dist'] }, file: 'package.json' }]
      : [];
  }
  const { file, config } = found;
  const output = config.at('output');
  if (output.kind === 'expression') {
    return [{ kind: 'astro', output: unknown(file, output.line, 'output'), file }];
  }
  if (output.kind === 'literal' && output.value !== 'static') {
    const reason = sentence(
      "With output: '{0}', Astro writes pages for a server. An app can hold those of output: 'static'.",
      String(output.value),
    );
    return [{ kind: 'astro', output: { kind: 'none', file, line: output.line, reason }, file }];
  }
  return [{ kind: 'astro', output: folderBy(file, 'outDir', config.at('outDir'), ['dist']), file }];
}

const STATIC_ADAPTER = '@sveltejs/adapter-static';

/**
 * SvelteKit; a project of Svelte and Vite alone is one of Vite. Its options are in svelte.config, or, as today's starter has
 * them, those of its plugin in vite.config. Source: svelte.dev/docs/kit/adapter-static.
 */
async function svelte(folder: ToolFolder): Promise<readonly ToolProject[]> {
  const own = await folder.script('svelte.config');
  const ofVite = await folder.script('vite.config');
  const plugin = ofVite?.config.calls('plugins').find(({ module }) => module === '@sveltejs/kit/vite');
  const isInSvelteConfig = own?.config.keys().includes('kit') === true;
  if (!isInSvelteConfig && plugin === undefined && !folder.dependsOn('@sveltejs/kit')) {
    return [];
  }
  const isOfPlugin = !isInSvelteConfig && plugin !== undefined && plugin.argument.at('adapter').kind !== 'absent';
  const file = (isOfPlugin ? ofVite?.file : own?.file) ?? ofVite?.file ?? 'package.json';
  const path = isOfPlugin ? ['adapter'] : ['kit', 'adapter'];
  const options: Fields | undefined = isOfPlugin ? plugin.argument : own?.config;
  const adapter = options?.at(...path) ?? { kind: 'absent' };
  const [call] = options?.calls(...path) ?? [];
  if (call?.module === STATIC_ADAPTER) {
    return [{ kind: 'svelte', output: folderBy(file, 'pages', call.argument.at('pages'), ['build']), file }];
  }
  // An adapter of the person's own may write anything anywhere.
  if (adapter.kind !== 'absent' && call?.module?.startsWith('.') !== false) {
    return [{ kind: 'svelte', output: unknown(file, lineOf(adapter), path.join('.')), file }];
  }
  const reason = sentence(
    'SvelteKit writes pages for a server. To make pages that an app can hold, install {0}, and use it as the adapter in {1}.',
    STATIC_ADAPTER,
    file === 'package.json' ? 'svelte.config.js' : file,
  );
  const line = call === undefined ? {} : { line: call.line };
  return [{ kind: 'svelte', output: { kind: 'none', file, ...line, reason }, file }];
}

/** React Router as a framework. Source: reactrouter.com/how-to/spa. */
async function reactRouter(folder: ToolFolder): Promise<readonly ToolProject[]> {
  const found = await folder.script('react-router.config');
  if (found === undefined) {
    return [];
  }
  const { file, config } = found;
  const ssr = config.at('ssr');
  if (ssr.kind === 'expression') {
    return [{ kind: 'react-router', output: unknown(file, ssr.line, 'ssr'), file }];
  }
  if (config.at('prerender').kind === 'absent' && !(ssr.kind === 'literal' && ssr.value === false)) {
    const line = ssr.kind === 'literal' ? { line: ssr.line } : {};
    const reason = sentence(
      'React Router writes pages for a server. To make pages that an app can hold, write ssr: false in {0}.',
      file,
    );
    return [{ kind: 'react-router', output: { kind: 'none', file, ...line, reason }, file }];
  }
  const output = folderBy(file, 'buildDirectory', config.at('buildDirectory'), ['build']);
  return [
    {
      kind: 'react-router',
      output:
        output.kind === 'folders'
          ? { kind: 'folders', paths: output.paths.map((path) => posix.join(path, 'client')) }
          : output,
      file,
    },
  ];
}

/** Source: vite.dev/config. */
async function vite(folder: ToolFolder, others: readonly ToolProject[]): Promise<readonly ToolProject[]> {
  const found = await folder.script('vite.config');
  if (found === undefined) {
    const isAlone = folder.calls('vite') && others.every(({ kind }) => kind === 'capacitor');
    return isAlone ? [{ kind: 'vite', output: { kind: 'folders', paths: ['dist'] }, file: 'package.json' }] : [];
  }
  const { file, config } = found;
  const root = config.at('root');
  const outDir = config.at('build', 'outDir');
  const broken = [
    { name: 'root', value: root },
    { name: 'build.outDir', value: outDir },
  ].find(({ value }) => value.kind !== 'absent' && textOf(value) === undefined);
  const output =
    broken === undefined
      ? folderIn(file, lineOf(outDir.kind === 'absent' ? root : outDir), textOf(root) ?? '', textOf(outDir) ?? 'dist')
      : unknown(file, lineOf(broken.value), broken.name);
  return [{ kind: 'vite', output, file }];
}

async function fromTable(folder: ToolFolder, isBundler: boolean): Promise<readonly ToolProject[]> {
  const projects: ToolProject[] = [];
  for (const tool of TABLE.filter((each) => (each.isBundler ?? false) === isBundler)) {
    const found = await folder.script(...(tool.configs ?? []));
    if (found !== undefined || folder.dependsOn(...tool.packages) || folder.calls(tool.command)) {
      const file = found?.file ?? 'package.json';
      const key = tool.keys?.find((path) => found !== undefined && found.config.at(...path).kind !== 'absent');
      const value: Value = found === undefined || key === undefined ? { kind: 'absent' } : found.config.at(...key);
      projects.push({ kind: tool.kind, output: folderBy(file, key?.join('.') ?? '', value, tool.folders), file });
    }
  }
  return projects;
}

/** The folder that a value names; without one, the tool's own choice. */
function folderBy(file: string, name: string, value: Value, defaults: readonly string[]): Output {
  if (value.kind === 'absent') {
    return { kind: 'folders', paths: defaults };
  }
  const path = textOf(value);
  return path === undefined ? unknown(file, value.line, name) : folderIn(file, value.line, path);
}

/** The folder at these paths, each below the one before it. */
function folderIn(file: string, line: number, ...paths: readonly string[]): Output {
  const parts = paths.map((path) => path.replaceAll('\\', '/'));
  const path = posix.join(...parts).replace(/\/$/, '');
  if (path === '..' || path.startsWith('../') || parts.some((part) => /^(?:\/|[A-Za-z]:)/.test(part))) {
    const reason = sentence(
      '{0} has the pages written to {1}, which is not in the folder of this file.',
      file,
      posix.join(...paths),
    );
    return { kind: 'none', file, line, reason };
  }
  return { kind: 'folders', paths: [path === '.' ? '' : path] };
}

function unknown(file: string, line: number, name: string): Output {
  return { kind: 'unknown', file, line, name };
}

function textOf(value: Value): string | undefined {
  return value.kind === 'literal' && typeof value.value === 'string' ? value.value : undefined;
}

function lineOf(value: Value): number {
  return value.kind === 'absent' ? 1 : value.line;
}
