import type { Page } from '../htmlPage.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import type { SourceMark } from '../sourceMark.ts';

/** Modules of a page that are read. */
const MAX_MODULES = 20;
/** Longer modules come from a build, which leaves no imports by name. */
const MAX_LENGTH = 64 * 1024;
/** Most modules have no such import, and aren't parsed. */
const MAY_IMPORT = /\b(?:import|from)\s{0,100}["'](?![./])/;

/**
 * The first module of a page that imports a package by name, as `import 'lit'` does. Without an import map, a browser can't find it.
 *
 * @param html what the page was read from
 * @param pathOf a script, below the project
 * @throws CancelledError
 */
export async function bareImportMark(
  folder: ProjectFolder,
  { scripts, hasImportMap }: Page,
  html: string,
  pathOf: (src: string) => string | undefined,
): Promise<SourceMark | undefined> {
  const modules = hasImportMap ? [] : scripts.filter(({ isModule }) => isModule);
  for (const { src, span } of modules.slice(0, MAX_MODULES)) {
    const path = src === undefined ? undefined : pathOf(src);
    const [inline = ''] = src === undefined ? html.slice(span.end).split(/<\/script/i, 1) : [];
    const what = await bareImportIn(path === undefined ? inline : ((await folder.text(path)) ?? ''));
    if (what !== undefined) {
      return { kind: 'import', what, span };
    }
  }
  return undefined;
}

/** @returns undefined for a module that has no such import, or that can't be parsed */
async function bareImportIn(text: string): Promise<string | undefined> {
  if (text.length > MAX_LENGTH || !MAY_IMPORT.test(text)) {
    return undefined;
  }
  try {
    const { parseScript } = await import('../tools/scriptParser.ts');
    return parseScript(text, false)
      .body.flatMap((node) => ('source' in node && typeof node.source?.value === 'string' ? node.source.value : []))
      .find((name) => !/^\.{0,2}\//.test(name) && !URL.canParse(name));
  } catch {
    // Broken, nested too deep, or too much.
    return undefined;
  }
}
