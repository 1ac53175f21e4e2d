import type { Resource } from '../../api/hypermedia/resource.ts';
import { MAX_ROWS } from '../../workbench/limits.ts';
import { elementsOf, fieldOf, mapOf, plainMessage, textMember } from './members.ts';

export interface SupportedPlugin {
  readonly name: string;
  /** Those that an app has to give a value. */
  readonly variables: readonly string[];
  /** By platform; why apps with this plugin can't be built here. */
  readonly unavailable?: Readonly<Record<string, string | undefined>>;
}

/** The platforms and plugins that the service builds (the original's `current_support`; the local service adds builder and reasons). */
export interface BuilderSupport {
  /** `builtin`, `cordova`, `command`; undefined when the service does not say. */
  readonly builder: string | undefined;
  /** By platform; the builder, if it's a different one. */
  readonly builtBy?: Readonly<Record<string, string | undefined>>;
  /** By platform; a reason where it cannot be built here. */
  readonly platforms: readonly { readonly platform: string; readonly unavailable: string | undefined }[];
  /** Undefined when the service does not say, or takes any. */
  readonly plugins: readonly SupportedPlugin[] | undefined;
}

/** What a platform is built with; undefined when the service doesn't say. */
export function builderOf({ builder, builtBy }: BuilderSupport, platform: string): string | undefined {
  return builtBy?.[platform] ?? builder;
}

export function isAvailable({ unavailable }: BuilderSupport['platforms'][number]): boolean {
  return unavailable === undefined || unavailable === '';
}

/** Reads the answer of the `current_support` link: `unavailable`, else the original's `by_phonegap`. Never throws. */
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

/** The builder that ships with the service: it builds Android apps, without plugins that have code of their own. */
export const BUILTIN_BUILDER = 'builtin';
