import { posix } from 'node:path';

import { isBelow, resolvePath } from '../paths.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import { angularOutput, findTools, type ToolProject } from './buildTools.ts';
import { getText, ToolConfig } from './toolConfig.ts';

/** Matches the executors that build pages. Others build libraries, servers, and packages. */
const WEB_EXECUTOR = /angular|vite|webpack|rspack|rollup|:web/i;

/**
 * Finds the tools that build the pages of a folder. An Nx project has one, because its target decides which tool runs
 * and where it writes.
 *
 * @throws CancelledError
 */
export async function findProjectTools(folder: ProjectFolder): Promise<readonly ToolProject[]> {
  const tools = await findTools([...(await folder.names())], (name) => folder.readText(name));
  const nx = await findNxProject(folder);
  return nx === undefined ? tools : [...tools.filter(({ kind }) => kind === 'capacitor'), nx.tool];
}

/** A project in an Nx workspace that builds pages. */
export interface NxProject {
  /** Name for the `nx` command. */
  readonly name: string;
  readonly tool: ToolProject;
}

/**
 * Finds the application that a folder with a project.json builds in an Nx workspace. Its output folder is relative to
 * the workspace, by default `dist` and the path of the project. Source: nx.dev/reference/project-configuration.
 *
 * @throws CancelledError
 */
export async function findNxProject(folder: ProjectFolder): Promise<NxProject | undefined> {
  if (!(await folder.names()).has('project.json')) {
    return undefined;
  }
  const workspace = await findWorkspace(folder);
  const config = new ToolConfig('project.json', await folder.readText('project.json'));
  const target = ['targets', 'architect'].find((each) => config.names(each).includes('build'));
  if (workspace === undefined || target === undefined) {
    return undefined;
  }
  const build = [target, 'build'];
  const executor = getText(config.at(...build, 'executor')) ?? getText(config.at(...build, 'builder')) ?? '';
  const isServer = getText(config.at(...build, 'options', 'target')) === 'node';
  const isApplication = getText(config.at('projectType')) === 'application';
  if (!isApplication || isServer || !WEB_EXECUTOR.test(executor)) {
    return undefined;
  }
  const root = posix.relative(workspace.path, folder.path);
  const name = getText(config.at('name')) ?? posix.basename(root);
  const defaults = new ToolConfig('nx.json', await workspace.readText('nx.json'));
  const byDefault = ['build', executor]
    .map((each) => getText(defaults.at('targetDefaults', each, 'options', 'outputPath')))
    .find((path) => path !== undefined);
  const isSet = config.at(...build, 'options', 'outputPath').kind !== 'absent';
  const output = isSet
    ? angularOutput(config, build, name)
    : angularOutput(withOutput(byDefault ?? 'dist/{projectRoot}', executor), ['build'], name);
  if (output.kind !== 'folders') {
    return output.kind === 'none' ? undefined : { name, tool: { kind: 'nx', output } };
  }
  const paths = output.paths
    .map((path) => path.replaceAll('{workspaceRoot}/', '').replaceAll('{projectRoot}', root))
    .map((path) => resolvePath(workspace.path, path.replaceAll('{projectName}', name)))
    // The pages aren't the workspace, or a folder that contains the project.
    .filter((path) => isBelow(path, workspace.path) && path !== folder.path && !isBelow(folder.path, path))
    .map((path) => posix.relative(folder.path, path));
  return paths.length === 0 ? undefined : { name, tool: { kind: 'nx', output: { kind: 'folders', paths } } };
}

/** Returns the nearest folder with an nx.json. */
async function findWorkspace(folder: ProjectFolder): Promise<ProjectFolder | undefined> {
  for (const each of [folder, ...folder.above()]) {
    if ((await each.names()).has('nx.json')) {
      return each;
    }
  }
  return undefined;
}

/** Returns the configuration of a target that specifies only its output. */
function withOutput(outputPath: string, builder: string): ToolConfig {
  return new ToolConfig('nx.json', JSON.stringify({ build: { builder, options: { outputPath } } }));
}
