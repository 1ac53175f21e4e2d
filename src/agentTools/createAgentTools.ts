import type { ToolDependencies } from './agentTool.ts';
import type { AgentTools } from './agentTools.ts';
import { BuildAppTool } from './buildAppTool.ts';
import { CheckFolderTool } from './checkFolderTool.ts';
import { DownloadBuildTool } from './downloadBuildTool.ts';
import { ExplainFailureTool } from './explainFailureTool.ts';
import { InstallBuildTool } from './installBuildTool.ts';
import { ListAppsTool } from './listAppsTool.ts';
import { ReadBuildLogTool } from './readBuildLogTool.ts';
import { ReadResourceTool } from './readResourceTool.ts';
import { WaitForBuildTool } from './waitForBuildTool.ts';

/** Makes what every tool does. Called when the first tool is, not at activation. */
export function createAgentTools(given: Omit<ToolDependencies, 'namedUrls'>): AgentTools {
  const dependencies = { ...given, namedUrls: new Set<string>() };
  return {
    appBuild_build_app: new BuildAppTool(dependencies),
    appBuild_check_folder: new CheckFolderTool(dependencies),
    appBuild_download_build: new DownloadBuildTool(dependencies),
    appBuild_explain_failure: new ExplainFailureTool(dependencies),
    appBuild_install_build: new InstallBuildTool(dependencies),
    appBuild_list_apps: new ListAppsTool(dependencies),
    appBuild_read_build_log: new ReadBuildLogTool(dependencies),
    appBuild_read_resource: new ReadResourceTool(dependencies),
    appBuild_wait_for_build: new WaitForBuildTool(dependencies),
  };
}
