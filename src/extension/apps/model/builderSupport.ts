import type { Resource } from '../../../service-client/hypermedia/resource.ts';
import { MAX_ROWS } from '../../workbench/limits.ts';
import { elementsOf, fieldOf, mapOf, plainMessage, textMember } from './members.ts';

/** A plugin that the service can build with. */
export interface SupportedPlugin {
  readonly name: string;
  /** Names of the variables that an app must set. */
  readonly variables: readonly string[];
  /** Reasons why apps with this plugin can't be built, by platform. */
  readonly unavailable?: Readonly<Record<string, string | undefined>>;
}

/**
 * The platforms and plugins that a service supports: the resource `current_support` of PhoneGap Build. The local service adds the
 * builder and the reasons.
 */
export interface BuilderSupport {
  /** `builtin`, `cordova`, or `command`. Undefined if the service doesn't report it. */
  readonly builder: string | undefined;
  /** Builders by platform, for platforms with a different builder. */
  readonly builtBy?: Readonly<Record<string, string | undefined>>;
  /** The platforms. If one can't be built, `unavailable` is the reason. */
  readonly platforms: readonly { readonly platform: string; readonly unavailable: string | undefined }[];
  /** The supported plugins. Undefined if the service doesn't report them, or accepts any plugin. */
  readonly plugins: readonly SupportedPlugin[] | undefined;
}

/** Returns the builder for a platform. Undefined if the service doesn't report it. */
export function builderOf({ builder, builtBy }: BuilderSupport, platform: string): string | undefined {
  return builtBy?.[platform] ?? builder;
}

/** Reports whether the service can build for a platform. */
export function isAvailable({ unavailable }: BuilderSupport['platforms'][number]): boolean {
  return unavailable === undefined || unavailable === '';
}

/**
 * Reads the resource of the `current_support` link. Platforms come from `unavailable`, or from PhoneGap Build's `by_phonegap` if
 * that's missing. Never throws.
 */
export function readBuilderSupport(resource: Resource): BuilderSupport {
  const reasons = mapOf(resource, 'unavailable', '');
  const versions = resource.embedded.find(({ rel }) => rel === 'by_phonegap')?.resource.embedded ?? [];
  const builtBy = (mapOf(resource, 'built_by', '') ?? []).map(({ name, text }) => [name, text ?? undefined] as const);
  const version = versions.find(({ rel }) => rel === textMember(resource, 'default')) ?? versions[0];
  return {
    builder: textMember(resource, 'builder'),
    ...(builtBy.length > 0 && { builtBy: Object.fromEntries(builtBy) }),
    platforms:
      reasons?.map(({ name, text }) => ({ platform: name, unavailable: plainMessage(text ?? '') })) ??
      (version?.resource.fields ?? [])
        .slice(0, MAX_ROWS)
        .map(({ name }) => ({ platform: name, unavailable: undefined })),
    plugins: pluginsIn(resource),
  };
}

function pluginsIn(resource: Resource): readonly SupportedPlugin[] | undefined {
  const items = elementsOf(resource, /^plugins$/).slice(0, MAX_ROWS);
  if (items.length === 0) {
    return fieldOf(resource, 'plugins')?.text === '[]' ? [] : undefined;
  }
  return items.flatMap(({ resource: item }) => {
    const name = textMember(item, 'name');
    const variables = item.embedded.find(({ rel }) => rel === 'variables')?.resource.fields ?? [];
    const reasons = mapOf(item, 'unavailable', '') ?? [];
    const unavailable = Object.fromEntries(
      reasons.map(({ name: platform, text }) => [platform, plainMessage(text ?? '')]),
    );
    return name === undefined
      ? []
      : [{ name, variables: variables.map(({ text }) => text), ...(reasons.length > 0 && { unavailable }) }];
  });
}

/** Name of the builder that comes with the local service. It builds Android apps, but no plugins that bring native code. */
export const BUILTIN_BUILDER = 'builtin';
