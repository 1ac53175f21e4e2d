import { UnsupportedPluginError, type Builder } from './builder.ts';
import { createBuiltinBuilder } from './builtin/builtinBuilder.ts';
import { createCordovaBuilder } from './cordova/cordovaBuilder.ts';
import { EngineError, findEngine } from './cordova/engine.ts';

export interface BuilderOptions {
  /** `undefined`: Cordova where it is found, else the built-in builder. */
  readonly builder: 'builtin' | 'cordova' | undefined;
  /** The folder of the engine; `undefined`: it is looked for. */
  readonly engine: string | undefined;
  readonly dataFolder: string | undefined;
}

/** @throws Error whose message is for a person, when the builder that was asked for cannot be used */
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
      'No Cordova engine was found. Install one with --data DIR --install-engine, or name one with --engine DIR.',
    );
  }
  return cordova;
}

/**
 * Cordova as soon as there is an engine, which may be installed while the service runs; the built-in builder until then, and for
 * Android where Cordova lacks the SDK: installing the engine takes nothing away.
 */
function bestBuilder(
  builtin: Builder,
  found: Builder | undefined,
  findCordova: () => Promise<Builder | undefined>,
): Builder {
  let cordova = found;
  /** What Cordova lacks for Android, according to its last answer. */
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
    // Asked before each build, and by each client that wants to know what can be built.
    platforms: async () => {
      cordova ??= await findCordova();
      if (cordova === undefined) {
        return builtin.platforms();
      }
      const obstacles = await cordova.platforms();
      androidObstacle = obstacles.android;
      return { ...obstacles, android: undefined };
    },
    build: async (job, log, signal) => {
      if (cordova === undefined) {
        return builtin.build(job, log, signal);
      }
      const missing = job.platform === 'android' ? (await cordova.platforms()).android : undefined;
      if (missing === undefined) {
        return cordova.build(job, log, signal);
      }
      log(`Cordova cannot build for Android here: ${missing} The built-in builder makes the app.`);
      try {
        return { ...(await builtin.build(job, log, signal)), builder: builtin.name };
      } catch (error) {
        throw withMissingTools(error, cordova, missing);
      }
    },
  };
}

/** The built-in builder recommends installing what plugins need. Where it's installed, Android's tools are missing. */
function withMissingTools(error: unknown, { plugins = [] }: Builder, missing: string): unknown {
  const installed = new Set(plugins.map(({ name }) => name));
  return error instanceof UnsupportedPluginError && [...error.plugins.keys()].every((name) => installed.has(name))
    ? new UnsupportedPluginError(
        error.plugins,
        `Cordova has the native code, but can’t compile it for Android on this computer. ${missing}`,
      )
    : error;
}
