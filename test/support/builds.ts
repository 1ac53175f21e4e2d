/** Uploads, builds, and downloads, as a client of the local service does. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';

import type { Builder } from '../../src/build-service/builds/builder.ts';
import { createZip } from './appPackages.ts';
import type { Fetch } from './inProcessFetch.ts';
import { waitUntil } from './waitUntil.ts';

interface BuildService {
  readonly baseUrl: string;
  readonly authToken: string;
  readonly fetch?: Fetch | undefined;
}

/** State of an app's builds for clients. */
export interface BuildsState {
  readonly status: Readonly<Record<string, string | null>>;
  readonly error: Readonly<Record<string, string>>;
  readonly completed: boolean;
}

/** Returns a builder for all platforms without a reason in `unavailable`. */
export function createBuilder(
  build: Builder['build'],
  unavailable: Partial<Awaited<ReturnType<Builder['platforms']>>> = {},
): Builder {
  const platforms = { android: undefined, ios: undefined, winphone: undefined, browser: undefined, ...unavailable };
  return { name: 'test', platforms: () => Promise.resolve(platforms), build };
}

/** Fingerprints that {@link withBundle} reports. */
export const FINGERPRINTS = { sha1: Array(20).fill('5A').join(':'), sha256: Array(32).fill('25').join(':') };

/** Returns a builder that seems to sign with a key: it adds a bundle and fingerprints to the results of `builder`. */
export function withBundle(builder: Builder): Builder {
  return {
    ...builder,
    build: async (job, log, signal) => {
      const result = await builder.build(job, log, signal);
      if (job.platform !== 'android') {
        return result;
      }
      const bundle = { path: path.join(job.workFolder, 'bundle'), fileName: `${job.app.title}.aab` };
      await writeFile(bundle.path, `Bundle of ${job.app.title}`);
      return { ...result, signedWith: 'signing key', fingerprints: FINGERPRINTS, bundle };
    },
  };
}

/** A build that runs until it's canceled. */
export const untilAborted: Builder['build'] = async (_job, _log, signal) => {
  await once(signal, 'abort');
  throw new Error('aborted');
};

/** The smallest app that can be built. */
export const PAGE = { 'index.html': '<!doctype html><title>Page</title>' };

/** Returns the files of a zip archive by path. @throws Error if the archive is incomplete */
export async function unzip(bytes: Buffer): Promise<Readonly<Record<string, string>>> {
  const zip = await yauzl.fromBufferPromise(bytes);
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry));
    if (crc32(content) !== entry.crc32) {
      throw new Error(`${entry.fileName} is damaged`);
    }
    files[entry.fileName] = content.toString();
  }
  return files;
}

/** Uploads files as a new or existing app. @returns the app's ID */
export async function upload(
  service: BuildService,
  files: Readonly<Record<string, string | Buffer>>,
  { id, ...fields }: { readonly id?: number } & Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const form = new FormData();
  form.set('data', JSON.stringify({ title: 'Tested App', create_method: 'file', ...fields }));
  form.set('file', new Blob([await createZip(files)], { type: 'application/zip' }), 'app.zip');
  const [method, path] = id === undefined ? ['POST', '/apps'] : ['PUT', `/apps/${id}`];
  const answer = (await ask(service, path, { method, body: form })) as { readonly id?: number };
  if (answer.id === undefined) {
    throw new Error(`The upload failed: ${JSON.stringify(answer)}`);
  }
  return answer.id;
}

/** Returns the state of an app's builds. */
export async function fetchBuilds(service: BuildService, id: number): Promise<BuildsState> {
  return (await ask(service, `/apps/${id}/status`)) as BuildsState;
}

/** Waits until all builds of an app have ended and returns their state. */
export function waitForBuilds(service: BuildService, id: number): Promise<BuildsState> {
  return waitUntil(async () => {
    const state = await fetchBuilds(service, id);
    return state.completed && state;
  });
}

/**
 * Waits until all builds of the demo user's apps have ended and returns the apps. Some demo builds are unfinished at
 * first.
 */
export async function appsAtRest(
  service: BuildService,
): Promise<readonly { readonly id: number; readonly title: string }[]> {
  const { apps } = (await ask(service, '/apps')) as { readonly apps: readonly { id: number; title: string }[] };
  await Promise.all(apps.map(({ id }) => waitForBuilds(service, id)));
  return apps;
}

/** Returns a build log. */
export async function fetchLog(service: BuildService, id: number, platform: string): Promise<string> {
  const { log } = (await ask(service, `/apps/${id}/logs/${platform}/build`)) as { readonly log: string };
  return log;
}

/**
 * Returns the name and content of an artifact. @param platform platform or path relative to the app's address @throws Error if the download
 * fails
 */
export async function download(
  service: BuildService,
  id: number,
  platform: string,
): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const redirect = await send(service, `/apps/${id}/${platform}`, { redirect: 'manual' });
  const location = redirect.headers.get('location');
  const response = location === null ? redirect : await (service.fetch ?? fetch)(new URL(location));
  if (!response.ok) {
    throw new Error(`The download failed: ${response.status} ${await response.text()}`);
  }
  const name = /filename="?([^";]*)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '';
  return { name, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Sends an API request with the demo user's token. @returns the response's JSON, whatever its status */
export async function ask(service: BuildService, path: string, init?: RequestInit): Promise<unknown> {
  return (await send(service, path, init)).json();
}

function send(
  { baseUrl, authToken, fetch: ownFetch = fetch }: BuildService,
  path: string,
  init?: RequestInit,
): Promise<Response> {
  const url = new URL(`${baseUrl}/api/v1${path}`);
  url.searchParams.set('auth_token', authToken);
  return ownFetch(url, init);
}
