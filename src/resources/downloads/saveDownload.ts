import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';

import type { BuildServiceClient, Download } from '../../api/client.ts';
import type { Dialogs } from '../../workbench/dialogs.ts';
import { callPatience, withProgress } from '../../workbench/progress.ts';
import { fileFailure } from './fileError.ts';
import { byteCount } from './byteCount.ts';
import { writeToDisk } from './diskFile.ts';
import { safeFileName } from './fileName.ts';
import { writeToWorkspace } from './workspaceFile.ts';

interface Source {
  readonly client: BuildServiceClient;
  /** Absolute, or a path below the service's address. */
  readonly url: string;
}

/** An answer that has begun, with the way to end it. */
interface Begun {
  readonly download: Download;
  readonly controller: AbortController;
  /** Set by whoever reads the body. */
  onProgress?: (received: number) => void;
}

/** Milliseconds an answer may wait while a person chooses a folder; servers close connections that nobody reads. */
const longestChoice = 20_000;
/** Milliseconds between two reports of progress. */
const reportEvery = 100;

/**
 * Downloads what a link leads to: asks where to, shows bytes and percent, can be cancelled at any time. The answer's
 * headers are awaited first, because they know the file's name.
 *
 * @returns the file; undefined when the person decided otherwise.
 * @throws BuildServiceError
 */
export async function saveDownload({ client, url }: Source, dialogs: Dialogs): Promise<vscode.Uri | undefined> {
  let begun = await begin(client, url);
  try {
    const suggestion = vscode.Uri.joinPath(
      await folder(),
      safeFileName(begun.download.suggestedName, begun.download.url, url),
    );
    const asked = performance.now();
    const target = await dialogs.saveFile(suggestion, vscode.l10n.t('Download'));
    if (target === undefined) {
      return undefined;
    }
    if (performance.now() - asked > longestChoice) {
      begun.controller.abort();
      begun = await begin(client, url);
    }
    const name = path.posix.basename(target.path);
    const options = {
      // The dialog has asked.
      mayReplace: await exists(target),
      confirmReplace: () =>
        dialogs.confirm(
          vscode.l10n.t('{0} exists already. Replace it?', name),
          vscode.l10n.t('It was created while the download was under way.'),
          vscode.l10n.t('Replace'),
        ),
    };
    try {
      return (await write(begun, target, name, options)) ? target : undefined;
    } catch (error) {
      throw fileFailure(error, name);
    }
  } finally {
    // Ends what nobody reads any more; a finished answer does not notice.
    begun.controller.abort();
  }
}

function begin(client: BuildServiceClient, url: string): Promise<Begun> {
  const title = vscode.l10n.t('Asking for {0}', new URL(client.resolve(url)).pathname);
  return withProgress({ notification: title, patience: callPatience }, async (signal) => {
    const begun: Pick<Begun, 'controller' | 'onProgress'> = { controller: new AbortController() };
    forward(signal, begun.controller);
    const onProgress = (received: number): void => begun.onProgress?.(received);
    const download = await client.download(url, { signal: begun.controller.signal, onProgress });
    return Object.assign(begun, { download });
  });
}

function write(
  begun: Begun,
  target: vscode.Uri,
  name: string,
  options: Parameters<typeof writeToDisk>[2],
): Promise<boolean> {
  return withProgress({ notification: vscode.l10n.t('Downloading {0}', name) }, async (signal, report) => {
    forward(signal, begun.controller);
    const { body, totalBytes } = begun.download;
    let received = 0;
    begun.onProgress = (bytes) => {
      received = bytes;
    };
    let reported = 0;
    // A clock, not the pieces: when the sender pauses, what has arrived is shown as well.
    const clock = setInterval(() => {
      const percent = totalBytes ? Math.floor((received / totalBytes) * 100) : 0;
      report(progressText(received, totalBytes), percent - reported);
      reported = percent;
    }, reportEvery);
    try {
      return await (target.scheme === 'file'
        ? writeToDisk(body, target.fsPath, options)
        : writeToWorkspace(body, target, options));
    } finally {
      clearInterval(clock);
    }
  });
}

function progressText(received: number, total: number | undefined): string {
  return total === undefined || total === 0
    ? byteCount(received)
    : vscode.l10n.t('{0} of {1} ({2}%)', byteCount(received), byteCount(total), Math.floor((received / total) * 100));
}

function forward(signal: AbortSignal, controller: AbortController): void {
  signal.addEventListener('abort', () => controller.abort(), { once: true });
}

async function folder(): Promise<vscode.Uri> {
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
