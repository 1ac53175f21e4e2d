import { posix } from 'node:path';

import { sentence } from '../../api/errors/sentence.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import { ABSENT, BROKEN, getLine, getText, ToolConfig } from './toolConfig.ts';
import { type Output, toFolder, ToolFolder, toOutput } from './toolFolder.ts';

/** A folder that is made by a build tool. */
export interface ToolProject {
  readonly kind: ToolKind;
  /** The name of one application among several in a folder. */
  readonly name?: string | undefined;
  readonly output: Output;
}

export type ToolKind =
  | ('capacitor' | 'angular' | 'next' | 'nuxt' | 'astro' | 'svelte' | 'react-router' | 'vite')
  | (typeof TABLE)[number]['kind'];

/** Tools whose output is one value of their configuration, or always the same. */
const TABLE = [
  { kind: 'react-scripts', packages: ['react-scripts'], folders: ['build'], variable: 'BUILD_PATH' },
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
    config: ['rsbuild.config'],
    key: 'output.distPath.root',
    folders: ['dist'],
  },
  {
    kind: 'quasar',
    packages: ['@quasar/app-vite', '@quasar/app-webpack', '@quasar/app'],
    config: ['quasar.config', 'quasar.conf'],
    key: 'build.distDir',
    folders: ['dist/spa', 'dist/pwa'],
  },
  { kind: 'docusaurus', packages: ['@docusaurus/core'], folders: ['build'] },
  { kind: 'gatsby', packages: ['gatsby'], folders: ['public'] },
  { kind: 'eleventy', packages: ['@11ty/eleventy'], folders: ['_site'] },
  { kind: 'stencil', packages: ['@stencil/core'], folders: ['www'] },
  { kind: 'ember', packages: ['ember-cli'], folders: ['dist'] },
  { kind: 'parcel', packages: ['parcel', 'parcel-bundler'], folders: ['dist'], isBundler: true },
  {
    kind: 'webpack',
    packages: ['webpack'],
    config: ['webpack.config'],
    key: 'output.path',
    folders: ['dist', 'build'],
    isBundler: true,
  },
] as const satisfies readonly TableTool[];

interface TableTool {
  readonly kind: string;
  /** One of them is a dependency. */
  readonly packages: readonly string[];
  /** What a script of package.json calls, where it isn't called as the tool. */
  readonly command?: string;
  /** Its configuration, without extension. */
  readonly config?: readonly string[];
  /** The value of the configuration that names the folder. */
  readonly key?: string;
  /** Variable of the environment that names it. */
  readonly variable?: string;
  readonly folders: readonly string[];
  /** Other tools are made of it. */
  readonly isBundler?: boolean;
}

/** Tools that build with Vite, and have their own folder for the pages. */
const MADE_OF_VITE: readonly ToolKind[] = ['astro', 'nuxt', 'svelte', 'react-router', 'quasar'];

/**
 * The tools that make the pages of a folder, Capacitor first. Their configuration is read, never run.
 *
 * @param files names of the files in the folder
 * @param read gives the text of one of them; undefined when it cannot be read
 */
export async function findTools(
  files: Iterable<string>,
  read: (name: string) => Promise<string | undefined>,
): Promise<readonly ToolProject[]> {
  const folder = await ToolFolder.read(files, read);
  const tools: ToolProject[] = [
    ...toProject('capacitor', await capacitor(folder)),
    ...(await angular(folder)),
    ...toProject('next', await next(folder)),
    ...toProject('nuxt', await nuxt(folder)),
    ...toProject('astro', await astro(folder)),
    ...toProject('svelte', await svelte(folder)),
    ...toProject('react-router', await reactRouter(folder)),
    ...(await toolsOfTable(folder, false)),
  ];
  if (!tools.some(({ kind }) => MADE_OF_VITE.includes(kind))) {
    tools.push(...toProject('vite', await vite(folder, tools)));
  }
  return tools.some(({ kind }) => kind !== 'capacitor') ? tools : [...tools, ...(await toolsOfTable(folder, true))];
}

function toProject(kind: ToolKind, output: Output | undefined): readonly ToolProject[] {
  return output === undefined ? [] : [{ kind, output }];
}

/** @param isBundler whether other tools are made of them */
async function toolsOfTable(folder: ToolFolder, isBundler: boolean): Promise<readonly ToolProject[]> {
  const projects: ToolProject[] = [];
  for (const tool of TABLE) {
    const { kind, packages, command = kind, config: files = [], key = '', variable, folders }: TableTool = tool;
    const config = await folder.script(...files);
    const isUsed = config !== undefined || folder.dependsOn(...packages) || folder.calls(command);
    if (isUsed && 'isBundler' in tool === isBundler) {
      const value =
        variable === undefined ? config?.at(...key.split('.')) : folder.buildOption(`${variable}=`, `${variable}=`);
      const output = toOutput(config?.file ?? 'package.json', variable ?? key, value ?? ABSENT, folders);
      projects.push({ kind: tool.kind, output });
    }
  }
  return projects;
}

/** In the order in which Capacitor's `loadConfig` asks for them. */
export const CAPACITOR_FILES = ['capacitor.config.ts', 'capacitor.config.js', 'capacitor.config.json'] as const;

async function capacitor(folder: ToolFolder): Promise<Output | undefined> {
  const config = await folder.config(...CAPACITOR_FILES);
  return config && toOutput(config.file, 'webDir', config.at('webDir'), ['www']);
}

/** Capacitor's configuration. @throws CancelledError */
export async function readCapacitorConfig(folder: ProjectFolder): Promise<ToolConfig | undefined> {
  const names = await folder.names();
  const file = CAPACITOR_FILES.find((name) => names.has(name));
  const text = file === undefined ? undefined : await folder.text(file);
  return file === undefined || text === undefined ? undefined : new ToolConfig(file, text);
}

/** Source: the schemas of `@angular/build:application` and `@angular-devkit/build-angular:browser`. */
async function angular(folder: ToolFolder): Promise<readonly ToolProject[]> {
  const config = await folder.config('angular.json', '.angular.json');
  const applications = (config?.names('projects') ?? []).filter(
    (name) => getText(config?.at('projects', name, 'projectType') ?? ABSENT) === 'application',
  );
  const found = applications.flatMap((name) => {
    const targets = ['architect', 'targets'].find((each) => config?.names('projects', name, each).includes('build'));
    return config === undefined || targets === undefined
      ? []
      : [{ name, output: angularOutput(config, ['projects', name, targets, 'build'], name) }];
  });
  if (found.length === 0 && config?.isBroken === true) {
    return [{ kind: 'angular', output: toOutput(config.file, 'outputPath', BROKEN, []) }];
  }
  return found.map(({ name, output }) => ({ kind: 'angular', name: found.length > 1 ? name : undefined, output }));
}

function angularOutput(config: ToolConfig, target: readonly string[], project: string): Output {
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
  // Other publishers name their builders after those that they extend.
  const isApplication = getText(config.at(...target, 'builder'))?.endsWith(':application') === true;
  const paths = output.paths.flatMap((folder) => [posix.join(folder, 'browser'), folder]);
  return { kind: 'folders', paths: isApplication ? paths : paths.toReversed() };
}

/** Source: nextjs.org/docs/app/guides/static-exports. */
async function next(folder: ToolFolder): Promise<Output | undefined> {
  const config = await folder.script('next.config');
  if (config === undefined && !folder.dependsOn('next')) {
    return undefined;
  }
  const file = config?.file ?? 'package.json';
  const output = config?.at('output') ?? ABSENT;
  if (output.kind === 'expression') {
    return toOutput(file, 'output', output, []);
  }
  if (config !== undefined && getText(output) === 'export') {
    const distDir = config.at('distDir');
    return toOutput(file, 'distDir', getText(distDir) === '.next' ? ABSENT : distDir, ['out']);
  }
  // Next.js 13 and those before it.
  if (output.kind === 'absent' && folder.someScriptHas('next export')) {
    return { kind: 'folders', paths: ['out'] };
  }
  const reason = sentence(
    "Next.js writes pages for a server. To make pages that an app can hold, write output: 'export' in next.config.",
  );
  return { kind: 'none', file, line: output.kind === 'literal' ? output.line : undefined, reason };
}

/** Sources: nitro.build/config#output; v2.nuxt.com/docs/configuration-glossary/configuration-generate. */
async function nuxt(folder: ToolFolder): Promise<Output | undefined> {
  const config = await folder.script('nuxt.config');
  if (config === undefined && !folder.dependsOn('nuxt', 'nuxt3', 'nuxt-edge')) {
    return undefined;
  }
  const keys = ['nitro.output.publicDir', 'nitro.output.dir', 'generate.dir'];
  const key = keys.find((each) => config !== undefined && config.at(...each.split('.')).kind !== 'absent');
  if (config === undefined || key === undefined) {
    // Nuxt 2 writes into `dist`, and Nuxt 3 makes a link of it.
    return { kind: 'folders', paths: ['.output/public', 'dist'] };
  }
  const value = config.at(...key.split('.'));
  // Nitro fills these in.
  const path = getText(value)
    ?.replaceAll('{{ output.dir }}', getText(config.at('nitro', 'output', 'dir')) ?? '.output')
    .replaceAll('{{ rootDir }}/', '');
  if (path === undefined || path.includes('{{')) {
    return toOutput(config.file, key, { kind: 'expression', line: getLine(value) }, []);
  }
  const output = toFolder(config.file, getLine(value), path, key === 'nitro.output.dir' ? 'public' : '');
  return output.kind === 'folders' ? { kind: 'folders', paths: [...new Set([...output.paths, 'dist'])] } : output;
}

/** Source: docs.astro.build/en/reference/configuration-reference. */
async function astro(folder: ToolFolder): Promise<Output | undefined> {
  const config = await folder.script('astro.config');
  if (config === undefined) {
    return folder.dependsOn('astro') ? { kind: 'folders', paths: ['dist'] } : undefined;
  }
  const output = config.at('output');
  if (output.kind === 'expression') {
    return toOutput(config.file, 'output', output, []);
  }
  if (output.kind === 'literal' && output.value !== 'static') {
    const reason = sentence(
      "With output: '{0}', Astro writes pages for a server. An app can hold those of output: 'static'.",
      String(output.value),
    );
    return { kind: 'none', file: config.file, line: output.line, reason };
  }
  return toOutput(config.file, 'outDir', config.at('outDir'), ['dist']);
}

const STATIC_ADAPTER = '@sveltejs/adapter-static';

/**
 * SvelteKit; a project of Svelte and Vite alone is one of Vite. Its options are in svelte.config, or, as today's starter has
 * them, those of its plugin in vite.config. Source: svelte.dev/docs/kit/adapter-static.
 */
async function svelte(folder: ToolFolder): Promise<Output | undefined> {
  const own = await folder.script('svelte.config');
  const ofVite = await folder.script('vite.config');
  const isInOwn = own?.names().includes('kit') === true;
  const isPlugin = ofVite?.hasString('@sveltejs/kit/vite') === true;
  if (!isInOwn && !isPlugin && !folder.dependsOn('@sveltejs/kit')) {
    return undefined;
  }
  const config = isInOwn || !isPlugin ? (own ?? ofVite) : ofVite;
  const file = config?.file ?? 'package.json';
  const path = isInOwn ? ['kit', 'adapter'] : ['plugins', 'adapter'];
  const adapter = config?.at(...path) ?? ABSENT;
  const module = config?.moduleOfCall(...path);
  if (config !== undefined && module === STATIC_ADAPTER) {
    return toOutput(file, 'pages', config.at(...path, 'pages'), ['build']);
  }
  // An adapter of the project's own may write anything anywhere.
  if (adapter.kind === 'expression' && module?.startsWith('.') !== false) {
    return toOutput(file, isInOwn ? 'kit.adapter' : 'adapter', adapter, []);
  }
  const reason = sentence(
    'SvelteKit writes pages for a server. To make pages that an app can hold, install {0}, and use it as the adapter in {1}.',
    STATIC_ADAPTER,
    file === 'package.json' ? 'svelte.config.js' : file,
  );
  return { kind: 'none', file, line: adapter.kind === 'absent' ? undefined : adapter.line, reason };
}

/** React Router as a framework. Source: reactrouter.com/how-to/spa. */
async function reactRouter(folder: ToolFolder): Promise<Output | undefined> {
  const config = await folder.script('react-router.config');
  if (config === undefined) {
    return undefined;
  }
  const ssr = config.at('ssr');
  if (ssr.kind === 'expression') {
    return toOutput(config.file, 'ssr', ssr, []);
  }
  if (!config.names().includes('prerender') && !(ssr.kind === 'literal' && ssr.value === false)) {
    const reason = sentence(
      'React Router writes pages for a server. To make pages that an app can hold, write ssr: false in {0}.',
      config.file,
    );
    return { kind: 'none', file: config.file, line: ssr.kind === 'literal' ? ssr.line : undefined, reason };
  }
  const output = toOutput(config.file, 'buildDirectory', config.at('buildDirectory'), ['build']);
  return output.kind === 'folders'
    ? { kind: 'folders', paths: output.paths.map((path) => posix.join(path, 'client')) }
    : output;
}

/** Source: vite.dev/config, vite.dev/guide/cli. */
async function vite(folder: ToolFolder, others: readonly ToolProject[]): Promise<Output | undefined> {
  const config = await folder.script('vite.config');
  if (config === undefined && !(folder.calls('vite') && others.every(({ kind }) => kind === 'capacitor'))) {
    return undefined;
  }
  const configFile = config?.file ?? 'package.json';
  const root = config?.at('root') ?? ABSENT;
  // The option of the command wins over the configuration.
  const option = folder.buildOption('vite build', '--outDir ', '--outDir=');
  const isOption = option.kind !== 'absent';
  const outDir = isOption ? option : (config?.at('build', 'outDir') ?? ABSENT);
  const isResolved = outDir.kind === 'literal' && outDir.isResolved;
  if (root.kind === 'expression' && !isResolved) {
    return toOutput(configFile, 'root', root, []);
  }
  const [file, name] = isOption ? ['package.json', '--outDir'] : [configFile, 'build.outDir'];
  const path = outDir.kind === 'absent' ? 'dist' : getText(outDir);
  return path === undefined
    ? toOutput(file, name, outDir, [])
    : toFolder(file, getLine(outDir.kind === 'absent' ? root : outDir), isResolved ? '' : (getText(root) ?? ''), path);
}
