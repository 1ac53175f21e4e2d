import { getNodeValue, type Node as JsonNode, type ParseError, parseTree } from 'jsonc-parser';
import { TextLines } from '../textLines.ts';
import {
  ABSENT,
  type Call,
  type Fields,
  isLiteral,
  pathIn,
  type PathValue,
  PROTOTYPE_KEYS,
  UNREADABLE,
  type Value,
} from './configValue.ts';
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

/** @throws RangeError for what is nested too deep */
export function readJson(text: string): Fields {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  return root === undefined || errors.length > 0 ? UNREADABLE : new JsonFields(root, text);
}

/** The object of a JSON file; comments are allowed. */
class JsonFields implements Fields {
  readonly #root: JsonNode;
  readonly #lines: TextLines;
  /** By object: its values by their keys. */
  readonly #properties = new Map<JsonNode, ReadonlyMap<string, JsonNode>>();

  constructor(root: JsonNode, text: string) {
    this.#root = root;
    this.#lines = new TextLines(text);
  }

  at(...keys: string[]): Value {
    const node = this.#find(keys);
    if (node === undefined) {
      return ABSENT;
    }
    const line = this.#lines.lineAt(node.offset);
    const value: unknown = node.children === undefined ? getNodeValue(node) : undefined;
    return isLiteral(value) ? { kind: 'literal', value, line } : { kind: 'expression', line };
  }

  path(...keys: string[]): PathValue {
    return pathIn(this.at(...keys));
  }

  calls(): readonly Call[] {
    return [];
  }

  keys(...keys: string[]): readonly string[] {
    const node = this.#find(keys);
    return node === undefined ? [] : [...this.#propertiesOf(node).keys()];
  }

  #find(keys: readonly string[]): JsonNode | undefined {
    let node: JsonNode | undefined = this.#root;
    for (const key of keys) {
      node = node === undefined ? undefined : this.#propertiesOf(node).get(key);
    }
    return node;
  }

  #propertiesOf(object: JsonNode): ReadonlyMap<string, JsonNode> {
    const known = this.#properties.get(object);
    if (known !== undefined) {
      return known;
    }
    const properties = new Map<string, JsonNode>();
    for (const { type, children } of object.children ?? []) {
      const key: unknown = type === 'property' ? children?.[0]?.value : undefined;
      const value = children?.[1];
      if (typeof key === 'string' && !PROTOTYPE_KEYS.includes(key) && value !== undefined) {
        // Of two of a name the last one counts, as for JSON.parse.
        properties.set(key, value);
      }
    }
    this.#properties.set(object, properties);
    return properties;
  }
}
