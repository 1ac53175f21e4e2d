import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { isCleartextPlugin } from '../../formats/cordovaPlugins.ts';
import { type HttpAddress, httpAddressesIn } from '../../formats/httpAddresses.ts';
import {
  type AskedPermission,
  PAGE_PERMISSIONS,
  type PagePermission,
  permissionsIn,
  permissionsOfPlugin,
} from '../../formats/pagePermissions.ts';
import { mayHaveScripts, scriptsIn } from '../../formats/pageScripts.ts';
import type { PackagePlan } from '../packing/packageContents.ts';
import { isBelow } from '../packing/paths.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import { TextLines } from '../textLines.ts';
import { CAPACITOR_FILES } from '../tools/toolRules.ts';
import type { ConfigFacts } from './configFile.ts';
import type { ProjectFinding } from './finding.ts';
import type { PluginFacts } from './pluginCheck.ts';

/** A permission that the package declares for its pages, unless the app's config.xml refuses it. */
export interface PackagePermission extends AskedPermission {
  /** A script, below the project; undefined for a plugin. */
  readonly path: string | undefined;
  readonly isAllowed: boolean;
}

interface PageScan {
  /** At most one of a kind. */
  readonly permissions: readonly PackagePermission[];
  readonly findings: readonly ProjectFinding[];
}

/** Findings that are listed one by one; the others are counted. */
const MAX_FINDINGS = 5;

/**
 * What the scripts of the pages do that an Android package has to allow.
 *
 * @param facts of config.xml; undefined without one that can be read
 * @param plugins of the project
 * @throws CancelledError
 */
export async function scanPages(
  folder: ProjectFolder,
  { layout, files, config }: Pick<PackagePlan, 'layout' | 'files' | 'config'>,
  facts: ConfigFacts | undefined,
  plugins: PluginFacts | undefined,
): Promise<PageScan> {
  const sent = (plugins?.areSent === true ? plugins.named : []).filter(
    ({ platform }) => platform === undefined || platform === 'android',
  );
  const allowsCleartext = facts?.allowsCleartext === true || sent.some(({ name }) => isCleartextPlugin(name));
  const asked: (AskedPermission & Pick<PackagePermission, 'path'>)[] = sent.flatMap(({ name }) =>
    permissionsOfPlugin(name).map((permission) => ({ permission, by: name, path: undefined })),
  );
  const loaded = new Map<string, ProjectFinding>();
  const next = nextStep(await folder.names(), config !== undefined, layout.kind === 'capacitor');
  for (const { path, sizeBytes } of files.filter((file) => mayHaveScripts(file.path))) {
    const isPage = layout.pages === '' || isBelow(path, layout.pages);
    const bytes = isPage ? await folder.bytes(path, sizeBytes) : undefined;
    if (bytes === undefined) {
      continue;
    }
    const text = new TextDecoder().decode(bytes);
    const scan = scanFile(layout.pages === '' ? path : path.slice(layout.pages.length + 1), text);
    asked.push(...Array.from(scan.permissions, (permission) => ({ permission, by: path, path })));
    const addresses = allowsCleartext ? [] : scan.http.filter(({ origin }) => !loaded.has(origin));
    const lines = new TextLines(addresses.length === 0 ? '' : text);
    for (const { origin, index } of addresses) {
      const start = lines.positionAt(index);
      const end = { ...start, character: start.character + origin.length };
      loaded.set(origin, cleartextFinding({ path, start, end }, origin, next(origin)));
    }
  }
  const allowed = facts?.allowedPermissions;
  return {
    permissions: PAGE_PERMISSIONS.flatMap((permission) => {
      const first = asked.find((each) => each.permission === permission);
      return first === undefined ? [] : [{ ...first, isAllowed: allowed?.has(permission) !== false }];
    }),
    findings: limited([...loaded.values()]),
  };
}

/** What a file does. @param path below the folder of the pages */
function scanFile(
  path: string,
  text: string,
): { readonly permissions: ReadonlySet<PagePermission>; readonly http: readonly HttpAddress[] } {
  const scanned = (script: string) => ({
    permissions: permissionsIn(script),
    http: httpAddressesIn(path, text, script),
  });
  // Taking the comments out takes longest, and in most files there's nothing to find anyway.
  const all = scanned(text);
  return all.permissions.size === 0 && all.http.length === 0 ? all : scanned(scriptsIn(path, text));
}

/** How an app may load from an address all the same. */
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

function cleartextFinding(place: NonNullable<ProjectFinding['place']>, origin: string, next: Sentence): ProjectFinding {
  return {
    code: 'cleartext',
    verdict: 'mayFail',
    message: sentence('{0} loads from {1}, but Android apps can’t load unencrypted addresses.', place.path, origin),
    next,
    place,
  };
}

function limited(findings: readonly ProjectFinding[]): readonly ProjectFinding[] {
  const more = findings.length - MAX_FINDINGS;
  const message = sentence('{0} more addresses that the app loads from aren’t encrypted.', more);
  return more <= 0
    ? findings
    : [...findings.slice(0, MAX_FINDINGS), { code: 'cleartext', verdict: 'mayFail', message }];
}
