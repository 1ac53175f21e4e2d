import { posix } from 'node:path';
import { sentence } from '../../api/errors/sentence.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import { ABSENT, type Fields, lineOf, MAX_PATH_LENGTH, textOfValue } from './configValue.ts';
import { readConfig } from './readConfig.ts';
import type { ConfigFile, ToolFolder } from './toolFolder.ts';
import { folderBy, folderIn, type Output, type ToolProject, unknown } from './toolProject.ts';

export async function capacitor(folder: ToolFolder): Promise<Output | undefined> {
  const found = await folder.config(...CAPACITOR_FILES);
  if (found === undefined) {
    return undefined;
  }
  const { file, config } = found;
  return folderBy(file, 'webDir', config.path('webDir'), ['www']);
}

/** Source: the schemas of `@angular/build:application` and `@angular-devkit/build-angular:browser`. */
export async function angular(folder: ToolFolder): Promise<readonly ToolProject[]> {
  const found = await folder.config('angular.json', '.angular.json');
  if (found === undefined) {
    return [];
  }
  const { file, config } = found;
  const applications = config
    .keys('projects')
    .filter((name) => name.length <= MAX_PATH_LENGTH)
    .filter((name) => textOfValue(config.at('projects', name, 'projectType')) === 'application')
    .flatMap((name) => {
      const path = ['architect', 'targets']
        .map((targets) => ['projects', name, targets, 'build'])
        .find((target) => config.at(...target).kind !== 'absent');
      return path === undefined ? [] : [{ name, output: angularOutput(file, config, path, name) }];
    });
  if (applications.length === 0 && config.at().kind === 'expression' && config.keys().length === 0) {
    return [{ kind: 'angular', output: unknown(file, 1, 'outputPath') }];
  }
  return applications.map(({ name, output }) => ({
    kind: 'angular',
    name: applications.length > 1 ? name : undefined,
    output,
  }));
}

function angularOutput(file: string, config: Fields, target: readonly string[], project: string): Output {
  const configuration = textOfValue(config.at(...target, 'defaultConfiguration')) ?? 'production';
  const path = [
    [...target, 'configurations', configuration, 'outputPath'],
    [...target, 'options', 'outputPath'],
  ].find((candidate) => config.at(...candidate).kind !== 'absent');
  const name = 'outputPath';
  if (path === undefined || config.at(...path).kind === 'literal') {
    const value = path === undefined ? ABSENT : config.path(...path);
    const output = value.kind === 'absent' ? folderIn(file, 1, 'dist', project) : folderBy(file, name, value, []);
    // The builders of others are named like those that they extend.
    const isApplication = textOfValue(config.at(...target, 'builder'))?.endsWith(':application') === true;
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
    ? folderIn(file, base.line, String(base.value), textOfValue(browser) ?? 'browser')
    : unknown(file, lineOf(config.at(...path)), name);
}

/** Source: nextjs.org/docs/app/guides/static-exports. */
export async function next(folder: ToolFolder): Promise<Output | undefined> {
  const found = await folder.script('next.config');
  if (found === undefined && !folder.dependsOn('next')) {
    return undefined;
  }
  const file = found?.file ?? 'package.json';
  const output = found?.config.at('output') ?? ABSENT;
  // Next.js 13 and those before it.
  const isExported = output.kind === 'absent' && folder.someScriptHas('next export');
  if (output.kind === 'expression') {
    return unknown(file, output.line, 'output');
  }
  if (found === undefined || isExported || textOfValue(output) !== 'export') {
    const line = output.kind === 'literal' ? output.line : undefined;
    const reason = sentence(
      "Next.js writes pages for a server. To make pages that an app can hold, write output: 'export' in next.config.",
    );
    return isExported ? { kind: 'folders', paths: ['out'] } : { kind: 'none', file, line, reason };
  }
  const distDir = found.config.path('distDir');
  const value = textOfValue(distDir) === '.next' ? ABSENT : distDir;
  return folderBy(file, 'distDir', value, ['out']);
}

/** Sources: nitro.build/config#output; v2.nuxt.com/docs/configuration-glossary/configuration-generate. */
export async function nuxt(folder: ToolFolder): Promise<Output | undefined> {
  const found = await folder.script('nuxt.config');
  if (found === undefined && !folder.dependsOn('nuxt', 'nuxt3', 'nuxt-edge')) {
    return undefined;
  }
  return found === undefined ? NUXT_DEFAULT : nuxtOutput(found);
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
  const value = config.path(...name.split('.'));
  const dir = config.path('nitro', 'output', 'dir');
  // Nitro fills these in.
  const text = textOfValue(value)
    ?.replaceAll('{{ output.dir }}', dir.kind === 'absent' ? '.output' : (textOfValue(dir) ?? '{{'))
    .replaceAll('{{ rootDir }}/', '');
  if (text === undefined || text.length > MAX_PATH_LENGTH || text.includes('{{')) {
    return unknown(file, lineOf(value), name);
  }
  const output = folderIn(file, lineOf(value), text, name === 'nitro.output.dir' ? 'public' : '');
  return output.kind === 'folders' ? { kind: 'folders', paths: [...new Set([...output.paths, 'dist'])] } : output;
}

/** Source: docs.astro.build/en/reference/configuration-reference. */
export async function astro(folder: ToolFolder): Promise<Output | undefined> {
  const found = await folder.script('astro.config');
  if (found === undefined) {
    return folder.dependsOn('astro') ? { kind: 'folders', paths: ['dist'] } : undefined;
  }
  const { file, config } = found;
  const output = config.at('output');
  if (output.kind === 'expression') {
    return unknown(file, output.line, 'output');
  }
  if (output.kind === 'literal' && output.value !== 'static') {
    const reason = sentence(
      "With output: '{0}', Astro writes pages for a server. An app can hold those of output: 'static'.",
      String(output.value),
    );
    return { kind: 'none', file, line: output.line, reason };
  }
  return folderBy(file, 'outDir', config.path('outDir'), ['dist']);
}

const STATIC_ADAPTER = '@sveltejs/adapter-static';

/**
 * SvelteKit; a project of Svelte and Vite alone is one of Vite. Its options are in svelte.config, or, as today's starter has
 * them, those of its plugin in vite.config. Source: svelte.dev/docs/kit/adapter-static.
 */
export async function svelte(folder: ToolFolder): Promise<Output | undefined> {
  const own = await folder.script('svelte.config');
  const ofVite = await folder.script('vite.config');
  const plugin = ofVite?.config.calls('plugins').find(({ module }) => module === '@sveltejs/kit/vite');
  const isInSvelteConfig = own?.config.keys().includes('kit') === true;
  if (!isInSvelteConfig && plugin === undefined && !folder.dependsOn('@sveltejs/kit')) {
    return undefined;
  }
  const isOfPlugin = !isInSvelteConfig && plugin !== undefined && plugin.argument.at('adapter').kind !== 'absent';
  const file = (isOfPlugin ? ofVite?.file : own?.file) ?? ofVite?.file ?? 'package.json';
  const path = isOfPlugin ? ['adapter'] : ['kit', 'adapter'];
  const options: Fields | undefined = isOfPlugin ? plugin.argument : own?.config;
  const adapter = options?.at(...path) ?? ABSENT;
  const [call] = options?.calls(...path) ?? [];
  if (call?.module === STATIC_ADAPTER) {
    return folderBy(file, 'pages', call.argument.path('pages'), ['build']);
  }
  // An adapter of the person's own may write anything anywhere.
  if (adapter.kind !== 'absent' && call?.module?.startsWith('.') !== false) {
    return unknown(file, lineOf(adapter), path.join('.'));
  }
  const reason = sentence(
    'SvelteKit writes pages for a server. To make pages that an app can hold, install {0}, and use it as the adapter in {1}.',
    STATIC_ADAPTER,
    file === 'package.json' ? 'svelte.config.js' : file,
  );
  return { kind: 'none', file, line: call?.line, reason };
}

/** React Router as a framework. Source: reactrouter.com/how-to/spa. */
export async function reactRouter(folder: ToolFolder): Promise<Output | undefined> {
  const found = await folder.script('react-router.config');
  if (found === undefined) {
    return undefined;
  }
  const { file, config } = found;
  const ssr = config.at('ssr');
  if (ssr.kind === 'expression') {
    return unknown(file, ssr.line, 'ssr');
  }
  if (config.at('prerender').kind === 'absent' && !(ssr.kind === 'literal' && ssr.value === false)) {
    const line = ssr.kind === 'literal' ? ssr.line : undefined;
    const reason = sentence(
      'React Router writes pages for a server. To make pages that an app can hold, write ssr: false in {0}.',
      file,
    );
    return { kind: 'none', file, line, reason };
  }
  const output = folderBy(file, 'buildDirectory', config.path('buildDirectory'), ['build']);
  return output.kind === 'folders'
    ? { kind: 'folders', paths: output.paths.map((path) => posix.join(path, 'client')) }
    : output;
}

/** Source: vite.dev/config, vite.dev/guide/cli. */
export async function vite(folder: ToolFolder, others: readonly ToolProject[]): Promise<Output | undefined> {
  const found = await folder.script('vite.config');
  if (found === undefined && !(folder.calls('vite') && others.every(({ kind }) => kind === 'capacitor'))) {
    return undefined;
  }
  const root = found?.config.path('root') ?? ABSENT;
  const configured = found?.config.path('build', 'outDir') ?? ABSENT;
  // The option of the command wins over the configuration.
  const option = folder.buildScript.option(['vite', 'build'], '--outDir');
  const isOption = option.kind !== 'absent';
  const outDir = isOption ? option : configured;
  const configFile = found?.file ?? 'package.json';
  const outDirFile = isOption ? 'package.json' : configFile;
  if (root.kind === 'expression' && !(outDir.kind === 'literal' && outDir.isResolved)) {
    return unknown(configFile, root.line, 'root');
  }
  if (outDir.kind === 'expression') {
    return unknown(outDirFile, outDir.line, isOption ? '--outDir' : 'build.outDir');
  }
  const folders = outDir.kind === 'literal' && outDir.isResolved ? [] : [textOfValue(root) ?? ''];
  return outDir.kind === 'absent'
    ? folderIn(configFile, lineOf(root), ...folders, 'dist')
    : folderIn(outDirFile, outDir.line, ...folders, outDir.value);
}

/** Capacitor's configuration. @throws CancelledError */
export async function readCapacitorConfig(folder: ProjectFolder): Promise<ConfigFile | undefined> {
  const names = await folder.names();
  const file = CAPACITOR_FILES.find((name) => names.has(name));
  const text = file === undefined ? undefined : await folder.text(file);
  return file === undefined || text === undefined ? undefined : { file, config: await readConfig(text, file) };
}

/** In the order in which Capacitor's `loadConfig` asks for them. */
export const CAPACITOR_FILES = ['capacitor.config.ts', 'capacitor.config.js', 'capacitor.config.json'] as const;
