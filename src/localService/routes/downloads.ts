/**
 * The binaries that downloads redirect to. Their paths are signed and short-lived, so that no credentials are needed: a
 * client drops them when it follows a redirect to another origin, as a service with its own storage makes it. Such a path
 * is a capability, and never written to a log.
 */
import type { Context, Hono } from 'hono';

import { artifactName, EXTENSIONS } from '../builds/builder.ts';
import { notFound } from '../http/errors.ts';
import { answerBytes, answerFile } from '../http/fileAnswer.ts';
import { DOWNLOAD_LIFETIME_MS } from '../limits.ts';
import type { Service } from '../service.ts';
import { findApp } from '../store/apps.ts';
import { findBuild } from '../store/builds.ts';
import { DEMO_ICON, demoPackage } from '../store/demoData.ts';
import { PLATFORMS, type App } from '../store/model.ts';
import { secretsEqual } from '../store/secrets.ts';
import type { Store } from '../store/store.ts';

/** The downloads of an app: its builds by platform, its icon, and its package. */
const DOWNLOADS = [...PLATFORMS, 'icon', 'package'] as const;
export type Download = (typeof DOWNLOADS)[number];

interface DownloadFile {
  /** The name under which it is downloaded. */
  readonly name: string;
  /** Counts the builds; 0 for what is no build. */
  readonly buildNumber: number;
  /** In a message: `icon`. */
  readonly what: string;
  /** Name in `DataFiles`, or the content of something in the demo data. */
  readonly content: { readonly file: string; readonly size: number | undefined } | Buffer<ArrayBuffer>;
}

/**
 * The path from which something of an app can be fetched for five minutes. That of a build is for this very build: after the
 * next one it leads to nothing.
 */
export function createDownloadPath(store: Store, app: App, download: Download): string {
  const file = findDownload(store, app, download);
  const expiresAt = store.now() + DOWNLOAD_LIFETIME_MS;
  const version = file?.buildNumber ?? 0;
  const signature = signDownload(store, app.id, download, version, expiresAt);
  const name = file?.name ?? fileNameOfApp(app);
  return `/downloads/${app.id}/${download}/${version}/${expiresAt}/${signature}/${encodeURIComponent(name)}`;
}

/** Adds the download paths. */
export function addDownloadRoutes(app: Hono, service: Service): void {
  const { store } = service;
  app.get('/downloads/:id/:download/:version/:expiresAt/:signature/:file', (c) => {
    const { id, download: wanted, version, expiresAt, signature } = c.req.param();
    const found = findApp(store, id);
    const download = DOWNLOADS.find((each) => each === wanted);
    if (
      found === undefined ||
      download === undefined ||
      !secretsEqual(signature, signDownload(store, found.id, download, Number(version), Number(expiresAt))) ||
      Number(expiresAt) < store.now()
    ) {
      throw notFound('This download has expired. Ask the API for it again.');
    }
    return sendDownload(c, service, found, { download, buildNumber: Number(version) });
  });
}

/**
 * Answers with a file of an app.
 *
 * @param buildNumber the build that is meant; 0 for what is no build
 * @throws HttpError 404 when the build is not the latest one any more, or its file is gone
 */
async function sendDownload(
  c: Context,
  { store, files, report }: Service,
  app: App,
  { download, buildNumber }: { readonly download: Download; readonly buildNumber: number },
): Promise<Response> {
  const file = findDownload(store, app, download);
  if (file?.buildNumber !== buildNumber) {
    throw notFound('This link is for an earlier build. Ask for the download again.');
  }
  const { name, content } = file;
  if (Buffer.isBuffer(content)) {
    return answerBytes(c, content, name);
  }
  const answer = await answerFile(c, { ...content, path: files.pathOf(content.file), name });
  if (answer === undefined) {
    report(`The file of the ${file.what} of app ${app.id} is missing or damaged.`);
    throw notFound(`The file of the ${file.what} is missing on the service. Build the app again.`);
  }
  return answer;
}

function signDownload(store: Store, appId: number, download: Download, version: number, expiresAt: number): string {
  return store.sign('download', `${appId} ${download} ${version} ${expiresAt}`);
}

function findDownload(store: Store, app: App, download: Download): DownloadFile | undefined {
  if (download === 'icon') {
    return iconOf(app);
  }
  if (download === 'package') {
    return packageOf(app);
  }
  const build = findBuild(store, app.id, download);
  if (build?.status !== 'complete') {
    return undefined;
  }
  const { artifact, number: buildNumber } = build;
  const what = `${download} build`;
  return artifact === null
    ? { buildNumber, what, name: `${fileNameOfApp(app)}.${EXTENSIONS[download]}`, content: demoPackage(app, download) }
    : { buildNumber, what, name: artifact.name, content: { file: artifact.file, size: artifact.size } };
}

function iconOf(app: App): DownloadFile | undefined {
  const content = app.iconFile === null ? DEMO_ICON : { file: app.iconFile, size: undefined };
  return app.icon === null ? undefined : { buildNumber: 0, what: 'icon', name: `${fileNameOfApp(app)}.png`, content };
}

function packageOf(app: App): DownloadFile | undefined {
  const { upload } = app;
  return upload === null
    ? undefined
    : { buildNumber: 0, what: 'package', name: `${fileNameOfApp(app)}.${upload.type}`, content: upload };
}

function fileNameOfApp({ title }: App): string {
  return artifactName(title, '');
}

/** The redirect to a binary, with the target in the body too: some clients read only that. */
export function redirectToDownload(c: Context, path: string): Response {
  const location = absoluteUrl(c, path);
  return Response.json({ location }, { status: 302, headers: { Location: location } });
}

/** A path of this service as an address, by the origin that the client asked. */
export function absoluteUrl(c: Context, path: string): string {
  return new URL(path, c.req.url).href;
}
