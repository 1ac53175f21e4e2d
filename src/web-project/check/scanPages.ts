import { sentence, type Sentence } from '../../errors/index.ts';
import {
  currentName,
  type DeclaredPlugin,
  getNativePlugin,
  getPluginPermissions,
  type HttpUse,
  isCleartextPlugin,
  mayHaveScripts,
  PAGE_PERMISSIONS,
  type PagePermission,
  PageScan,
  PLUGIN_CALLS,
} from '../../android-package/index.ts';
import type { PackagePlan } from '../packing/packageContents.ts';
import { isBelow } from '../paths.ts';
import { readClobbers, installedFile } from '../projectPlugins.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import { CAPACITOR_FILES } from '../tools/buildTools.ts';
import type { ConfigFacts, NamedPlugin } from './configFile.ts';
import { limitFindings, mayFail, type ProjectFinding } from './projectFinding.ts';
import { namedPlugins, type PluginFacts } from './supportCheck.ts';

/** A permission that the package declares for its pages, unless the app's config.xml excludes it. */
export interface PackagePermission {
  readonly permission: PagePermission;
  /** The file path or plugin name that needs the permission. */
  readonly by: string;
  /** Path of the script, relative to the project. Undefined if a plugin needs the permission. */
  readonly path: string | undefined;
  readonly isAllowed: boolean;
}

interface ScannedPages {
  /** Permissions, at most one of each kind. */
  readonly permissions: readonly PackagePermission[];
  readonly plugins: PluginFacts;
  readonly findings: readonly ProjectFinding[];
}

/**
 * Finds uses of features in the pages' scripts that an Android package must permit or doesn't support.
 *
 * @param facts facts from config.xml. Undefined if none can be read
 * @throws CancelledError
 */
export async function scanPages(
  folder: ProjectFolder,
  { layout, files, config }: Pick<PackagePlan, 'layout' | 'files' | 'config'>,
  facts: ConfigFacts | undefined,
): Promise<ScannedPages> {
  const named = await namedPlugins(folder, layout, facts);
  const scan = new PageScan(await Promise.all(named.map((plugin) => withClobbers(folder, plugin))));
  for (const { path, sizeBytes } of files) {
    const isPage = layout.pages === '' || isBelow(path, layout.pages);
    const bytes = isPage && mayHaveScripts(path) ? await folder.bytes(path, sizeBytes) : undefined;
    if (bytes !== undefined) {
      const pathInPages = layout.pages === '' ? path : path.slice(layout.pages.length + 1);
      scan.read(path, new TextDecoder().decode(bytes), pathInPages);
    }
  }
  const native = named.map(({ name }) => name).filter((name) => getNativePlugin(name) !== undefined);
  const asked = [...native, ...native.flatMap((name) => getNativePlugin(name)?.needs ?? [])];
  const found = await Promise.all(asked.map((name) => installedFile(folder, name)));
  const installed = new Set(asked.filter((_, index) => found[index] !== undefined).map(currentName));
  const plugins = { named, installed, uses: scan.pluginUses, areSent: layout.kind !== 'capacitor' };
  const sent = (plugins.areSent ? named : []).filter(({ platform = 'android' }) => platform === 'android');
  const allowsCleartext = facts?.allowsCleartext === true || sent.some(({ name }) => isCleartextPlugin(name));
  const next = nextStep(await folder.names(), config !== undefined, layout.kind === 'capacitor');
  return {
    permissions: PAGE_PERMISSIONS.flatMap((permission): PackagePermission | readonly [] => {
      const plugin = sent.find(({ name }) => getPluginPermissions(name).includes(permission))?.name;
      const path = plugin === undefined ? scan.permissions.get(permission) : undefined;
      const by = plugin ?? path;
      const isAllowed = facts?.allowedPermissions?.has(permission) !== false;
      return by === undefined ? [] : { permission, by, path, isAllowed };
    }),
    plugins,
    findings: allowsCleartext
      ? []
      : limitFindings(
          Array.from(scan.http, ([origin, use]) => cleartextFinding(use, origin, next(origin))),
          (count) => sentence('{0} more addresses that the app loads from aren’t encrypted.', count),
        ),
  };
}

/** Adds the global names that a plugin's plugin.xml defines, unless the plugin is already in the table of calls. */
async function withClobbers(folder: ProjectFolder, { name }: NamedPlugin): Promise<DeclaredPlugin> {
  return { name, clobbers: PLUGIN_CALLS.has(currentName(name)) ? undefined : await readClobbers(folder, name) };
}

/** Returns the advice for allowing the unencrypted addresses. */
function nextStep(names: ReadonlySet<string>, isMade: boolean, isCapacitor: boolean): (origin: string) => Sentence {
  const capacitor = CAPACITOR_FILES.find((name) => names.has(name));
  const access = (origin: string): string => `<access origin="${origin}" />`;
  if (!isMade) {
    return (origin) => sentence('Use https:, or add {0} to config.xml.', access(origin));
  }
  return isCapacitor && capacitor !== undefined
    ? () => sentence('Use https:, or set “{0}” to true in {1}.', 'server.cleartext', capacitor)
    : (origin) => sentence('Use https:, or choose Save as config.xml, and add {0} to that file.', access(origin));
}

function cleartextFinding({ path, line, character }: HttpUse, origin: string, next: Sentence): ProjectFinding {
  const location = { path, start: { line, character }, end: { line, character: character + origin.length } };
  const message = sentence('{0} loads from {1}, but Android apps can’t load unencrypted addresses.', path, origin);
  return mayFail('cleartext', message, { about: origin, next, location });
}
