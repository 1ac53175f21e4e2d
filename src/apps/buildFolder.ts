import path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import type { Connections, SignedInConnection } from '../auth/connection.ts';
import { byteCount } from '../resources/downloads/byteCount.ts';
import type { Input } from '../workbench/input.ts';
import type { Notifications } from '../workbench/notifications.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../workbench/progress.ts';
import type { AppCalls } from './calls/appCalls.ts';
import { chooseTarget, confirmSecondFolder, findApp, type UploadTarget } from './folders/chooseApp.ts';
import { chooseProject } from './folders/chooseProject.ts';
import { confirmSize } from './folders/confirmSize.ts';
import type { FolderApps } from './folders/folderApps.ts';
import { otherFolders } from './folders/otherFolders.ts';
import { isGone, uploadFailure } from './folders/folderErrors.ts';
import { saveFiles } from './folders/unsavedFiles.ts';
import type { App } from './model/app.ts';
import { startedBuilds } from './model/startedBuilds.ts';
import { packFiles, type PackageFile } from './packing/packageFile.ts';
import { describePlan } from './packing/planText.ts';
import { planPackage, type PackagePlan } from './packing/packagePlan.ts';
import { findWebProjects, type WebProject } from './packing/webProject.ts';
import type { BuildWatcher } from './watching/buildWatcher.ts';

/** A build of a folder that was asked for. */
export interface StartedBuild {
  readonly app: App;
  /** The platforms that are being built. */
  readonly platforms: readonly string[];
  /** True when the folder had no app before. */
  readonly isFirst: boolean;
}

/** Bytes of the whole that are done. */
export interface Bytes {
  readonly done: number;
  readonly total: number;
}

export interface BuildFolderOptions {
  /** Title or link of an app, in place of the one that the folder is linked to. */
  readonly app?: string | undefined;
  /** Path of the web project below the folder, where it holds several. */
  readonly project?: string | undefined;
  /** Those that the app has, or the service proposes, when absent. */
  readonly platforms?: readonly string[] | undefined;
  readonly signal?: AbortSignal;
  /** What is going on, for a terminal. Without it, a notification shows it. */
  readonly report?: (text: string, bytes?: Bytes) => void;
}

/**
 * From a folder to a build that is watched: finds the project, asks what is not known, packs, uploads, builds. For a folder
 * that is being sent already, joins that.
 *
 * @throws BuildServiceError; CancelledError when the person closes a question or cancels
 */
export type BuildFolder = (folder: vscode.WorkspaceFolder, options?: BuildFolderOptions) => Promise<StartedBuild>;

export interface BuildFolderDependencies {
  readonly connections: Connections;
  /** Has a person choose a service, where there is none, and sign in. What fails is shown there. */
  readonly signIn: () => Promise<unknown>;
  readonly folders: FolderApps;
  readonly watcher: BuildWatcher;
  readonly input: Input;
  readonly notifications: Notifications;
  readonly callsOf: (connection: SignedInConnection) => AppCalls;
}

/** Runs a part of the work, and shows it. */
type Step = <T>(
  title: string,
  work: (signal: AbortSignal, report: (text: string, bytes?: Bytes) => void) => Promise<T>,
  delayMs?: number,
) => Promise<T>;

/** A folder that is on its way to the service. */
interface Sending {
  readonly sent: Promise<SentFolder>;
  readonly reports: Set<NonNullable<BuildFolderOptions['report']>>;
}

interface SentFolder {
  readonly calls: AppCalls;
  readonly app: App;
  /** What the service builds because of the upload. */
  readonly building: readonly string[];
  readonly isFirst: boolean;
}

/** Makes the function that builds folders. */
export function createBuildFolder(dependencies: BuildFolderDependencies): BuildFolder {
  const underWay = new Map<string, Sending>();
  return async (folder, options = {}) => {
    const key = JSON.stringify([folder.uri.toString(), options.app, options.project]);
    let sending = underWay.get(key);
    if (sending === undefined) {
      const reports = new Set(options.report === undefined ? [] : [options.report]);
      const report = (text: string, bytes?: Bytes) => reports.forEach((each) => each(text, bytes));
      const sent = send(dependencies, folder, { ...options, ...(options.report && { report }) });
      sending = { sent, reports };
      underWay.set(key, sending);
      const forget = () => underWay.delete(key);
      sent.then(forget, forget);
    } else if (options.report !== undefined) {
      sending.reports.add(options.report);
    }
    return startBuilds(dependencies.watcher, await unlessAborted(sending.sent, options.signal), options);
  };
}

/** Sends the folder to its app. */
async function send(
  dependencies: BuildFolderDependencies,
  folder: vscode.WorkspaceFolder,
  options: BuildFolderOptions,
): Promise<SentFolder> {
  const { connections, signIn, folders, input, notifications, callsOf } = dependencies;
  const step = stepsOf(options);
  const connection = await signedIn(connections, signIn);
  const calls = callsOf(connection);
  const link = folders.of(folder.uri, connection);
  const projects = await step(
    vscode.l10n.t('Looking for the web project in {0}', folder.name),
    (signal) => findWebProjects(folder.uri, signal),
    CALL_PROGRESS_DELAY_MS,
  );
  const wish = { required: options.project, remembered: link?.project };
  const project = await chooseProject(folder, projects, wish, input);
  const findTarget = async (gone: boolean): Promise<UploadTarget> => {
    const { app: named } = options;
    if (named !== undefined) {
      const title = vscode.l10n.t('Looking for the app “{0}”', named);
      return { kind: 'app', app: await step(title, (signal) => findApp(calls, named, signal), CALL_PROGRESS_DELAY_MS) };
    }
    return targetOf(dependencies, { folder, project, connection, calls, step, gone });
  };
  let target = await findTarget(false);
  await saveFiles(project.uri, input);
  const plan = await step(
    vscode.l10n.t('Reading {0}', nameOf(folder, project)),
    (signal) => planPackage(project, signal),
    CALL_PROGRESS_DELAY_MS,
  );
  await confirmSize(plan, nameOf(folder, project), input);
  tell(plan, options, notifications);
  const { host } = new URL(connection.service.url.href);
  return step(vscode.l10n.t('Sending {0} to {1}', nameOf(folder, project), host), async (signal, report) => {
    const packed = await pack(plan, signal, report);
    try {
      for (;;) {
        try {
          const app = await upload(calls, target, packed, signal, report);
          if (options.app === undefined) {
            await folders.set(folder.uri, connection, { url: app.url, title: app.title, project: project.path });
          }
          return {
            calls,
            app,
            building: startedBuilds(target.kind === 'app' ? target.app : undefined, app),
            isFirst: link === undefined && options.app === undefined,
          };
        } catch (error) {
          if (target.kind === 'create' || options.app !== undefined || !isGone(error)) {
            throw uploadFailure(error, packed.file.size);
          }
          target = await findTarget(true);
        }
      }
    } finally {
      await packed.dispose();
    }
  });
}

/** Tells what goes and what stays behind: all of it in a terminal, else what may be missed. */
function tell(plan: PackagePlan, { report }: BuildFolderOptions, notifications: Notifications): void {
  const { summary, leftOut, warnings } = describePlan(plan);
  if (report !== undefined) {
    [summary, ...leftOut, ...warnings].forEach((text) => report(text));
    return;
  }
  const hidesSecrets = plan.leftOut.some(({ reason }) => reason.kind === 'secret');
  const said = [...(hidesSecrets ? leftOut.slice(0, 1) : []), ...warnings];
  if (said.length > 0) {
    notifications.done(said.join(' '));
  }
}

interface TargetContext {
  readonly folder: vscode.WorkspaceFolder;
  readonly project: WebProject;
  readonly connection: SignedInConnection;
  readonly calls: AppCalls;
  readonly step: Step;
  /** True when the linked app was deleted in between. */
  readonly gone: boolean;
}

/** The app that a folder is linked to, else the one that the person chooses. */
async function targetOf(
  { folders, input }: BuildFolderDependencies,
  { folder, project, connection, calls, step, gone }: TargetContext,
): Promise<UploadTarget> {
  const link = folders.of(folder.uri, connection);
  const ask = vscode.l10n.t('Asking {0}', new URL(connection.service.url.href).host);
  if (link !== undefined && !gone) {
    try {
      const app = await step(ask, (signal) => calls.get(link.url, { signal }), CALL_PROGRESS_DELAY_MS);
      return { kind: 'app', app };
    } catch (error) {
      if (!isGone(error)) {
        throw error;
      }
    }
  }
  const apps = await step(ask, (signal) => calls.list({ signal }), CALL_PROGRESS_DELAY_MS);
  const others = await otherFolders(folders, folder, connection, apps);
  const linkedTo = (app: App) => others.get(app.url) ?? [];
  const name = project.name ?? path.posix.basename(project.uri.path);
  const target = await chooseTarget(
    apps,
    name,
    {
      title: vscode.l10n.t('Build This Folder'),
      placeholder:
        link === undefined
          ? vscode.l10n.t('Which app is {0} built as?', nameOf(folder, project))
          : vscode.l10n.t(
              '“{0}” is no longer at the service, or {1} does not see it. Which app is {2} built as?',
              link.title,
              connection.username,
              nameOf(folder, project),
            ),
      names: [await packageIdOf(project), name].filter((each) => each !== undefined),
      linkedTo,
    },
    input,
  );
  if (target.kind === 'app') {
    await confirmSecondFolder(target.app, linkedTo(target.app), input);
  }
  return target;
}

/** The identifier that config.xml gives, as far as it can be read: it only proposes an app. */
async function packageIdOf({ uri }: WebProject): Promise<string | undefined> {
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(uri, 'config.xml'));
    return /<widget\b[^>]*?\sid\s*=\s*(["'])(.*?)\1/s.exec(Buffer.from(bytes).toString('utf8'))?.[2];
  } catch {
    return undefined;
  }
}

function pack(plan: PackagePlan, signal: AbortSignal, report: ReportBytes): Promise<PackageFile> {
  report(vscode.l10n.t('Packing {0} files, {1}', plan.files.length, byteCount(plan.totalBytes)));
  return packFiles(plan, {
    signal,
    onProgress: (done, total) =>
      report(vscode.l10n.t('Packed {0} of {1}', byteCount(done), byteCount(total)), { done, total }),
  });
}

type ReportBytes = (text: string, bytes?: Bytes) => void;

function upload(
  calls: AppCalls,
  target: UploadTarget,
  { file }: PackageFile,
  signal: AbortSignal,
  report: ReportBytes,
): Promise<App> {
  const options = {
    signal,
    onProgress: (done: number, total: number) =>
      report(vscode.l10n.t('Uploaded {0} of {1}', byteCount(done), byteCount(total)), { done, total }),
  };
  if (target.kind === 'app') {
    report(vscode.l10n.t('Uploading {0} to “{1}”', byteCount(file.size), target.app.title));
    return calls.upload(target.app, file, options);
  }
  report(vscode.l10n.t('Creating “{0}” from {1}', target.title, byteCount(file.size)));
  return calls.createFromFile(file, { title: target.title }, options);
}

/** Asks for the platforms that the upload did not start, and watches those that were asked for. */
async function startBuilds(
  watcher: BuildWatcher,
  { calls, app: sent, building, isFirst }: SentFolder,
  { platforms: wanted, signal }: BuildFolderOptions,
): Promise<StartedBuild> {
  const missing = wanted?.filter((platform) => !building.includes(platform)) ?? [];
  const isAsked = wanted === undefined ? building.length === 0 : missing.length > 0;
  const app = isAsked ? await calls.build(sent, wanted && missing, { ...(signal && { signal }) }) : sent;
  const platforms = wanted ?? (isAsked ? startedBuilds(undefined, app) : building);
  watcher.watch(app, platforms);
  return { app, platforms, isFirst };
}

/** The signed-in account; has the person choose a service and sign in first, where that is missing. */
async function signedIn(connections: Connections, signIn: () => Promise<unknown>): Promise<SignedInConnection> {
  const before = await connections.current();
  if (before.kind === 'signedOut' || before.kind === 'unconfigured') {
    await signIn();
  }
  const connection = await connections.current();
  switch (connection.kind) {
    case 'signedIn':
      return connection;
    case 'broken':
      throw connection.error;
    case 'signedOut':
    case 'unconfigured':
      throw new CancelledError();
  }
}

/** Shows each step in a notification with Cancel, or tells the caller who asked for that. */
function stepsOf({ signal: outer, report }: BuildFolderOptions): Step {
  if (report !== undefined) {
    return (title, work) => {
      report(title);
      return work(outer ?? new AbortController().signal, report);
    };
  }
  return (title, work, delayMs) =>
    withProgress({ notification: title, ...(delayMs !== undefined && { delayMs }) }, (inner, show) => {
      let percent = 0;
      return work(outer === undefined ? inner : AbortSignal.any([outer, inner]), (text, bytes) => {
        if (bytes === undefined) {
          percent = 0;
          show(text);
          return;
        }
        const reached = Math.floor((100 * bytes.done) / Math.max(1, bytes.total));
        // A message for each piece of a large file would keep the window busy.
        if (reached > percent) {
          percent = reached;
          show(text);
        }
      });
    });
}

function nameOf(folder: vscode.WorkspaceFolder, project: WebProject): string {
  return project.path === '' ? folder.name : `${folder.name}/${project.path}`;
}

/** The promise's value, unless the signal aborts first. @throws CancelledError */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) {
    return promise;
  }
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(new CancelledError());
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    if (signal.aborted) {
      throw new CancelledError();
    }
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
    // It may go on for somebody else, and fail there.
    promise.catch(() => undefined);
  }
}
