import { getNodeValue, parseTree, type Node as JsonNode, type ParseError } from 'jsonc-parser';

import {
  ABSENT,
  isLiteral,
  pathIn,
  PROTOTYPE_KEYS,
  UNREADABLE,
  type Call,
  type Fields,
  type PathValue,
  type Value,
} from './configValue.ts';
import { TextLines } from '../textLines.ts';

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
