import type * as z from 'zod/mini';

/**
 * Reads a value that VS Code has stored for the extension. Other versions of it may have written that value in another shape.
 *
 * @returns undefined if the value doesn't fit the schema.
 */
export function read<T>(schema: z.ZodMiniType<T>, value: unknown): T | undefined {
  return schema.safeParse(value).data;
}
