/** Longer modules are the results of a build, which imports nothing by its name. */
const MAX_LENGTH = 64 * 1024;
/** Most modules have no such import, and aren't parsed. */
const MAY_IMPORT = /\b(?:import|from)\s{0,100}["'](?![./])/;

/**
 * The first package that a module imports by its name alone, as `import 'lit'` does: a browser finds none without an import map.
 *
 * @returns undefined for a module that has none, or that can't be parsed
 */
export async function bareImportIn(text: string): Promise<string | undefined> {
  if (text.length > MAX_LENGTH || !MAY_IMPORT.test(text)) {
    return undefined;
  }
  try {
    const { parseScript } = await import('./scriptParser.ts');
    return parseScript(text, false)
      .body.flatMap((node) => ('source' in node && typeof node.source?.value === 'string' ? node.source.value : []))
      .find((name) => !/^\.{0,2}\//.test(name) && !URL.canParse(name));
  } catch {
    // Broken, nested too deep, or too much.
    return undefined;
  }
}
