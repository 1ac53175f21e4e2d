import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';

import type { BuildServiceClient, Download } from '../../api/client.ts';
import type { Input } from '../../workbench/input.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../../workbench/progress.ts';
import { fileFailure } from './fileError.ts';
import { writeToDisk } from './diskFile.ts';
import { safeFileName } from './fileName.ts';
import { writeToWorkspace } from './workspaceFile.ts';
import { sizeText } from '../../workbench/values.ts';

export interface DownloadSource {
  readonly client: BuildServiceClient;
  /** Absolute, or a path below the service's address. */
  readonly url: string;
  /** What the file is called when neither the answer nor its address names a file. Untrusted. */
  readonly name?: string;
}

/** A download whose headers have arrived. */
interface StartedDownload {
  readonly download: Download;
  /** Ends the download. */
  readonly controller: AbortController;
  /** Called with the bytes received so far; set while the body is read. */
  onProgress?: (received: number) => void;
}

/** After this time in the dialog the download is started again: servers close connections that nobody reads. */
const MAX_DIALOG_MS = 20_000;
/** Time between two reports of progress. */
const PROGRESS_INTERVAL_MS = 100;

/**
 * Downloads what a link leads to: asks where to save it, shows progress, and can be cancelled at any time. The response's
 * headers are awaited before the question, because they may propose a file name.
 *
 * @returns the file; undefined when the person cancelled a question.
 * @throws BuildServiceError
 */
export async function saveDownload(
  { client, url, name: ownName }: DownloadSource,
  input: Input,
): Promise<vscode.Uri | undefined> {
  let started = await start(client, url);
  try {
    const suggestion = vscode.Uri.joinPath(
      await defaultFolder(),
      safeFileName(started.download.suggestedName, ...namesFor(started.download.url, url, ownName)),
    );
    const dialogOpened = performance.now();
    const target = await input.saveFile(suggestion, vscode.l10n.t('Download'));
    if (target === undefined) {
      return undefined;
    }
    if (performance.now() - dialogOpened > MAX_DIALOG_MS) {
      started.controller.abort();
      started = await start(client, url);
    }
    const name = path.posix.basename(target.path);
    const options = {
      // For an existing file, the dialog has asked.
      mayReplace: await exists(target),
      confirmReplace: () =>
        input.confirm(
          vscode.l10n.t('{0} exists already. Replace it?', name),
          vscode.l10n.t('It was created while the download was under way.'),
          vscode.l10n.t('Replace'),
        ),
    };
    try {
      return (await write(started, target, name, options)) ? target : undefined;
    } catch (error) {
      throw fileFailure(error, name);
    }
  } finally {
    // Without effect on a download that is complete.
    started.controller.abort();
  }
}

/** An address that ends like a file's name is better than a name of ours, and that better than any other address. */
function namesFor(finalUrl: string, url: string, ownName: string | undefined): readonly string[] {
  const namesFile = /\.[a-z0-9]{1,8}$/i.test(URL.parse(finalUrl)?.pathname ?? '');
  return ownName === undefined || namesFile ? [finalUrl, url] : [ownName, finalUrl, url];
}

function start(client: BuildServiceClient, url: string): Promise<StartedDownload> {
  const title = vscode.l10n.t('Asking for {0}', new URL(client.resolve(url)).pathname);
  return withProgress({ notification: title, delayMs: CALL_PROGRESS_DELAY_MS }, async (signal) => {
    const started: Pick<StartedDownload, 'controller' | 'onProgress'> = { controller: new AbortController() };
    abortWith(signal, started.controller);
    const onProgress = (received: number): void => started.onProgress?.(received);
    const download = await client.download(url, { signal: started.controller.signal, onProgress });
    return Object.assign(started, { download });
  });
}

function write(
  started: StartedDownload,
  target: vscode.Uri,
  name: string,
  options: Parameters<typeof writeToDisk>[2],
): Promise<boolean> {
  return withProgress({ notification: vscode.l10n.t('Downloading {0}', name) }, async (signal, report) => {
    abortWith(signal, started.controller);
    const { body, totalBytes } = started.download;
    let received = 0;
    started.onProgress = (bytes) => {
      received = bytes;
    };
    let reported = 0;
    // By time, not by piece: this way the last bytes before a pause of the sender are shown as well.
    const timer = setInterval(() => {
      const percent = totalBytes ? Math.floor((received / totalBytes) * 100) : 0;
      report(progressText(received, totalBytes), { increment: percent - reported });
      reported = percent;
    }, PROGRESS_INTERVAL_MS);
    try {
      return await (target.scheme === 'file'
        ? writeToDisk(body, target.fsPath, options)
        : writeToWorkspace(body, target, options));
    } finally {
      clearInterval(timer);
    }
  });
}

function progressText(received: number, total: number | undefined): string {
  return total === undefined || total === 0
    ? sizeText(received)
    : vscode.l10n.t('{0} of {1} ({2}%)', sizeText(received), sizeText(total), Math.floor((received / total) * 100));
}

function abortWith(signal: AbortSignal, controller: AbortController): void {
  signal.addEventListener('abort', () => controller.abort(), { once: true });
}

async function defaultFolder(): Promise<vscode.Uri> {
  const [workspaceFolder] = vscode.workspace.workspaceFolders ?? [];
  const downloads = vscode.Uri.file(path.join(homedir(), 'Downloads'));
  return workspaceFolder?.uri ?? ((await exists(downloads)) ? downloads : vscode.Uri.file(homedir()));
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
