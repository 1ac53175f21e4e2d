import * as vscode from 'vscode';

/** As package.json declares them. */
export type ToolName =
  | 'appBuild_build_app'
  | 'appBuild_check_folder'
  | 'appBuild_download_build'
  | 'appBuild_explain_failure'
  | 'appBuild_install_build'
  | 'appBuild_list_apps'
  | 'appBuild_read_build_log'
  | 'appBuild_read_resource'
  | 'appBuild_wait_for_build';

/** What the tools do. */
export type AgentTools = Readonly<Record<ToolName, vscode.LanguageModelTool<unknown>>>;

/** Registers the tools for agents. What they do is loaded at the first call. @param names those of package.json. */
export function registerAgentTools(names: readonly ToolName[], load: () => Promise<AgentTools>): vscode.Disposable {
  const registrations = names.map((name) =>
    vscode.lm.registerTool(name, {
      invoke: async (...parameters) => (await load())[name].invoke(...parameters),
      prepareInvocation: async (...parameters) => (await load())[name].prepareInvocation?.(...parameters),
    }),
  );
  return vscode.Disposable.from(...registrations);
}
