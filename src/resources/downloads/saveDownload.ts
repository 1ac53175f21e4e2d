import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';

import type { BuildServiceClient, Download } from '../../api/client.ts';
import { sizeText } from '../../workbench/texts.ts';
import { exists } from '../../workbench/exists.ts';
import type { Input } from '../../workbench/input.ts';
import { CALL_PROGRESS_DELAY_MS } from '../../workbench/limits.ts';
import { withCallProgress, withProgress } from '../../workbench/progress.ts';
import { writeToDisk } from './diskFile.ts';
import { MAX_DIALOG_MS, MAX_IN_MEMORY_BYTES } from '../limits.ts';
import { fileFailure, tooLargeForMemory } from './fileError.ts';
import { packageFileName, safeFileName } from './fileName.ts';

export interface DownloadSource {
  readonly client: BuildServiceClient;
  /** Absolute, or a path below the service's address. */
  readonly url: string;
  /** What the file is called when neither the answer nor its address names a file. Untrusted. */
  readonly name?: string;
}

interface StartedDownload {
  readonly download: Download;
  readonly controller: AbortController;
}

/**
 * Downloads what a link leads to: asks where to save it, shows progress, and can be cancelled at any time. The response's
 * headers are awaited before the question, because they may propose a file name.
 *
 * @returns the file; undefined when the person cancelled a question.
 */
export async function saveDownload(source: DownloadSource, input: Input): Promise<vscode.Uri | undefined> {
  let started = await startWithProgress(source);
  try {
    const suggestion = vscode.Uri.joinPath(await defaultFolder(), suggestedName(started.download, source));
    const dialogOpened = performance.now();
    const target = await input.saveFile(suggestion, vscode.l10n.t('Download'));
    if (target === undefined) {
      return undefined;
    }
    if (performance.now() - dialogOpened > MAX_DIALOG_MS) {
      started.controller.abort();
      started = await startWithProgress(source);
    }
    const name = path.posix.basename(target.path);
    // For an existing file, the dialog has asked.
    const hasAsked = await exists(target);
    const confirm = async () =>
      hasAsked || confirmReplace(input, name, vscode.l10n.t('It was created while the download was under way.'));
    const notification = vscode.l10n.t('Downloading {0}', name);
    return await withProgress({ notification, delayMs: CALL_PROGRESS_DELAY_MS }, (signal, report) => {
      signal.addEventListener('abort', () => started.controller.abort(), { once: true });
      let reported = 0;
      return writeTo(target, started, confirm, (text, percent) => {
        report(text, { increment: percent - reported });
        reported = percent;
      });
    });
  } finally {
    // Without effect on a download that is complete.
    started.controller.abort();
  }
}

function confirmReplace(input: Pick<Input, 'confirm'>, name: string, detail: string): Promise<boolean> {
  return input.confirm(vscode.l10n.t('{0} exists already. Replace it?', name), detail, vscode.l10n.t('Replace'));
}

interface FolderDownload {
  readonly input: Pick<Input, 'confirm'>;
  /** Names of the files that were saved there before, in lower case: the name of this one is another. It is added. */
  readonly taken: Set<string>;
  readonly signal: AbortSignal;
  readonly report: (text: string) => void;
}

/**
 * Downloads the package that a link leads to into a folder, under the name that {@link packageFileName} makes of the source's. A
 * file that is there already is replaced only when the person agrees.
 *
 * @returns the file; undefined when the person keeps the one that is there.
 */
export async function saveInFolder(
  source: DownloadSource & { readonly name: string },
  folder: vscode.Uri,
  { input, taken, signal, report }: FolderDownload,
): Promise<vscode.Uri | undefined> {
  const started = await start(source, signal);
  // Nobody is asked about it, and the folder may be one whose files tools run.
  const name = freeName(packageFileName(source.name, suggestedName(started.download, source)), taken);
  taken.add(name.toLowerCase());
  const target = vscode.Uri.joinPath(folder, name);
  const confirm = () => confirmReplace(input, name, vscode.l10n.t('It is in the folder that you have chosen.'));
  try {
    return await writeTo(target, started, confirm, report);
  } finally {
    started.controller.abort();
  }
}

/** `shop (2).apk`, where there is a `shop.apk`. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const { name: stem, ext } = path.posix.parse(name);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${stem} (${number})${ext}`;
    if (!taken.has(candidate.toLowerCase())) {
      return candidate;
    }
  }
}

/** An address that ends like a file's name is better than a name of ours, and that better than any other address. */
function suggestedName(download: Download, { url, name }: DownloadSource): string {
  const namesFile = /\.[a-z0-9]{1,8}$/i.test(URL.parse(download.url)?.pathname ?? '');
  return safeFileName(download.suggestedName, namesFile ? undefined : name, download.url, url);
}

async function start({ client, url }: DownloadSource, signal: AbortSignal): Promise<StartedDownload> {
  const controller = new AbortController();
  const eitherSignal = AbortSignal.any([signal, controller.signal]);
  return { download: await client.download(url, { signal: eitherSignal }), controller };
}

function startWithProgress(source: DownloadSource): Promise<StartedDownload> {
  const title = vscode.l10n.t('Asking for {0}', new URL(source.client.resolve(source.url)).pathname);
  return withCallProgress(title, (signal) => start(source, signal));
}

/**
 * Writes a download to a file.
 *
 * @param report gets each piece: VS Code shows a tenth of a second of them at once.
 * @returns the file; undefined when the user kept the existing one.
 */
async function writeTo(
  target: vscode.Uri,
  { download: { body, totalBytes } }: StartedDownload,
  confirm: () => Promise<boolean>,
  report: (text: string, percent: number) => void,
): Promise<vscode.Uri | undefined> {
  async function* reported(): AsyncGenerator<Uint8Array> {
    let received = 0;
    for await (const piece of body) {
      received += piece.length;
      report(progressText(received, totalBytes), totalBytes ? Math.floor((received / totalBytes) * 100) : 0);
      yield piece;
    }
  }
  try {
    const isWritten = await (target.scheme === 'file'
      ? writeToDisk(reported(), target.fsPath, confirm)
      : writeToWorkspace(reported(), target, confirm));
    return isWritten ? target : undefined;
  } catch (error) {
    throw fileFailure(error, path.posix.basename(target.path));
  }
}

function progressText(received: number, total: number | undefined): string {
  return total === undefined || total === 0
    ? sizeText(received)
    : vscode.l10n.t('{0} of {1} ({2}%)', sizeText(received), sizeText(total), Math.floor((received / total) * 100));
}

/** The folder where users expect downloads. Never the folder that is built, because the next package would contain this one. */
export async function defaultFolder(): Promise<vscode.Uri> {
  const downloads = vscode.Uri.file(path.join(homedir(), 'Downloads'));
  return (await exists(downloads)) ? downloads : vscode.Uri.file(homedir());
}

/**
 * Writes a stream to a file of a remote or virtual workspace. `vscode.workspace.fs` takes a file as a whole: the stream is
 * collected in memory, then written to a file beside it, which is renamed when it is complete.
 *
 * @returns false when the person kept the file that was there.
 * @throws what the stream or the file system throws, or {@link tooLargeForMemory}: see `fileFailure`.
 */
async function writeToWorkspace(
  body: AsyncIterable<Uint8Array>,
  target: vscode.Uri,
  confirm: () => Promise<boolean>,
): Promise<boolean> {
  const bytes = await collect(body);
  const name = path.posix.basename(target.path);
  const partial = vscode.Uri.joinPath(target, '..', `.${name}.${randomUUID().slice(0, 8)}.part`);
  const { fs } = vscode.workspace;
  try {
    await fs.writeFile(partial, bytes);
    try {
      await fs.rename(partial, target, { overwrite: false });
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError && error.code === 'FileExists')) {
        throw error;
      }
      if (!(await confirm())) {
        return false;
      }
      await fs.rename(partial, target, { overwrite: true });
    }
    return true;
  } finally {
    // After a successful rename there is nothing to delete.
    await Promise.resolve(fs.delete(partial)).catch(() => undefined);
  }
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > MAX_IN_MEMORY_BYTES) {
      throw tooLargeForMemory();
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
