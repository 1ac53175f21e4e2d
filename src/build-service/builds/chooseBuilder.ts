import type { Builder } from './builder.ts';
import { createCordovaBuilder } from './cordova/cordovaBuilder.ts';
import { EngineError, findEngine } from './cordova/engine.ts';
import { UnsupportedPluginError } from '../../android-package/index.ts';
import { createBuiltinBuilder } from './builtinBuilder.ts';

/** Options that select a builder. */
export interface BuilderOptions {
  /** The requested builder. `undefined` for Cordova if it's installed, or the built-in builder otherwise. */
  readonly builder: 'builtin' | 'cordova' | undefined;
  /** Folder of the Cordova engine. `undefined` to search for it. */
  readonly engine: string | undefined;
  readonly dataFolder: string | undefined;
}

/**
 * Creates the builder that the options specify.
 *
 * @throws Error with a message for the user if that builder can't be used
 */
export async function chooseBuilder(
  { builder, engine: option, dataFolder }: BuilderOptions,
  env: Readonly<NodeJS.ProcessEnv> = process.env,
): Promise<Builder> {
  const builtin = createBuiltinBuilder(dataFolder);
  if (builder === 'builtin') {
    return builtin;
  }
  const findCordova = async (): Promise<Builder | undefined> => {
    const engine = await findEngine(option, dataFolder, env);
    return engine && createCordovaBuilder(engine, env);
  };
  const cordova = await findCordova();
  if (builder !== 'cordova') {
    return bestBuilder(builtin, cordova, findCordova);
  }
  if (cordova === undefined) {
    throw new EngineError(
      'No Cordova engine was found. Install one with --data DIR --install-engine, or specify one with --engine DIR.',
    );
  }
  return cordova;
}

/**
 * Creates a builder that uses Cordova as soon as an engine is installed, even while the service is running. Uses the
 * built-in builder until then, and for Android as long as the SDK is missing. Therefore, installing the engine never
 * makes Android unavailable.
 */
function bestBuilder(
  builtin: Builder,
  found: Builder | undefined,
  findCordova: () => Promise<Builder | undefined>,
): Builder {
  let cordova = found;
  /** The reason, as of the last check, why Cordova can't build for Android. */
  let androidObstacle: string | undefined;
  return {
    get name() {
      return (cordova ?? builtin).name;
    },
    get builtBy() {
      return androidObstacle === undefined ? undefined : { android: builtin.name };
    },
    get plugins() {
      const android = androidObstacle;
      const all = [
        ...(cordova?.plugins ?? []).map((plugin) =>
          android === undefined ? plugin : { ...plugin, unavailable: { android } },
        ),
        ...(cordova === undefined || android !== undefined ? (builtin.plugins ?? []) : []),
      ];
      return [...new Map(all.map((plugin) => [plugin.name, plugin])).values()];
    },
    // This is called before each build, and for each client that asks what can be built.
    platforms: async () => {
      cordova ??= await findCordova();
      if (cordova === undefined) {
        return builtin.platforms();
      }
      const unavailablePlatforms = await cordova.platforms();
      androidObstacle = unavailablePlatforms.android;
      return { ...unavailablePlatforms, android: undefined };
    },
    build: async (job, log, signal) => {
      if (cordova === undefined) {
        return builtin.build(job, log, signal);
      }
      const missing = job.platform === 'android' ? (await cordova.platforms()).android : undefined;
      if (missing === undefined) {
        return cordova.build(job, log, signal);
      }
      log(`Cordova can’t build for Android here. ${missing} The built-in builder builds the app.`);
      try {
        return { ...(await builtin.build(job, log, signal)), builder: builtin.name };
      } catch (error) {
        throw withMissingTools(error, cordova, missing);
      }
    },
  };
}

/**
 * If the engine already has all plugins that the error lists, replaces the error's advice with the missing Android
 * tools.
 */
function withMissingTools(error: unknown, { plugins = [] }: Builder, missing: string): unknown {
  const installed = new Set(plugins.map(({ name }) => name));
  return error instanceof UnsupportedPluginError && [...error.plugins.keys()].every((name) => installed.has(name))
    ? new UnsupportedPluginError(
        error.plugins,
        `Cordova has the native code, but can’t compile it for Android on this computer. ${missing}`,
      )
    : error;
}
