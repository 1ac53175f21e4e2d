import { ToolFolder } from './toolFolder.ts';
import type { ToolKind, ToolProject } from './toolProject.ts';
import { angular, astro, capacitor, next, nuxt, reactRouter, svelte, vite } from './toolRules.ts';
import { toolsOfTable } from './toolTable.ts';

export type { Output, ToolKind, ToolProject } from './toolProject.ts';

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
    ...(await capacitor(folder)),
    ...(await angular(folder)),
    ...(await next(folder)),
    ...(await nuxt(folder)),
    ...(await astro(folder)),
    ...(await svelte(folder)),
    ...(await reactRouter(folder)),
    ...(await toolsOfTable(folder, false)),
  ];
  if (!tools.some(({ kind }) => MADE_OF_VITE.includes(kind))) {
    tools.push(...(await vite(folder, tools)));
  }
  return tools.some(({ kind }) => kind !== 'capacitor') ? tools : [...tools, ...(await toolsOfTable(folder, true))];
}
