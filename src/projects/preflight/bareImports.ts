import jsTokens from 'js-tokens';

import type { Page } from '../htmlPage.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import type { SourceMark } from '../sourceMark.ts';

/** Most modules have no such import, and aren't read. */
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
  for (const { src, span } of modules) {
    const path = src === undefined ? undefined : pathOf(src);
    const [inline = ''] = src === undefined ? html.slice(span.end).split(/<\/script/i, 1) : [];
    const what = bareImportIn(path === undefined ? inline : ((await folder.text(path)) ?? ''));
    if (what !== undefined) {
      return { kind: 'import', what, span };
    }
  }
  return undefined;
}

/** The name in the first `import 'lit'`, `import … from 'lit'` or `export … from 'lit'` of a module. */
function bareImportIn(text: string): string | undefined {
  let before = '';
  for (const { type, value } of MAY_IMPORT.test(text) ? jsTokens(text) : []) {
    if (type === 'StringLiteral' && (before === 'import' || before === 'from')) {
      const name = value.slice(1, -1);
      if (!/^\.{0,2}\//.test(name) && !URL.canParse(name)) {
        return name;
      }
    }
    before = /^(?:WhiteSpace|LineTerminatorSequence|SingleLineComment|MultiLineComment)$/.test(type) ? before : value;
  }
  return undefined;
}
