import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { InvalidInputError } from '../api/errors/invalidInputError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { currentName, harmlessPlugin } from '../formats/cordovaPlugins.ts';
import { isPackageName, isVersionRange } from '../formats/npmPackage.ts';
import type { EnginePlugin } from '../localServiceHost/engineInstallation.ts';
import { projectPlugins } from '../projects/projectPlugins.ts';
import { findWebProjects, projectFolder } from '../projects/projectSearch.ts';
import { exists } from '../workbench/exists.ts';
import { withCallProgress, withProgress } from '../workbench/progress.ts';
import { listText } from '../workbench/values.ts';
import type { CommandDependencies } from './dependencies.ts';

/**
 * Brings Apache Cordova to the local service, and from npm the plugins that the projects of this window name, once the user agrees.
 *
 * @throws InvalidInputError; CancelledError; EngineInstallationError
 */
export async function installBuildEngine(dependencies: CommandDependencies): Promise<void> {
  const { apps, input, localService, log, notifications, selection } = dependencies;
  if (selection.current?.local !== true) {
    throw new InvalidInputError(
      sentence('Only the local service builds with an engine of this machine.'),
      sentence('Start it with the command Start Local Service.'),
    );
  }
  const installed = await pluginsIn(localService.engineFolder);
  const named = await withCallProgress(vscode.l10n.t('Looking for plugins'), (signal) =>
    namedPlugins(dependencies, signal),
  );
  const fromNpm = named.filter(({ name, range }) => isPackageName(name) && isRange(range));
  const plugins = fromNpm.filter(({ name, range }) => isMissing(installed?.get(name), range));
  const others = named.filter((plugin) => !fromNpm.includes(plugin));
  if (installed === undefined || plugins.length > 0) {
    const question =
      installed === undefined
        ? vscode.l10n.t('Install Apache Cordova for the local service?')
        : vscode.l10n.t('Install plugins for Apache Cordova?');
    const detail = [
      ...(installed === undefined
        ? [
            vscode.l10n.t(
              'npm downloads about 50 MB from the registry that this computer is set up with: exact versions, checked against what was released. No scripts of the packages run.',
            ),
          ]
        : []),
      ...(plugins.length > 0
        ? [
            vscode.l10n.t(
              'Plugins from npm, and those that they need: {0}. They contain native code, which is compiled when you build. None of their scripts run.',
              listText(plugins.map(pluginText)),
            ),
          ]
        : []),
      ...otherSources(others),
      vscode.l10n.t('They are installed into {0}, and nowhere else.', localService.engineFolder.fsPath),
      vscode.l10n.t(
        'Builds then run on this computer. For Android they need the Android SDK, for iOS a Mac with Xcode.',
      ),
    ].join('\n\n');
    if (!(await input.confirm(question, detail, vscode.l10n.t('Install'), 'information'))) {
      throw new CancelledError();
    }
  }
  const outcome = await withProgress({ notification: vscode.l10n.t('Installing Apache Cordova') }, (signal, report) =>
    localService.installEngine({
      plugins,
      signal,
      report: (line) => {
        log.info(`Build engine: ${line}`);
        report(line);
      },
    }),
  );
  await apps.preflight.refresh();
  notifications.information(
    [vscode.l10n.t('Apache Cordova is installed.'), outcome, ...otherSources(others)].join(' '),
  );
}

/** The plugins of all projects of this window, each once; none of a folder that is not trusted. */
async function namedPlugins({ apps }: CommandDependencies, signal: AbortSignal): Promise<readonly EnginePlugin[]> {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const plugins = new Map<string, EnginePlugin>();
  for (const { uri } of folders) {
    for (const project of await findWebProjects(uri, signal, apps.answers.pages)) {
      for (const { name: given, spec } of await projectPlugins(projectFolder(project, signal), project.layout)) {
        const name = currentName(given);
        // The versions of an old name are not those of today's.
        const range = name === given ? spec : undefined;
        if (!isDoneWithout(name)) {
          plugins.set(name, plugins.get(name) ?? { name, range });
        }
      }
    }
  }
  return [...plugins.values()];
}

/** The plugins that were installed into an engine, each with the range that was asked for; undefined without an engine. */
async function pluginsIn(engine: vscode.Uri): Promise<ReadonlyMap<string, unknown> | undefined> {
  if (!(await exists(engine))) {
    return undefined;
  }
  try {
    const file = vscode.Uri.joinPath(engine, 'plugins', 'package.json');
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    const { dependencies } = JSON.parse(text) as { readonly dependencies: Readonly<Record<string, unknown>> };
    return new Map(Object.entries(dependencies));
  } catch {
    // None was installed yet.
    return new Map();
  }
}

/** Builders leave it out. The phone's keyboard may well be asked to come and go. */
function isDoneWithout(name: string): boolean {
  const why = harmlessPlugin(name);
  return why !== undefined && why !== 'keyboard';
}

function isRange(range: string | undefined): boolean {
  return range === undefined || isVersionRange(range);
}

/** @param installed the range that was asked for when the plugin was installed */
function isMissing(installed: unknown, range: string | undefined): boolean {
  return installed === undefined || (range !== undefined && installed !== range);
}

function pluginText({ name, range }: EnginePlugin): string {
  return range === undefined ? vscode.l10n.t('{0} (newest)', name) : `${name} ${range}`;
}

/** A sentence about plugins that are not installed, because npm's registry is not where they come from. */
function otherSources(plugins: readonly EnginePlugin[]): readonly string[] {
  return plugins.length === 0
    ? []
    : [
        vscode.l10n.t(
          'Not from npm, so not installed: {0}. Name a version of each that npm has.',
          listText(plugins.map(pluginText)),
        ),
      ];
}
