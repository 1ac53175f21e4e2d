import * as z from 'zod/mini';
import { isObject } from '../api/hypermedia/json.ts';

/** A failure that is the answer to an agent: what is wrong, and what to do next. In English, as all answers. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** The input of a tool, which VS Code checks against no schema. @param example as JSON. */
export function toolInput<T extends z.core.$ZodLooseShape>(shape: T, example: string) {
  return z.object(shape, `The input must be an object, such as ${example}. Call again with one, or with {}.`);
}

/** Reads the input of a call. Models send null or an empty text for what they leave out. @throws ToolError that names the field that is wrong */
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

/** A text, where models send numbers, too. */
export function textOrNumber() {
  return z.optional(z.pipe(z.union([z.string(), z.int(TEXT_ERROR)], TEXT_ERROR), z.transform(String)));
}

/** True or false. False when it is left out. */
export function flag() {
  return z._default(z.boolean('must be true or false. Call again with one of them, or without it.'), false);
}

export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}. Call again with one, or without it.`;
  return z.optional(z.int(error).check(z.minimum(min, error), z.maximum(max, error)));
}

/** Texts, each once. A single one counts as a list. Undefined when there are none. */
export function texts() {
  const error = 'must be a list of texts. Call again with names, or without it.';
  const different = z.transform((given: string | (string | null)[]): readonly string[] | undefined => {
    const list = [given].flat().flatMap((each) => (each === null || each === '' ? [] : [each]));
    return list.length === 0 ? undefined : [...new Set(list)];
  });
  return z.optional(z.pipe(z.union([z.string(), z.array(z.nullable(z.string()))], error), different));
}
