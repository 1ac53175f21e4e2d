/**
 * Serves the files that downloads redirect to. Their paths are signed and short-lived. They don't require credentials,
 * because a service may redirect to another origin for storage, and clients don't send credentials there. Anyone who
 * knows such a path can download the file, so the paths are never logged.
 */
import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';

import { create as contentDisposition } from 'content-disposition';
import type { Context, Hono } from 'hono';

import { EXTENSIONS } from '../builds/builder.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { DOWNLOAD_LIFETIME_MS, MAX_NAME_LENGTH } from '../limits.ts';
import type { Service } from '../service.ts';
import { findApp } from '../store/apps.ts';
import { findBuild } from '../store/builds.ts';
import { DEMO_ICON, demoPackage } from '../store/demoData.ts';
import type { App } from '../store/model.ts';
import { secretsEqual } from '../store/secrets.ts';
import type { Store } from '../store/store.ts';
import { getValidators, isSameFile, readRange } from './byteRange.ts';
import { artifactName, PLATFORMS } from '../../android-package/index.ts';

/** Downloads of an app: its build for each platform, its Android app bundle, its icon, and its package. */
const DOWNLOADS = [...PLATFORMS, 'bundle', 'icon', 'package'] as const;
type DownloadPath = (typeof DOWNLOADS)[number];

interface DownloadFile {
  /** File name of the download. */
  readonly name: string;
  /** Number of the build, or 0 for other downloads. */
  readonly version: number;
  /** Name in `DataFiles`, with the size in bytes if it's known. For a demo file, its content. */
  readonly content: { readonly file: string; readonly size?: number } | Buffer<ArrayBuffer>;
}

/** Media types, keyed by file extension. Other files are sent as binary data that browsers don't interpret. */
const TYPES: Readonly<Partial<Record<string, string>>> = {
  '.apk': 'application/vnd.android.package-archive',
  '.xap': 'application/x-silverlight-app',
  '.zip': 'application/zip',
  '.png': 'image/png',
};

/**
 * Creates a path from which one of an app's files can be downloaded for five minutes. A build's path becomes invalid
 * with the next build.
 */
export function createDownloadPath(store: Store, app: App, download: DownloadPath): string {
  const { name, version } = findDownload(store, app, download) ?? { name: artifactName(app.title, ''), version: 0 };
  const expiresAt = store.now() + DOWNLOAD_LIFETIME_MS;
  const what = `${app.id}/${download}/${version}/${expiresAt}`;
  return `/downloads/${what}/${store.sign('download', what)}/${encodeURIComponent(name)}`;
}

/** Adds the download paths. */
export function addDownloadRoutes(app: Hono, { store, files, report }: Service): void {
  app.get('/downloads/:id/:download/:version/:expiresAt/:signature/:file', async (c) => {
    const { id, download: requested, version, expiresAt, signature } = c.req.param();
    const found = findApp(store, id);
    const download = DOWNLOADS.find((each) => each === requested);
    const signed = store.sign('download', `${id}/${requested}/${version}/${expiresAt}`);
    if (
      found === undefined ||
      download === undefined ||
      !secretsEqual(signature, signed) ||
      Number(expiresAt) < store.now()
    ) {
      throw notFound('This download has expired. Ask the API for it again.');
    }
    const file = findDownload(store, found, download);
    if (file === undefined || String(file.version) !== version) {
      throw notFound('This link is for an earlier build. Ask for the download again.');
    }
    const { name, content } = file;
    if (Buffer.isBuffer(content)) {
      return c.body(content, 200, getDownloadHeaders(name));
    }
    const answer = await answerFile(c, files.getPath(content.file), name, content.size);
    if (answer === undefined) {
      const what = PLATFORMS.some((platform) => platform === download) ? `${download} build` : download;
      report(`The file of the ${what} of app ${id} is missing or damaged.`);
      throw notFound(`The service doesn’t have the file of the ${what} anymore. Build the app again.`);
    }
    return answer;
  });
}

function findDownload(store: Store, app: App, download: DownloadPath): DownloadFile | undefined {
  const { icon, iconFile, upload, title } = app;
  const name = artifactName(title, '');
  if (download === 'icon') {
    const content = iconFile === null ? DEMO_ICON : { file: iconFile };
    return icon === null ? undefined : { version: 0, name: `${name}.png`, content };
  }
  if (download === 'package') {
    return upload === null ? undefined : { version: 0, name: `${name}.${upload.type}`, content: upload };
  }
  const build = findBuild(store, app.id, download === 'bundle' ? 'android' : download);
  if (build?.status !== 'complete') {
    return undefined;
  }
  const { artifact, number: version } = build;
  if (download === 'bundle') {
    return artifact?.bundle ? { version, name: artifact.bundle.name, content: artifact.bundle } : undefined;
  }
  return artifact === null
    ? { version, name: `${name}.${EXTENSIONS[download]}`, content: demoPackage(app, download) }
    : { version, name: artifact.name, content: artifact };
}

/**
 * Responds with a file on disk as an attachment, or with the requested part of it.
 *
 * @param size expected size in bytes, or `undefined` to accept any size
 * @returns `undefined` if the file is missing or has another size
 * @throws HttpError if the file doesn't have the requested part
 */
async function answerFile(
  c: Context,
  path: string,
  name: string,
  size: number | undefined,
): Promise<Response | undefined> {
  const handle = await open(path).catch(() => undefined);
  const stats = await handle?.stat();
  if (handle === undefined || stats === undefined || (size !== undefined && size !== stats.size)) {
    await handle?.close();
    return undefined;
  }
  const validators = getValidators(stats);
  const headers = { ...getDownloadHeaders(name), ...validators, 'Accept-Ranges': 'bytes' };
  const isPart = c.req.method === 'GET' && isSameFile(c.req.header('If-Range'), validators);
  const range = isPart ? readRange(c.req.header('Range'), stats.size) : undefined;
  const whole = { ...headers, 'Content-Length': String(stats.size) };
  if (range === 'none' || c.req.method === 'HEAD') {
    await handle.close();
    if (range === 'none') {
      throw new HttpError(416, 'The file doesn’t have this part.', { 'Content-Range': `bytes */${stats.size}` });
    }
    return new Response(null, { headers: whole });
  }
  // The stream closes the file at the end, or when the client disconnects.
  const body = Readable.toWeb(handle.createReadStream(range)) as ReadableStream;
  if (range === undefined) {
    return new Response(body, { headers: whole });
  }
  const { start, end } = range;
  const part = { 'Content-Length': String(end - start + 1), 'Content-Range': `bytes ${start}-${end}/${stats.size}` };
  return new Response(body, { status: 206, headers: { ...headers, ...part } });
}

/**
 * Returns the headers of an attachment. In its name, replaces slashes, invisible characters, and characters that change
 * the direction of text.
 */
function getDownloadHeaders(name: string): Record<string, string> {
  // Shorten the name before replacing invisible characters, so that half of a split character is also replaced.
  const safeName = name
    .slice(-MAX_NAME_LENGTH)
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\\/]+/gu, '-');
  return {
    'Content-Type': TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream',
    'Content-Disposition': contentDisposition(safeName),
  };
}

/** Redirects to a file. The body also contains the target, because some clients read only the body. */
export function redirectToDownload(c: Context, path: string): Response {
  const location = toAbsoluteUrl(c, path);
  return Response.json({ location }, { status: 302, headers: { Location: location } });
}

/** Returns the absolute URL of a path, with the origin of the client's request. */
export function toAbsoluteUrl(c: Context, path: string): string {
  return new URL(path, c.req.url).href;
}
