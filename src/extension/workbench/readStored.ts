import type * as z from 'zod/mini';

/**
 * Reads a value from the extension's storage. Other versions of the extension may have stored it in a different format.
 *
 * @returns undefined when the value doesn't match the schema.
 */
export function read<T>(schema: z.ZodMiniType<T>, value: unknown): T | undefined {
  return schema.safeParse(value).data;
}
