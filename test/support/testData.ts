/** Handmade test data: the JSON of apps and keys, the values read from it, and files to upload. */
import { readResource, type ReadInput } from '../../src/service-client/hypermedia/readResource.ts';
import type { Resource } from '../../src/service-client/hypermedia/resource.ts';
import { AppCalls } from '../../src/extension/apps/calls/appCalls.ts';
import { readApp, type App } from '../../src/extension/apps/model/app.ts';
import { readSigningKey, type SigningKey } from '../../src/extension/apps/model/signingKey.ts';
import type { UploadFile } from '../../src/extension/resources/requests/multipart.ts';
import { createClient } from './servers.ts';

export const APP_URL = 'https://build.example/api/v1/apps/7';

/** Reads a value as the response to a request for {@link APP_URL}. */
export function createResource(value: unknown, input: Partial<Omit<ReadInput, 'value' | 'text'>> = {}): Resource {
  const text = JSON.stringify(value);
  return readResource({ value, text, url: APP_URL, headers: {}, mediaType: 'application/json', ...input });
}

/** Returns an app without builds as the service sends it. */
export function appJson(members: object = {}): object {
  return { ...{ id: 7, title: 'Notes', link: new URL(APP_URL).pathname, status: {}, error: {} }, ...members };
}

/** Returns a key as the service sends it. */
export function keyJson(platform: string, id: number, members: object = {}): object {
  return { ...{ id, title: `Key ${id}`, default: false, link: `/api/v1/keys/${platform}/${id}` }, ...members };
}

export function createApp(members: object = {}): App {
  return readApp(createResource(appJson(members)), APP_URL);
}

/** Returns an iOS key about which nothing else is known. */
export function signingKey(known: Partial<SigningKey> = {}): SigningKey {
  return { ...readSigningKey(createResource(keyJson('ios', 1)), APP_URL), ...known };
}

/** Returns the API calls of a user who is signed in with an authentication token. */
export function appCallsAt(url: string, authToken: string): AppCalls {
  return new AppCalls(createClient({ url }, { credentials: { type: 'authToken', authToken } }));
}

/** Returns a file in memory that arrives in chunks, like a file on disk. */
export function memoryFile(name: string, content: string | Uint8Array): UploadFile {
  const bytes = Buffer.from(content);
  return { name, size: bytes.length, bytes: () => pieces(bytes) };
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 65_536) {
    yield await Promise.resolve(bytes.subarray(start, start + 65_536));
  }
}
