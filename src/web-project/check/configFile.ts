import { CancelledError, sentence } from '../../errors/index.ts';
import {
  allowsCleartext,
  findAttribute,
  getPluginName,
  getStartPage,
  MAX_CONFIG_LENGTH,
  type Span,
  type WidgetPart,
  widgetParts,
  type XmlDocument,
} from '../../config-xml/index.ts';
import { allowedPermissions, type PagePermission, PERMISSIONS_PREFERENCE } from '../../android-package/index.ts';
import { errorCode, type ProjectFolder } from '../projectFolder.ts';
import type { IgnoreRule } from '../packing/ignoreRules.ts';
import type { LeftOutReason, PackagePlan } from '../packing/packageContents.ts';
import { type ProjectPlugin, getVariables } from '../projectPlugins.ts';
import { fails, type ProjectFinding, type ProjectLocation } from './projectFinding.ts';

/** The config.xml of a project, as a service would read it. */
export interface ConfigText {
  /** Path relative to the project. */
  readonly path: string;
  readonly text: string;
}

/** Paths of config.xml in projects. PhoneGap kept it next to the pages. */
const USUAL_PATHS = ['config.xml', 'www/config.xml'] as const;

/**
 * Reads the config.xml of a project as a service would, up to 1 MiB.
 *
 * @param sent the path of the config.xml that a service would use. Undefined if none is sent
 * @param plan the planned package. Undefined if nothing can be sent
 * @param unsavedText returns the text of a file in an editor with unsaved changes
 * @returns the text, the finding that prevents reading it, or undefined if the project has no config.xml
 * @throws CancelledError
 */
export async function readConfigFile(
  folder: ProjectFolder,
  sent: string | undefined,
  plan: Pick<PackagePlan, 'leftOut'> | undefined,
  unsavedText: (path: string) => string | undefined,
): Promise<ConfigText | ProjectFinding | undefined> {
  const path = sent ?? (await usualPathIn(folder));
  if (path === undefined) {
    return undefined;
  }
  if (sent === undefined && plan !== undefined) {
    return leftOutFinding(path, plan);
  }
  const unsaved = unsavedText(path);
  if (unsaved !== undefined) {
    return unsaved.length > MAX_CONFIG_LENGTH ? tooLarge(path) : { path, text: unsaved };
  }
  try {
    const bytes = await folder.head(path, MAX_CONFIG_LENGTH + 1);
    return bytes.length > MAX_CONFIG_LENGTH ? tooLarge(path) : decoded(path, bytes);
  } catch (error) {
    if (error instanceof CancelledError) {
      throw error;
    }
    const message = sentence('config.xml can’t be read ({0}).', errorCode(error));
    const next = sentence('Check its permissions, then check the folder again.');
    return fails('config', message, { next, location: { path } });
  }
}

/** Returns the path of the config.xml on disk, whether or not it's sent. */
async function usualPathIn(folder: ProjectFolder): Promise<string | undefined> {
  for (const path of USUAL_PATHS) {
    if (await folder.isFile(path)) {
      return path;
    }
  }
  return undefined;
}

function decoded(path: string, bytes: Uint8Array): ConfigText | ProjectFinding {
  try {
    // A file in UTF-16 isn't valid UTF-8, so it must be decoded separately.
    return { path, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const message = sentence('config.xml isn’t in UTF-8, so services can’t read it.');
    return fails('encoding', message, { next: sentence('Save it with the encoding UTF-8.'), location: { path } });
  }
}

function tooLarge(path: string): ProjectFinding {
  const message = sentence('config.xml is larger than 1 MiB, so services don’t read it.');
  const next = sentence('Remove everything except the app’s configuration.');
  return fails('tooLarge', message, { next, location: { path } });
}

function leftOutFinding(path: string, plan: Pick<PackagePlan, 'leftOut'>): ProjectFinding {
  const reason = ruleAgainst(path, plan);
  const message =
    reason === undefined
      ? sentence('{0} isn’t in the package, so the app would lose its ID, version, and plugins.', path)
      : sentence(
          'The rule “{1}” in {2} leaves out {0}, so the app would lose its ID, version, and plugins.',
          path,
          reason.rule,
          reason.file,
        );
  const next = sentence('Add the line !{0} to .appbuildignore to include it.', path);
  return fails('configMissing', message, { next, location: { path } });
}

/** Returns the rule of an ignore file that excludes a file, if any. */
export function ruleAgainst(path: string, plan: Pick<PackagePlan, 'leftOut'>): IgnoreRule | undefined {
  const reason = reasonAgainst(path, plan);
  return reason?.kind === 'ignored' ? reason : undefined;
}

/**
 * Returns the reason why a file is left out of the package, or undefined if nothing excludes it. The file doesn't have
 * to exist.
 */
export function reasonAgainst(path: string, { leftOut }: Pick<PackagePlan, 'leftOut'>): LeftOutReason | undefined {
  return leftOut.find((each) => each.path === path || (each.path.endsWith('/') && path.startsWith(each.path)))?.reason;
}

/** A plugin and its location in the project. */
export type NamedPlugin = Pick<ProjectPlugin, 'name' | 'variables' | 'platform' | 'location'>;

/** Facts from config.xml that other checks need. */
export interface ConfigFacts {
  readonly id: string | undefined;
  /** Location of the `id` attribute. */
  readonly idLocation: ProjectLocation | undefined;
  /** App ID on iOS, if it differs from `id`. */
  readonly iosId: string | undefined;
  /** Path of the page in `<content src>`, relative to the pages. */
  readonly startPage: string;
  readonly plugins: readonly NamedPlugin[];
  /** Whether Android lets the app load unencrypted addresses. */
  readonly allowsCleartext: boolean;
  /** Permissions that the app may ask for. Undefined if config.xml doesn't restrict them. */
  readonly allowedPermissions: ReadonlySet<PagePermission> | undefined;
}

/**
 * Reads the facts from a config.xml.
 *
 * @param getLocation returns the location of a part of the text
 */
export function getConfigFacts(document: XmlDocument, getLocation: (span: Span) => ProjectLocation): ConfigFacts {
  const { root } = document;
  const id = root && findAttribute(root, 'id');
  return {
    id: id?.value,
    idLocation: id && getLocation(id.valueSpan ?? id.nameSpan),
    startPage: getStartPage(document),
    iosId: root && findAttribute(root, 'ios-CFBundleIdentifier')?.value,
    plugins: widgetParts(document).flatMap((part) => toNamedPlugins(part, getLocation)),
    allowsCleartext: allowsCleartext(document),
    allowedPermissions: getAllowedPermissions(document),
  };
}

function getAllowedPermissions(document: XmlDocument): ConfigFacts['allowedPermissions'] {
  const values = widgetParts(document)
    .filter(({ name, platform }) => name === 'preference' && (platform === undefined || platform === 'android'))
    .filter(
      ({ element }) => findAttribute(element, 'name')?.value.toLowerCase() === PERMISSIONS_PREFERENCE.toLowerCase(),
    )
    // A preference for Android overrides one for all platforms. Otherwise, the last one is used.
    .toSorted((a, b) => Number(a.platform !== undefined) - Number(b.platform !== undefined))
    .map(({ element }) => findAttribute(element, 'value')?.value ?? '');
  const value = values.at(-1);
  return value === undefined ? undefined : allowedPermissions(value);
}

function toNamedPlugins(part: WidgetPart, getLocation: (span: Span) => ProjectLocation): readonly NamedPlugin[] {
  const { element, platform } = part;
  const name = part.name === 'plugin' ? getPluginName(element) : '';
  return name === ''
    ? []
    : [{ name, variables: getVariables(element), platform, location: getLocation(element.startTag) }];
}
