/**
 * Code for the first sign-in, command, or visible tree. Activation doesn't need it. Only `extension.ts` imports this
 * module, on first use, and passes on its exports.
 */
export { createAgentTools } from './agentTools/createAgentTools.ts';
export { createApps } from './builds/apps.ts';
export { appFolderOf } from './projects/namedFiles.ts';
export { ClientFactory } from './auth/clientFactory.ts';
export { createSignIn } from './auth/signIn.ts';
export { createCommands } from './commands/commands.ts';
export { createConfigEditor } from './configXml/editor/configEditor.ts';
export { createDevices } from './devices/devices.ts';
export { installEngine } from './localServiceHost/serviceProgram.ts';
export { LocalServiceProcess } from './localServiceHost/localServiceProcess.ts';
export { ResourceDocuments } from './resources/documents/resourceDocuments.ts';
export { ResponseDocuments } from './resources/documents/responseDocuments.ts';
export { AccountRoots } from './resources/tree/accountRoots.ts';
export { failureNode } from './resources/tree/leafNodes.ts';
export { Input } from './workbench/input.ts';
