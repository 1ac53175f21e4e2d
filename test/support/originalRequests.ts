/** Requests as the original took them: values in `data` as JSON, in `data[x]`, or flat; files beside them. */
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface OriginalRequest {
  readonly values: Readonly<Record<string, unknown>>;
  readonly files: readonly { readonly field: string; readonly fileName: string; readonly bytes: Buffer }[];
}

/** Reads the body of a request. Rejects when it is cut off. */
export async function readRequest(request: IncomingMessage): Promise<OriginalRequest> {
  const body = await buffer(request);
  const type = request.headers['content-type'];
  const entries =
    type === undefined ? [] : [...(await new Response(body, { headers: { 'content-type': type } }).formData())];
  const values = entries.flatMap(([name, value]) => (typeof value === 'string' ? valuesOf(name, value) : []));
  const files = entries.flatMap(([field, file]) => (typeof file === 'string' ? [] : [{ field, file }]));
  return {
    values: Object.fromEntries(values),
    files: await Promise.all(
      files.map(async ({ field, file }) => ({
        field,
        fileName: file.name,
        bytes: Buffer.from(await file.arrayBuffer()),
      })),
    ),
  };
}

function valuesOf(name: string, value: string): readonly (readonly [string, unknown])[] {
  const inner = /^data\[(.+)\]$/.exec(name)?.[1];
  return name === 'data' ? Object.entries(JSON.parse(value) as object) : [[inner ?? name, value]];
}
