import { type PackagePlan, type PlannedFile, type SuspectFile, needsConsent, withSuspects } from './packageContents.ts';
import { walkProject } from './packageWalk.ts';
import { PackingError } from './packingError.ts';
import { usesCapacitorHttp } from '../capacitorProject.ts';
import { getPackagePath, type ProjectLayout } from '../projectLayout.ts';
import { baseName, byPath, join } from '../paths.ts';
import { findBuildStep } from '../buildStep.ts';
import { filesLoadedBy, projectFilesNamedIn } from '../neededFiles.ts';
import { CONFIG_FILE, makeConfig, withPlugins, type KnownApp } from '../madeConfig.ts';
import { CAPACITOR_CORE, getNativePlugin } from '../../android-package/index.ts';
import { projectPlugins, readPluginScripts, type ProjectPlugin } from '../projectPlugins.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import { projectFolder, readProject, type PagesAnswers, type WebProject } from '../projectSearch.ts';
import { searchSecrets } from './secretSearch.ts';
import { DEFAULT_START_PAGE, getStartPage } from '../../config-xml/index.ts';

interface PlanOptions {
  readonly signal?: AbortSignal | undefined;
  /** The user's choices of pages folders. */
  readonly answers?: PagesAnswers | undefined;
  /** Facts about the app from outside its files. Used for a generated config.xml. */
  readonly known: KnownApp;
}

/**
 * Reads the folder and decides which files go into the package.
 *
 * The package leaves out:
 * - Files that `.gitignore` excludes, in the project and in the folders above it, up to the searched folder. Exceptions
 *   are config.xml, the files that it refers to, and the files that the start page loads.
 * - Files that `.appbuildignore` in the project excludes. Its rules take precedence.
 * - Files outside the pages, except for config.xml and the files that it refers to. This doesn't apply if the pages are
 *   at the top of the project.
 * - Version control, `node_modules`, Cordova's `platforms` and `plugins`, app packages, and links out of the project. A
 *   line of `.appbuildignore` that names one of them, such as `!plugins`, includes it. Version control can't be
 *   included.
 *
 * The package's config.xml also contains the plugins that other files of the project declare.
 *
 * Files that may contain a secret, based on their names or contents, are suspects. They're left out until the user
 * allows them.
 *
 * @param folder the project folder
 * @throws PackingError if the folder or a file can't be read, or if there are no pages or files to package
 * @throws CancelledError
 */
export async function planPackage(
  project: WebProject,
  { signal, answers, known }: PlanOptions,
  folder = projectFolder(project, signal),
): Promise<PackagePlan> {
  const { layout, facts } = await readProject(folder, project, answers);
  const step = await findBuildStep(folder, layout.kind);
  if (layout.state.kind !== 'built') {
    throw PackingError.withoutPages(layout, step);
  }
  const named = await projectPlugins(folder, layout);
  // The plugins don't affect the files that this config.xml refers to.
  const draft = layout.config === undefined ? await makeConfig(facts, layout, known) : undefined;
  const own = layout.config === undefined ? undefined : await folder.config(layout.config);
  const ownFiles = own === undefined ? [] : projectFilesNamedIn(own, layout).flatMap(({ candidates }) => candidates);
  const namedFiles = draft?.named ?? ownFiles;
  const startPage = own === undefined ? (facts.startPage?.value ?? DEFAULT_START_PAGE) : getStartPage(own);
  const isMade = step !== undefined && layout.pages !== '';
  const loaded = isMade ? [] : await filesLoadedBy(folder, layout, startPage);
  const walked = await walkProject(folder, { project, layout, named: namedFiles, loaded, isMade });
  const plugins = await pluginsToSend(folder, layout, named, walked.files);
  const config = draft && (await makeConfig(facts, layout, known, plugins));
  const searched = walked.files.filter(({ hasSecretName }) => !hasSecretName);
  const found = await searchSecrets(searched, folder.signal);
  const text = layout.config === undefined ? undefined : await folder.readText(layout.config);
  const added = text === undefined ? undefined : withPlugins(text, plugins);
  const bytes = added === undefined ? undefined : Buffer.from(added);
  const files: PlannedFile[] = [];
  const suspects: SuspectFile[] = [];
  for (const each of walked.files) {
    const secrets = each.hasSecretName ? ({ secret: 'name', line: undefined } as const) : found.get(each);
    if (secrets === 'gone') {
      continue;
    }
    const file =
      bytes !== undefined && each.file.path === layout.config
        ? { ...each.file, sizeBytes: bytes.length, withPlugins: { plugins, bytes } }
        : each.file;
    files.push(file);
    if (secrets !== undefined) {
      suspects.push({ file, isRequested: each.isRequested, ...secrets });
    }
  }
  const onAndroid = named.filter(({ platform = 'android' }) => platform === 'android');
  const scripts = await readPluginScripts(
    folder,
    onAndroid.map(({ name }) => name),
  );
  const present = new Set(files.map(({ path }) => getPackagePath(layout, path)));
  const madeScripts = scripts
    .map(({ path, bytes: script }) => ({ path: getPackagePath(layout, join(layout.pages, path)), bytes: script }))
    .filter(({ path }) => !present.has(path));
  const madeConfig = config === undefined ? [] : [{ path: CONFIG_FILE, bytes: new TextEncoder().encode(config.text) }];
  const all: PackagePlan = {
    ...{ project, layout, config, files, totalBytes: 0, leftOut: walked.leftOut, warnings: walked.warnings },
    made: [...madeConfig, ...(config?.files ?? []), ...madeScripts],
    suspects: suspects.sort((a, b) => byPath(a.file, b.file)),
  };
  const plan = withSuspects(all, () => false);
  if (plan.files.length === 0 && !plan.suspects.some(needsConsent)) {
    throw PackingError.nothingToSend(baseName(project.uri));
  }
  return plan;
}

/**
 * Returns the plugins to add to the package's config.xml: those that only other files declare and that work in the
 * package.
 */
async function pluginsToSend(
  folder: ProjectFolder,
  layout: ProjectLayout,
  named: readonly ProjectPlugin[],
  files: readonly { readonly file: PlannedFile }[],
): Promise<readonly ProjectPlugin[]> {
  const others = named.filter(({ name, location }) => name !== CAPACITOR_CORE && location.path !== layout.config);
  if (layout.kind !== 'capacitor') {
    return others;
  }
  const core = named.find(({ name, location }) => name === CAPACITOR_CORE && location.path !== layout.config);
  const pages = files.map(({ file }) => file);
  return [
    // In a Capacitor project, other Cordova plugins don't work. The check reports them.
    ...others.filter(({ name }) => getNativePlugin(name) !== undefined),
    ...(core !== undefined && (await usesCapacitorHttp(folder, pages)) ? [core] : []),
  ];
}
