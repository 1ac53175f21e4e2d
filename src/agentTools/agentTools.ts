import * as vscode from 'vscode';

/** The tools of package.json, by their names. */
export type AgentTools = Readonly<Record<'appBuild_check_folder', vscode.LanguageModelTool<unknown>>>;

/** Registers the tools for agents. What they do is loaded at the first call. */
export function registerAgentTools(load: () => Promise<AgentTools>): vscode.Disposable {
  const name = 'appBuild_check_folder';
  return vscode.lm.registerTool(name, { invoke: async (...parameters) => (await load())[name].invoke(...parameters) });
}
