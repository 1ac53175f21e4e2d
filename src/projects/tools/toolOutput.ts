import { ABSENT } from './configValue.ts';
import { type ConfigFile, ToolFolder } from './toolFolder.ts';
import { folderBy, type Output, type TableKind, type ToolKind, type ToolProject } from './toolProject.ts';
import { angular, astro, capacitor, next, nuxt, reactRouter, svelte, vite } from './toolRules.ts';

/** Tools that build with Vite, and say themselves where. */
const MADE_OF_VITE: readonly ToolKind[] = ['astro', 'nuxt', 'svelte', 'react-router', 'quasar'];

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
  const folder = await ToolFolder.read(files, read);
  const tools = [
    ...projectOf('capacitor', await capacitor(folder)),
    ...(await angular(folder)),
    ...projectOf('next', await next(folder)),
    ...projectOf('nuxt', await nuxt(folder)),
    ...projectOf('astro', await astro(folder)),
    ...projectOf('svelte', await svelte(folder)),
    ...projectOf('react-router', await reactRouter(folder)),
    ...(await toolsOfTable(folder, false)),
  ];
  if (!tools.some(({ kind }) => MADE_OF_VITE.includes(kind))) {
    tools.push(...projectOf('vite', await vite(folder, tools)));
  }
  return tools.some(({ kind }) => kind !== 'capacitor') ? tools : [...tools, ...(await toolsOfTable(folder, true))];
}

function projectOf(kind: ToolKind, output: Output | undefined): readonly ToolProject[] {
  return output === undefined ? [] : [{ kind, output }];
}

interface TableTool {
  readonly kind: TableKind;
  /** One of them is a dependency. */
  readonly packages: readonly string[];
  /** What a script of package.json calls. */
  readonly command: string;
  /** Without extension. */
  readonly configs?: readonly string[];
  /** The value of the configuration that names the folder. */
  readonly key?: readonly string[];
  /** Variable of the environment that names it instead. */
  readonly variable?: string;
  readonly folders: readonly string[];
  /** Other tools are made of it. */
  readonly isBundler?: true;
}

/** Tools whose output is one value of their configuration, or always the same. */
const TABLE: readonly TableTool[] = [
  {
    kind: 'react-scripts',
    packages: ['react-scripts'],
    command: 'react-scripts',
    variable: 'BUILD_PATH',
    folders: ['build'],
  },
  {
    kind: 'vue-cli',
    packages: ['@vue/cli-service'],
    command: 'vue-cli-service',
    configs: ['vue.config'],
    key: ['outputDir'],
    folders: ['dist'],
  },
  {
    kind: 'rsbuild',
    packages: ['@rsbuild/core'],
    command: 'rsbuild',
    configs: ['rsbuild.config'],
    key: ['output', 'distPath', 'root'],
    folders: ['dist'],
  },
  {
    kind: 'quasar',
    packages: ['@quasar/app-vite', '@quasar/app-webpack', '@quasar/app'],
    command: 'quasar',
    configs: ['quasar.config', 'quasar.conf'],
    key: ['build', 'distDir'],
    folders: ['dist/spa', 'dist/pwa'],
  },
  { kind: 'docusaurus', packages: ['@docusaurus/core'], command: 'docusaurus', folders: ['build'] },
  { kind: 'gatsby', packages: ['gatsby'], command: 'gatsby', folders: ['public'] },
  { kind: 'eleventy', packages: ['@11ty/eleventy'], command: 'eleventy', folders: ['_site'] },
  { kind: 'stencil', packages: ['@stencil/core'], command: 'stencil', folders: ['www'] },
  { kind: 'ember', packages: ['ember-cli'], command: 'ember', folders: ['dist'] },
  { kind: 'parcel', packages: ['parcel', 'parcel-bundler'], command: 'parcel', folders: ['dist'], isBundler: true },
  {
    kind: 'webpack',
    packages: ['webpack'],
    command: 'webpack',
    configs: ['webpack.config'],
    key: ['output', 'path'],
    folders: ['dist', 'build'],
    isBundler: true,
  },
];

/** The tools of a folder that need no rule of their own. @param isBundler whether other tools are made of them */
async function toolsOfTable(folder: ToolFolder, isBundler: boolean): Promise<readonly ToolProject[]> {
  const projects: ToolProject[] = [];
  for (const tool of TABLE.filter((each) => (each.isBundler ?? false) === isBundler)) {
    const found = await folder.script(...(tool.configs ?? []));
    if (found !== undefined || folder.dependsOn(...tool.packages) || folder.calls(tool.command)) {
      projects.push({ kind: tool.kind, output: tableOutput(tool, folder, found) });
    }
  }
  return projects;
}

function tableOutput(
  { key, variable, folders }: TableTool,
  { buildScript }: ToolFolder,
  found: ConfigFile | undefined,
): Output {
  if (found !== undefined && key !== undefined && found.config.at(...key).kind !== 'absent') {
    return folderBy(found.file, key.join('.'), found.config.path(...key), folders);
  }
  const value = variable === undefined ? ABSENT : buildScript.variable(variable);
  return folderBy('package.json', variable ?? '', value, folders);
}
