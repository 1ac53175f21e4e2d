/** API operations in the form that the original service's CLI sends: fields as JSON in `data`, along with files. */
import type { OpenedService } from './inProcessService.ts';
import { readAnswer, type Answer } from './serviceRequests.ts';

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, UploadedFile>>;
}

export interface UploadedFile {
  readonly name: string;
  readonly content: Buffer;
}

/** Performs an operation as the demo user, or as the user with this token. */
export async function perform(
  service: OpenedService,
  { method, path, fields, files = {} }: Operation,
  token = service.authToken,
): Promise<Answer> {
  const body = new FormData();
  if (fields !== undefined) {
    body.set('data', JSON.stringify(fields));
  }
  for (const [field, { name, content }] of Object.entries(files)) {
    body.set(field, new File([new Uint8Array(content)], name));
  }
  const response = await service.fetch(new URL(path, service.baseUrl), {
    method,
    headers: { Authorization: `token ${token}` },
    body: [...body].length === 0 ? null : body,
  });
  return readAnswer(response);
}
