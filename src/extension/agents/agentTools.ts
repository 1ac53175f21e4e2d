import * as vscode from 'vscode';
import type { createAgentTools } from './createAgentTools.ts';

export type AgentTools = ReturnType<typeof createAgentTools>;
export type ToolName = keyof AgentTools;

/** Registers the tools for agents. Their code is loaded on the first call. @param names tool names in package.json */
export function registerAgentTools(names: readonly ToolName[], load: () => Promise<AgentTools>): vscode.Disposable {
  const registrations = names.map((name) =>
    vscode.lm.registerTool(name, {
      invoke: async (...parameters) => (await load())[name].invoke(...parameters),
      prepareInvocation: async ({ input }) => (await load())[name].prepareInvocation({ input }),
    }),
  );
  return vscode.Disposable.from(...registrations);
}
