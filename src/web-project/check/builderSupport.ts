/** The platforms and plugins that a service can build. */

/** A plugin that the service can build with. */
export interface SupportedPlugin {
  readonly name: string;
  /** Names of the variables that an app must set in its config.xml. */
  readonly variables: readonly string[];
  /** Reasons why apps with this plugin can't be built, keyed by platform. */
  readonly unavailable?: Readonly<Record<string, string | undefined>>;
}

/**
 * The platforms and plugins that a service supports, from its `current_support` resource. Only the local service
 * reports builders and reasons.
 */
export interface BuilderSupport {
  /** `builtin`, `cordova`, or `command`. Undefined if the service doesn't report it. */
  readonly builder: string | undefined;
  /** Builders of the platforms that use a different builder, keyed by platform. */
  readonly builtBy?: Readonly<Record<string, string | undefined>>;
  /** The platforms. `unavailable` is the reason why a platform can't be built. */
  readonly platforms: readonly { readonly platform: string; readonly unavailable: string | undefined }[];
  /** The supported plugins. Undefined if the service doesn't report them, or accepts any plugin. */
  readonly plugins: readonly SupportedPlugin[] | undefined;
}

/** Returns the builder for a platform, or undefined if the service doesn't report it. */
export function getBuilder({ builder, builtBy }: BuilderSupport, platform: string): string | undefined {
  return builtBy?.[platform] ?? builder;
}

/** Reports whether the service can build for a platform. */
export function isAvailable({ unavailable }: BuilderSupport['platforms'][number]): boolean {
  return unavailable === undefined || unavailable === '';
}

/**
 * Name of the builder that comes with the local service. It builds Android apps, without compiling the native code of
 * plugins.
 */
export const BUILTIN_BUILDER = 'builtin';
