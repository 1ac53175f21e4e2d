import { cancellable } from '../errors/index.ts';
import { MAX_LISTED, MAX_SEARCH_DEPTH, MAX_SEARCHED_FOLDERS } from './limits.ts';
import { join } from './paths.ts';
import type { ProjectFolder } from './projectFolder.ts';

/** Matches folders that a build doesn't write an app's pages to. Nuxt uses the folder `.output`. */
const NO_PAGES = /^(?:node_modules|bower_components|platforms|plugins|Pods|android|ios|\.(?!output$).*)$/i;

/**
 * Finds the folders of a project in which a build wrote an index.html, the newest first. Looks in up to {@link
 * MAX_SEARCHED_FOLDERS} folders and returns up to {@link MAX_LISTED}.
 *
 * @param sinceMs the start of the build, in milliseconds since 1970. Defaults to the last change of package.json
 * @returns paths relative to the project
 * @throws CancelledError
 */
export async function findWrittenPages(project: ProjectFolder, sinceMs?: number): Promise<readonly string[]> {
  const { tree, signal } = project;
  const detailsOf = (path: string) =>
    cancellable(
      tree.details(join(project.path, path)).catch(() => undefined),
      signal,
    );
  const since = sinceMs ?? ((await detailsOf('package.json'))?.modifiedMs ?? 0) + 1;
  const found: { readonly path: string; readonly modifiedMs: number }[] = [];
  const folders = [''];
  // The loop adds folders to the array while it runs.
  for (const folder of folders) {
    const entries = await cancellable(
      tree.list(join(project.path, folder)).catch(() => []),
      signal,
    );
    for (const { name, kind } of entries) {
      const path = join(folder, name);
      const isDeep = folder.split('/').length >= MAX_SEARCH_DEPTH;
      if (kind === 'folder' && !NO_PAGES.test(name) && !isDeep && folders.length < MAX_SEARCHED_FOLDERS) {
        folders.push(path);
      }
      // A page at the top is usually the source.
      const details = kind === 'file' && name === 'index.html' && folder !== '' ? await detailsOf(path) : undefined;
      if (details !== undefined && details.modifiedMs >= since) {
        found.push({ path: folder, modifiedMs: details.modifiedMs });
      }
    }
  }
  return found
    .sort((a, b) => b.modifiedMs - a.modifiedMs)
    .slice(0, MAX_LISTED)
    .map(({ path }) => path);
}
