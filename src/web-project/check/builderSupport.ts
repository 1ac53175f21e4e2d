/** The platforms and plugins that a service builds. */

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
export function getBuilder({ builder, builtBy }: BuilderSupport, platform: string): string | undefined {
  return builtBy?.[platform] ?? builder;
}

/** Reports whether the service can build for a platform. */
export function isAvailable({ unavailable }: BuilderSupport['platforms'][number]): boolean {
  return unavailable === undefined || unavailable === '';
}

/** Name of the builder that comes with the local service. It builds Android apps, but no plugins that bring native code. */
export const BUILTIN_BUILDER = 'builtin';
