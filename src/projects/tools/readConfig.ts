import { UNREADABLE, type Fields } from './configValue.ts';
import { readJson } from './jsonFields.ts';
import { fieldsOf } from './scriptFields.ts';

/** Longer ones are nobody's own work. */
const MAX_JSON_LENGTH = 256 * 1024;
const MAX_SCRIPT_LENGTH = 64 * 1024;

/**
 * The configuration that a JavaScript, TypeScript or JSON file exports, as far as it says it in literals. It is read, never run.
 * Never throws: of what cannot be parsed every value is an expression of line 1.
 */
export async function readConfig(text: string, fileName: string): Promise<Fields> {
  const plain = text.replace(/^\uFEFF/, '');
  const isJson = /\.jsonc?$/i.test(fileName);
  if (plain.length > (isJson ? MAX_JSON_LENGTH : MAX_SCRIPT_LENGTH)) {
    return UNREADABLE;
  }
  try {
    if (isJson) {
      return readJson(plain);
    }
    const { parseScript } = await import('./scriptParser.ts');
    return fieldsOf(parseScript(plain, /\.[cm]?ts$/i.test(fileName)), plain, fileName);
  } catch {
    // Broken, nested too deep (RangeError), or too much.
    return UNREADABLE;
  }
}
