import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';

import {
  type BuildServiceClient,
  type Download,
  packageFileName,
  safeFileName,
} from '../../../service-client/index.ts';
import { sizeText } from '../../workbench/texts.ts';
import { uriExists } from '../../workbench/exists.ts';
import type { Input } from '../../workbench/input.ts';
import { CALL_PROGRESS_DELAY_MS } from '../../workbench/limits.ts';
import { withCallProgress, withProgress } from '../../workbench/progress.ts';
import { writeToDisk } from './diskFile.ts';
import { MAX_DIALOG_MS, MAX_IN_MEMORY_BYTES } from '../limits.ts';
import { fileFailure, tooLargeForMemory } from './fileError.ts';

/** File to download. */
export interface DownloadSource {
  readonly client: BuildServiceClient;
  /** Absolute URL, or path relative to the service's address. */
  readonly url: string;
  /** File name to use if neither the response nor its URL provides one. Untrusted. */
  readonly name?: string;
}

interface StartedDownload {
  readonly download: Download;
  readonly controller: AbortController;
}

/**
 * Downloads the target of a link. Asks where to save it, shows progress, and can be canceled at any time. Asks only
 * after receiving the response headers, because they may propose a file name.
 *
 * @returns the file, or undefined when the user cancels a question.
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
    // If the file exists, the dialog has already asked whether to replace it.
    const hasAsked = await uriExists(target);
    const confirm = async () =>
      hasAsked || confirmReplace(input, name, vscode.l10n.t('It was created during the download.'));
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
    // Aborting has no effect on a complete download.
    started.controller.abort();
  }
}

function confirmReplace(input: Pick<Input, 'confirm'>, name: string, detail: string): Promise<boolean> {
  return input.confirm(vscode.l10n.t('{0} already exists. Replace it?', name), detail, vscode.l10n.t('Replace'));
}

interface FolderDownload {
  readonly input: Pick<Input, 'confirm'>;
  /**
   * Lowercase names of the files saved in this folder so far. The new name must differ from these and is added to them.
   */
  readonly taken: Set<string>;
  readonly signal: AbortSignal;
  readonly report: (text: string) => void;
}

/**
 * Downloads a package into a folder, under the name that {@link packageFileName} derives from the source's name. An
 * existing file is replaced only if the user agrees.
 *
 * @returns the file, or undefined when the user keeps the existing one.
 */
export async function saveInFolder(
  source: DownloadSource & { readonly name: string },
  folder: vscode.Uri,
  { input, taken, signal, report }: FolderDownload,
): Promise<vscode.Uri | undefined> {
  const started = await start(source, signal);
  // The user isn't asked for the name, and tools may run files from this folder.
  const name = freeName(packageFileName(source.name, suggestedName(started.download, source)), taken);
  taken.add(name.toLowerCase());
  const target = vscode.Uri.joinPath(folder, name);
  const confirm = () => confirmReplace(input, name, vscode.l10n.t('It’s in the folder that you chose.'));
  try {
    return await writeTo(target, started, confirm, report);
  } finally {
    started.controller.abort();
  }
}

/** Returns an unused name, such as `shop (2).apk` if `shop.apk` is taken. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const { name: stem, ext } = path.posix.parse(name);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${stem} (${number})${ext}`;
    if (!taken.has(candidate.toLowerCase())) {
      return candidate;
    }
  }
}

/** Returns the file name to suggest. Prefers a URL that ends with a file name, then the extension's own name, then any other URL. */
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
  const title = vscode.l10n.t('Requesting {0}', new URL(source.client.resolve(source.url)).pathname);
  return withCallProgress(title, (signal) => start(source, signal));
}

/**
 * Writes a download to a file.
 *
 * @param report called for each chunk. VS Code combines the reports within 0.1 s.
 * @returns the file, or undefined when the user kept the existing one.
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

/**
 * Returns the folder where users expect downloads. Never returns the folder that is built, because the next package would contain the
 * download.
 */
export async function defaultFolder(): Promise<vscode.Uri> {
  const downloads = vscode.Uri.file(path.join(homedir(), 'Downloads'));
  return (await uriExists(downloads)) ? downloads : vscode.Uri.file(homedir());
}

/**
 * Writes a stream to a file in a remote or virtual workspace. `vscode.workspace.fs` writes only complete files, so the
 * stream is collected in memory and written to a temporary file in the same folder, which is then renamed.
 *
 * @returns false when the user kept the existing file.
 * @throws the error of the stream or file system, or {@link tooLargeForMemory}; see `fileFailure`.
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
    // After a successful rename, the file no longer exists.
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
