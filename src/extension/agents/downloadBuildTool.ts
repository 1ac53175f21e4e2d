import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { isDownloadable } from '../apps/model/app.ts';
import { artifactName } from '../apps/model/build.ts';
import { realPathBelow } from '../resources/downloads/diskFile.ts';
import { safeFileName } from '../../service-client/index.ts';
import { saveInFolder } from '../resources/downloads/saveDownload.ts';
import { APP_PACKAGE } from '../../web-project/index.ts';
import { AgentTool, folderInQuestion, otherHost, quoteInQuestion } from './agentTool.ts';
import { findApp, findBuild, namedFolder, normalizePath, quoted } from './toolSubjects.ts';
import { toRelativePath, DATA_NOTE, oneLine, getLinkPath } from './report.ts';
import { text, textOrNumber, ToolError, toolInput } from './toolInput.ts';

const INPUT = toolInput(
  { app: textOrNumber(), platform: text(), folder: text(), path: z._default(text(), 'builds') },
  '{"app": "/api/v1/apps/1", "platform": "android"}',
);

type DownloadInput = z.infer<typeof INPUT>;

/** The tool `appBuild_download_build`. Saves the packages of a build in a workspace folder and never overwrites a file. */
export class DownloadBuildTool extends AgentTool<DownloadInput> {
  protected override readonly input = INPUT;
  protected override readonly invocationMessage = vscode.l10n.t('Downloading the build');
  protected override readonly question = {
    title: vscode.l10n.t('Download a Build?'),
    otherwise: vscode.l10n.t('An agent wants to download a build.'),
  };

  protected async run(input: DownloadInput, signal: AbortSignal): Promise<object> {
    const folder = namedFolder(input.folder);
    const account = await this.account(signal);
    const app = await findApp(input.app, account);
    const { downloadUrl, platform } = findBuild(
      app,
      input.platform,
      isDownloadable,
      'This app has no build to download.',
    );
    const target = await folderBelow(folder, input.path);
    const source = { client: account.connection.client, url: downloadUrl ?? '', name: artifactName(app, platform) };
    const there = await vscode.workspace.fs.readDirectory(target);
    const file = await saveInFolder(source, target, {
      input: { confirm: () => Promise.resolve(false) },
      taken: new Set(there.map(([name]) => name.toLowerCase())),
      signal,
      report: () => undefined,
    });
    if (file === undefined) {
      throw new ToolError('A file with this name was created in the meantime and not overwritten. Call again.');
    }
    const { size: bytes } = await vscode.workspace.fs.stat(file);
    const saved = oneLine(toRelativePath(folder.uri.path, file.path));
    return {
      app: getLinkPath(app.url),
      folder: oneLine(folder.name),
      bytes,
      // The file name contains the app's title, which comes from the service.
      said_by_service: { platform: this.asData(platform), file: saved },
      next: APP_PACKAGE.test(saved)
        ? 'Tell the user where the file is.'
        : `Tell the user where the file is. The next upload of this folder would include it, unless .appbuildignore lists ${JSON.stringify(`${path.posix.dirname(saved)}/`)}.`,
      note: DATA_NOTE,
    };
  }

  protected override async details(input: DownloadInput): Promise<readonly string[]> {
    const folder = namedFolder(input.folder);
    const { host, appName: name, app } = await this.getQuestionSubject(input.app);
    const where = quoteInQuestion(folderInQuestion(folder), input.path);
    const build = app?.builds.find(
      (each) => isDownloadable(each) && (input.platform === undefined || each.platform === input.platform),
    );
    return [
      name === undefined
        ? vscode.l10n.t('The build from {0} is saved in the folder {1}.', host, where)
        : vscode.l10n.t('The build from {0} of the app “{1}” is saved in the folder {2}.', host, name, where),
      ...otherHost(build?.downloadUrl, host),
      vscode.l10n.t('No files are replaced.'),
    ];
  }
}

/**
 * Creates a folder inside a workspace folder. Rejects a hidden folder, including one that a link leads to, because tools run files from
 * such folders. Also rejects a link that leads out of the workspace folder, and a name that looks like a different one.
 * @param requested path that the agent asks for, relative to the workspace folder
 * @throws ToolError
 */
async function folderBelow(folder: vscode.WorkspaceFolder, requested: string): Promise<vscode.Uri> {
  const parts = splitPath(normalizePath(requested));
  const target = vscode.Uri.joinPath(folder.uri, ...parts);
  if (!path.posix.isAbsolute(requested) && !path.win32.isAbsolute(requested) && parts.every(isOrdinary)) {
    const real = target.scheme === 'file' ? await realPathBelow(folder.uri.fsPath, target.fsPath) : '';
    if (real === undefined) {
      throw new ToolError(
        `"path" contains a link that leads out of ${quoted(folder.name)}. Call again with another path, or without it.`,
      );
    }
    if (splitPath(real).every(isOrdinary)) {
      await vscode.workspace.fs.createDirectory(target);
      return target;
    }
  }
  throw new ToolError(
    `"path" must be a folder in ${quoted(folder.name)}, such as "builds". It must be relative and not hidden, without "..". Call again with such a path, or without it.`,
  );
}

function splitPath(folderPath: string): readonly string[] {
  return folderPath.split(/[\\/]/).filter((name) => name !== '' && name !== '.');
}

function isOrdinary(name: string): boolean {
  return safeFileName(name) === name.normalize('NFC') && name.toLowerCase() !== 'node_modules';
}
