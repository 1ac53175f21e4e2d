/**
 * Code that is first needed for a sign-in, a command, or the visible tree, but not for activation. Only `extension.ts`
 * imports this module, on first use, and passes on its exports.
 */
export { createAgentTools } from './agents/createAgentTools.ts';
export { createBuildServices } from './apps/builds/createBuildServices.ts';
export { readAppFolder } from './config-editor/configFolder.ts';
export { ClientFactory } from './auth/clientFactory.ts';
export { createSignIn } from './auth/signIn.ts';
export { createCommands } from './commands/commands.ts';
export { createConfigEditor } from './config-editor/configEditor.ts';
export { createDevices } from './devices/devices.ts';
export { installEngine } from './service-host/serviceProgram.ts';
export { LocalServiceProcess } from './service-host/localServiceProcess.ts';
export { ResourceDocuments } from './resources/documents/resourceDocuments.ts';
export { ResponseDocuments } from './resources/documents/responseDocuments.ts';
export { AccountRoots } from './resources/tree/accountRoots.ts';
export { failureNode } from './resources/tree/leafNodes.ts';
export { Input } from './workbench/input.ts';
