import path from 'node:path';
import * as vscode from 'vscode';
import { isDownloadable, type App } from '../apps/model/app.ts';
import { writeToDisk } from '../resources/downloads/diskFile.ts';
import { fileFailure } from '../resources/downloads/fileError.ts';
import { writeToWorkspace } from '../resources/downloads/saveDownload.ts';
import { AgentTool, type Confirmation } from './agentTool.ts';
import { appOf, buildOf } from './appInput.ts';
import { freeFile, folderBelow } from './downloadFolder.ts';
import { folderOf } from './folderInput.ts';
import { packageFileName } from './packageFileName.ts';
import { below, DATA_NOTE, oneLine, pathOf } from './report.ts';
import type { ToolAccount } from './toolAccount.ts';
import { argumentsOf, textOf, textOrNumberOf } from './toolInput.ts';
import { ToolError } from './toolError.ts';

/** Where builds are saved, below the folder. */
const DEFAULT_PATH = 'builds';

interface DownloadInput {
  readonly app: string | undefined;
  readonly platform: string | undefined;
  readonly folder: string | undefined;
  /** Below the folder. */
  readonly path: string;
}

/** The tool `appBuild_download_build`: saves what was built below a folder of the window, and replaces nothing. */
export class DownloadBuildTool extends AgentTool {
  protected get invocationMessage(): string {
    return vscode.l10n.t('Downloading the build');
  }

  protected async run(given: unknown, signal: AbortSignal): Promise<object> {
    const input = readInput(given);
    const folder = folderOf(input.folder);
    const account = await this.account(signal);
    const app = await appOf(input.app, account);
    const { downloadUrl, platform } = buildOf(
      app,
      input.platform,
      isDownloadable,
      'There is no build of this app to download.',
    );
    const target = await folderBelow(folder, input.path);
    const { file, bytes } = await this.#save(target, app, { platform, url: downloadUrl ?? '' }, account);
    const saved = oneLine(below(folder.uri.path, file.path), 500);
    return {
      app: pathOf(app.url),
      folder: oneLine(folder.name),
      file: saved,
      bytes,
      said_by_service: { platform: this.said(platform, 50) },
      next: `Tell the person where the file is. The next upload of this folder would take it along, unless .appbuildignore lists ${JSON.stringify(`${path.posix.dirname(saved)}/`)}.`,
      note: DATA_NOTE,
    };
  }

  /** Saves a download under a name that is free. */
  async #save(
    folder: vscode.Uri,
    app: App,
    { platform, url }: { readonly platform: string; readonly url: string },
    { connection, signal }: ToolAccount,
  ): Promise<{ readonly file: vscode.Uri; readonly bytes: number }> {
    const controller = new AbortController();
    let bytes = 0;
    try {
      const { body, suggestedName } = await connection.client.download(url, {
        signal: AbortSignal.any([signal, controller.signal]),
        onProgress: (received) => {
          bytes = received;
        },
      });
      const file = await freeFile(folder, packageFileName(app, platform, suggestedName));
      const write =
        file.scheme === 'file' ? writeToDisk(body, file.fsPath, NEVER) : writeToWorkspace(body, file, NEVER);
      const isWritten = await write.catch((error: unknown) => {
        throw fileFailure(error, path.posix.basename(file.path));
      });
      if (!isWritten) {
        throw new ToolError('A file of this name has appeared in the meantime, and was left as it is. Call again.');
      }
      return { file, bytes };
    } finally {
      // Without effect on a download that is complete.
      controller.abort();
    }
  }

  protected override async confirmation(given: unknown): Promise<Confirmation> {
    const title = vscode.l10n.t('Download a Build?');
    try {
      const input = readInput(given);
      const folder = folderOf(input.folder);
      const service = this.dependencies.selection.current;
      const { folders } = await this.dependencies.loadApps();
      const [linked] = service === undefined ? [] : folders.all({ service });
      const host = service === undefined ? '' : new URL(service.url.href).host;
      const app = input.app ?? linked?.app.title;
      const where = `${folder.name}/${oneLine(input.path, 200)}`;
      return {
        title,
        message: [
          app === undefined
            ? vscode.l10n.t('What {0} has built is saved in the folder {1}.', host, where)
            : vscode.l10n.t(
                'What {0} has built of the app “{1}” is saved in the folder {2}.',
                host,
                oneLine(app, 200),
                where,
              ),
          vscode.l10n.t('No file is replaced.'),
        ],
      };
    } catch {
      // The call will say what is wrong with it.
      return { title, message: [vscode.l10n.t('An agent asks to download a build.')] };
    }
  }
}

const NEVER = { mayReplace: false, confirmReplace: () => Promise.resolve(false) } as const;

/** @throws ToolError */
function readInput(given: unknown): DownloadInput {
  const values = argumentsOf(given, '{"app": "/api/v1/apps/1", "platform": "android"}');
  return {
    app: textOrNumberOf(values, 'app'),
    platform: textOf(values, 'platform'),
    folder: textOf(values, 'folder'),
    path: textOf(values, 'path') ?? DEFAULT_PATH,
  };
}
