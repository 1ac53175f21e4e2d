/** The arguments of a call, by name. */
export type ToolArguments = Readonly<Partial<Record<string, unknown>>>;

/** Characters of an argument; those of a path on any system. */
const MAX_ARGUMENT_LENGTH = 4_096;
const MAX_ENTRIES = 50;

/** Reads the input of a call, which VS Code checks against no schema. @param example as JSON. @throws ToolError */
export function argumentsOf(input: unknown, example: string): ToolArguments {
  if (input !== undefined && (typeof input !== 'object' || input === null || Array.isArray(input))) {
    throw new ToolError(`The input must be an object, such as ${example}. Call again with one, or with {}.`);
  }
  return (input ?? {}) as ToolArguments;
}

/** A text; undefined for an empty one and for null, which models send for what they leave out. @throws ToolError */
export function textArgument(values: ToolArguments, name: string): string | undefined {
  const value = values[name];
  if (value === undefined || value === null || value === '') {
    return undefined;
  }
  if (typeof value !== 'string' || value.length > MAX_ARGUMENT_LENGTH) {
    throw new ToolError(`"${name}" must be a short text. Call again with a name or a path, or without it.`);
  }
  return value;
}

/** As {@link textArgument}, where models send numbers, too. @throws ToolError */
export function textOrNumberOf(values: ToolArguments, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textArgument(values, name);
}

/** True or false; false when it is left out. @throws ToolError */
export function flagOf(values: ToolArguments, name: string): boolean {
  const value = values[name] ?? false;
  if (typeof value !== 'boolean') {
    throw new ToolError(`"${name}" must be true or false. Call again with one of them, or without it.`);
  }
  return value;
}

/** A whole number; undefined when it is left out. @throws ToolError */
export function numberOf(
  values: ToolArguments,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const value = values[name] ?? undefined;
  if (value === undefined) {
    return undefined;
  }
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new ToolError(`"${name}" must be a whole number from ${min} to ${max}. Call again with one, or without it.`);
  }
  return value;
}

/** Texts, each once; a single one counts as a list. Undefined when there are none. @throws ToolError */
export function textsOf(values: ToolArguments, name: string): readonly string[] | undefined {
  const value = values[name] ?? [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MAX_ENTRIES) {
    throw new ToolError(`"${name}" must have at most ${MAX_ENTRIES} entries. Call again with fewer.`);
  }
  const texts = list.map((each) => textArgument({ [name]: each }, name)).filter((each) => each !== undefined);
  return texts.length === 0 ? undefined : [...new Set(texts)];
}

const MAX_NAMED = 20;

/** Names to choose from, in a sentence. */
export function listOf(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED);
  const others = names.length - named.length;
  return others === 0 ? named.join(', ') : `${named.join(', ')} and ${others} more`;
}

/** A failure that is the answer to an agent: what is wrong, and what to do next. In English, as all answers. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
