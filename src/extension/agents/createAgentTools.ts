import type { ToolDependencies } from './agentTool.ts';
import { BuildAppTool } from './buildAppTool.ts';
import { CheckFolderTool } from './checkFolderTool.ts';
import { DownloadBuildTool } from './downloadBuildTool.ts';
import { InstallBuildTool } from './installBuildTool.ts';
import { ListAppsTool } from './listAppsTool.ts';
import { ReadBuildTool } from './readBuildTool.ts';
import { ReadResourceTool } from './readResourceTool.ts';

/** Creates the tools for agents, keyed by their names in package.json. Called when a tool is first used, not at activation. */
export function createAgentTools(given: Omit<ToolDependencies, 'namedUrls'>) {
  const dependencies = { ...given, namedUrls: new Set<string>() };
  return {
    appBuild_build_app: new BuildAppTool(dependencies),
    appBuild_check_folder: new CheckFolderTool(dependencies),
    appBuild_download_build: new DownloadBuildTool(dependencies),
    appBuild_install_build: new InstallBuildTool(dependencies),
    appBuild_list_apps: new ListAppsTool(dependencies),
    appBuild_read_build: new ReadBuildTool(dependencies),
    appBuild_read_resource: new ReadResourceTool(dependencies),
  };
}
