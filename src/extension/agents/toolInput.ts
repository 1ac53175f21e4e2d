import * as z from 'zod/mini';
import { isObject } from '../../service-client/index.ts';

/** An error whose message the agent receives: the problem and the next step, in English. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/**
 * Creates the schema of a tool's input. VS Code doesn't check the input against the schema in package.json.
 *
 * @param example valid input as JSON
 */
export function toolInput<T extends z.core.$ZodLooseShape>(shape: T, example: string) {
  return z.object(
    shape,
    `The input must be an object, such as ${example}. Call again with such an object, or with {}.`,
  );
}

/**
 * Reads the input of a call. Null and empty strings count as missing, because models send them for missing values.
 *
 * @throws ToolError if the input doesn't match the schema. The message names the first invalid field
 */
export function readInput<T>(schema: z.ZodMiniType<T>, input: unknown): T {
  const isGiven = ([, value]: readonly [string, unknown]) => value !== null && value !== '';
  const given = isObject(input) ? Object.fromEntries(Object.entries(input).filter(isGiven)) : (input ?? {});
  const { data, error } = schema.safeParse(given);
  if (error === undefined) {
    return data;
  }
  const [issue] = error.issues;
  const [field] = issue?.path ?? [];
  throw new ToolError(`${field === undefined ? '' : `"${String(field)}" `}${issue?.message ?? 'is wrong.'}`);
}

const TEXT_ERROR = 'must be a text. Call again with a name or a path, or without it.';

export function text() {
  return z.optional(z.string(TEXT_ERROR));
}

/** Returns a schema for a string. It also accepts numbers, because models send them. */
export function textOrNumber() {
  return z.optional(z.pipe(z.union([z.string(), z.int(TEXT_ERROR)], TEXT_ERROR), z.transform(String)));
}

/** Returns a schema for a Boolean that defaults to false. */
export function flag() {
  return z._default(z.boolean('must be true or false. Call again with one of them, or without it.'), false);
}

export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}. Call again with such a number, or without it.`;
  return z.optional(z.int(error).check(z.minimum(min, error), z.maximum(max, error)));
}

/** Returns a schema for a list of unique strings. A single string counts as a list. An empty list becomes undefined. */
export function texts() {
  const error = 'must be a list of texts. Call again with names, or without it.';
  const different = z.transform((given: string | (string | null)[]): readonly string[] | undefined => {
    const list = [given].flat().flatMap((each) => (each === null || each === '' ? [] : [each]));
    return list.length === 0 ? undefined : [...new Set(list)];
  });
  return z.optional(z.pipe(z.union([z.string(), z.array(z.nullable(z.string()))], error), different));
}
