import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { isDownloadable } from '../apps/model/app.ts';
import { artifactName } from '../apps/model/build.ts';
import { realPathBelow } from '../resources/downloads/diskFile.ts';
import { safeFileName } from '../resources/downloads/fileName.ts';
import { saveInFolder } from '../resources/downloads/saveDownload.ts';
import { APP_PACKAGE } from '../projects/packing/fileNames.ts';
import { AgentTool, nameInQuestion, otherHost } from './agentTool.ts';
import { appOf, buildOf, namedFolder, pathBelow, quoted } from './toolSubjects.ts';
import { below, DATA_NOTE, oneLine, pathOfLink } from './report.ts';
import { text, textOrNumber, ToolError, toolInput } from './toolInput.ts';

const INPUT = toolInput(
  { app: textOrNumber(), platform: text(), folder: text(), path: z._default(text(), 'builds') },
  '{"app": "/api/v1/apps/1", "platform": "android"}',
);

type DownloadInput = z.infer<typeof INPUT>;

/** The tool `appBuild_download_build`: saves what was built below a folder of the window, and replaces nothing. */
export class DownloadBuildTool extends AgentTool<DownloadInput> {
  protected override readonly input = INPUT;
  protected override readonly invocationMessage = vscode.l10n.t('Downloading the build');
  protected override readonly question = {
    title: vscode.l10n.t('Download a Build?'),
    otherwise: vscode.l10n.t('An agent asks to download a build.'),
  };

  protected async run(input: DownloadInput, signal: AbortSignal): Promise<object> {
    const folder = namedFolder(input.folder);
    const account = await this.account(signal);
    const app = await appOf(input.app, account);
    const { downloadUrl, platform } = buildOf(
      app,
      input.platform,
      isDownloadable,
      'No build of this app can be downloaded.',
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
      throw new ToolError('A file of this name has appeared in the meantime, and was left as it is. Call again.');
    }
    const { size: bytes } = await vscode.workspace.fs.stat(file);
    const saved = oneLine(below(folder.uri.path, file.path));
    return {
      app: pathOfLink(app.url),
      folder: oneLine(folder.name),
      bytes,
      // The title of the app is part of the name.
      said_by_service: { platform: this.asData(platform), file: saved },
      next: APP_PACKAGE.test(saved)
        ? 'Tell the user where the file is.'
        : `Tell the user where the file is. The next upload of this folder would include it, unless .appbuildignore lists ${JSON.stringify(`${path.posix.dirname(saved)}/`)}.`,
      note: DATA_NOTE,
    };
  }

  protected override async details(input: DownloadInput): Promise<readonly string[]> {
    const folder = namedFolder(input.folder);
    const { host, appName: name, app } = await this.subjectOfQuestion(input.app);
    const where = `${nameInQuestion(folder.name)}/${nameInQuestion(input.path)}`;
    const build = app?.builds.find(
      (each) => isDownloadable(each) && (input.platform === undefined || each.platform === input.platform),
    );
    return [
      name === undefined
        ? vscode.l10n.t('What {0} has built is saved in the folder {1}.', host, where)
        : vscode.l10n.t('What {0} has built of the app “{1}” is saved in the folder {2}.', host, name, where),
      ...otherHost(build?.downloadUrl, host),
      vscode.l10n.t('No file is replaced.'),
    ];
  }
}

/**
 * Makes a folder below a workspace folder. Not one that is hidden, by its path or at the end of a link: tools read such folders for
 * what they run. Nor one that a link leads out of the workspace folder to, or whose name is not what it looks like.
 *
 * @param wanted path below the folder, as an agent writes it.
 * @throws ToolError
 */
async function folderBelow(folder: vscode.WorkspaceFolder, wanted: string): Promise<vscode.Uri> {
  const parts = namesOf(pathBelow(wanted));
  const target = vscode.Uri.joinPath(folder.uri, ...parts);
  if (!path.posix.isAbsolute(wanted) && !path.win32.isAbsolute(wanted) && parts.every(isOrdinary)) {
    const real = target.scheme === 'file' ? await realPathBelow(folder.uri.fsPath, target.fsPath) : '';
    if (real === undefined) {
      throw new ToolError(
        `"path" leads out of ${quoted(folder.name)} by a link. Call again with another one, or without it.`,
      );
    }
    if (namesOf(real).every(isOrdinary)) {
      await vscode.workspace.fs.createDirectory(target);
      return target;
    }
  }
  throw new ToolError(
    `"path" must be a folder below ${quoted(folder.name)}, such as "builds": relative, without "..", and not hidden. Call again with one, or without it.`,
  );
}

function namesOf(pathOfFolder: string): readonly string[] {
  return pathOfFolder.split(/[\\/]/).filter((name) => name !== '' && name !== '.');
}

function isOrdinary(name: string): boolean {
  return safeFileName(name) === name.normalize('NFC') && name.toLowerCase() !== 'node_modules';
}
