import * as vscode from 'vscode';
import { InvalidInputError, sentence } from '../../errors/index.ts';
import {
  currentName,
  harmlessPlugin,
  isCapacitorPlugin,
  isPackageName,
  isVersionRange,
} from '../../android-package/index.ts';
import type { EnginePlugin } from '../service-host/serviceProgram.ts';
import { findWebProjects, getMember, parseObject, projectFolder, projectPlugins } from '../../web-project/index.ts';
import { listText } from '../workbench/texts.ts';
import { uriExists } from '../workbench/exists.ts';
import { withCallProgress, withProgress } from '../workbench/progress.ts';
import type { CommandDependencies } from './dependencies.ts';

/** Installs Apache Cordova for the local service, and the plugins that this window's projects use, if the user agrees. */
export async function installBuildEngine(dependencies: CommandDependencies): Promise<void> {
  const { apps, input, localService, log, notifications, selection, tree } = dependencies;
  if (selection.current?.local !== true) {
    throw new InvalidInputError(
      sentence('Only the local service uses a build engine on this computer.'),
      sentence('Run Start Local Service first.'),
    );
  }
  const { engineFolder } = localService;
  const hasEngine = await uriExists(engineFolder);
  const installed = await installedRanges(engineFolder);
  const named = await withCallProgress(vscode.l10n.t('Looking for plugins'), (signal) =>
    namedPlugins(dependencies, signal),
  );
  const missing = named.filter(isFromNpm).filter(({ name, range }) => {
    const present = getMember(installed, name);
    return present === undefined || (range !== undefined && range !== present);
  });
  const others = named.filter((plugin) => !isFromNpm(plugin));
  const notInstalled =
    others.length === 0
      ? []
      : [
          vscode.l10n.t(
            'Not installed because they aren’t on npm: {0}. Use versions that npm has.',
            listText(others.map(pluginText)),
          ),
        ];
  if (!hasEngine || missing.length > 0) {
    const question = hasEngine
      ? vscode.l10n.t('Install plugins for Apache Cordova?')
      : vscode.l10n.t('Install Apache Cordova for the local service?');
    const detail = [
      ...(hasEngine
        ? []
        : [
            vscode.l10n.t(
              'npm downloads about 50 MB from the registry that’s configured on this computer. Versions are exact, and their checksums are verified. Package scripts don’t run.',
            ),
          ]),
      ...(missing.length === 0
        ? []
        : [
            vscode.l10n.t(
              'Plugins from npm, with their dependencies: {0}. They contain native code, which is compiled when you build. Their scripts don’t run.',
              listText(missing.map(pluginText)),
            ),
          ]),
      ...notInstalled,
      vscode.l10n.t('Files are installed only in {0}.', engineFolder.fsPath),
      vscode.l10n.t(
        'Builds then run on this computer. For Android, they need the Android SDK. For iOS, they need a Mac with Xcode.',
      ),
    ].join('\n\n');
    await input.confirmOrCancel(question, detail, vscode.l10n.t('Install'), 'information');
  }
  const outcome = await withProgress({ notification: vscode.l10n.t('Installing Apache Cordova') }, (signal, report) =>
    localService.installEngine({
      plugins: missing,
      signal,
      report: (line) => {
        log.info(`Build engine: ${line}`);
        report(line);
      },
    }),
  );
  await Promise.all([apps.preflight.refresh(), tree.refresh()]);
  notifications.information([vscode.l10n.t('Apache Cordova is installed.'), outcome, ...notInstalled].join(' '));
}

/** Returns the plugins of all projects in this window, without duplicates. Skips untrusted folders. */
async function namedPlugins({ apps }: CommandDependencies, signal: AbortSignal): Promise<readonly EnginePlugin[]> {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const plugins = new Map<string, EnginePlugin>();
  for (const { uri } of folders) {
    for (const project of await findWebProjects(uri, signal, apps.answers.pages)) {
      for (const { name: given, spec } of await projectPlugins(projectFolder(project, signal), project.layout)) {
        const name = currentName(given);
        const harmless = harmlessPlugin(name);
        // Builders ignore harmless plugins, but pages may call the keyboard plugin.
        const isNeeded = !isCapacitorPlugin(name) && (harmless === undefined || harmless === 'keyboard');
        if (!plugins.has(name) && isNeeded) {
          // A version range for a plugin's old name isn't valid for its current one.
          plugins.set(name, { name, range: name === given ? spec : undefined });
        }
      }
    }
  }
  return [...plugins.values()];
}

/**
 * Returns the requested version ranges of the engine's installed plugins, as an object with a member per plugin, or undefined if none is
 * installed.
 */
async function installedRanges(engine: vscode.Uri): Promise<unknown> {
  const file = vscode.Uri.joinPath(engine, 'plugins', 'package.json');
  const text = (await uriExists(file)) ? new TextDecoder().decode(await vscode.workspace.fs.readFile(file)) : undefined;
  return getMember(parseObject(text), 'dependencies');
}

function isFromNpm({ name, range }: EnginePlugin): boolean {
  return isPackageName(name) && (range === undefined || isVersionRange(range));
}

function pluginText({ name, range }: EnginePlugin): string {
  return range === undefined ? vscode.l10n.t('{0} (newest)', name) : `${name} ${range}`;
}
