import type { Builder } from './builder.ts';
import { createBuiltinBuilder } from './builtin/builtinBuilder.ts';
import { createCommandBuilder } from './commandBuilder.ts';
import { createCordovaBuilder } from './cordova/cordovaBuilder.ts';
import { EngineError, findEngine } from './cordova/engine.ts';
import { demoBuilder } from './demoBuilder.ts';

export interface BuilderOptions {
  /** `undefined`: Cordova where it is found, else the built-in builder. */
  readonly builder: 'builtin' | 'cordova' | 'demo' | undefined;
  /** A program of the person's own, which builds instead. */
  readonly builderCommand: string | undefined;
  /** The folder of the engine; `undefined`: it is looked for. */
  readonly engine: string | undefined;
  readonly dataFolder: string | undefined;
}

/** @throws Error whose message is for a person, when the builder that was asked for cannot be used */
export async function chooseBuilder(
  { builder, builderCommand, engine: option, dataFolder }: BuilderOptions,
  env: Readonly<NodeJS.ProcessEnv> = process.env,
): Promise<Builder> {
  if (builderCommand !== undefined) {
    return createCommandBuilder(builderCommand);
  }
  if (builder === 'demo') {
    return demoBuilder;
  }
  const builtin = createBuiltinBuilder(dataFolder);
  if (builder === 'builtin') {
    return builtin;
  }
  const findCordova = async (): Promise<Builder | undefined> => {
    const engine = await findEngine(option, dataFolder, env);
    return engine && createCordovaBuilder(engine, env);
  };
  const cordova = await findCordova();
  if (cordova === undefined && builder === 'cordova') {
    throw new EngineError(
      'No Cordova engine was found. Install one with --data DIR --install-engine, or name one with --engine DIR.',
    );
  }
  if (cordova === undefined) {
    return untilInstalled(builtin, findCordova);
  }
  return builder === 'cordova' ? cordova : withAndroid(cordova, builtin);
}

/** The built-in builder, until there is an engine: one may be installed while the service runs, by whichever window. */
function untilInstalled(builtin: Builder, findCordova: () => Promise<Builder | undefined>): Builder {
  let builder = builtin;
  return {
    get name() {
      return builder.name;
    },
    get plugins() {
      return builder.plugins;
    },
    // Asked before each build, and by each client that wants to know what can be built.
    platforms: async () => {
      if (builder === builtin) {
        const cordova = await findCordova();
        builder = cordova === undefined ? builtin : withAndroid(cordova, builtin);
      }
      return builder.platforms();
    },
    build: (...job) => builder.build(...job),
  };
}

/**
 * Cordova, and for Android the built-in builder where Cordova lacks the SDK: who installs the engine loses nothing by it.
 */
function withAndroid(cordova: Builder, builtin: Builder): Builder {
  /** As far as it was asked. */
  let isMissing = false;
  return {
    name: cordova.name,
    get plugins() {
      const all = [...(cordova.plugins ?? []), ...(isMissing ? (builtin.plugins ?? []) : [])];
      return [...new Map(all.map((plugin) => [plugin.name, plugin])).values()];
    },
    platforms: async () => {
      const obstacles = await cordova.platforms();
      isMissing = obstacles.android !== undefined;
      return { ...obstacles, android: undefined };
    },
    build: async (job, log, signal) => {
      const missing = job.platform === 'android' ? (await cordova.platforms()).android : undefined;
      if (missing === undefined) {
        return cordova.build(job, log, signal);
      }
      log(`Cordova cannot build for Android here: ${missing} The built-in builder makes the app.`);
      return { ...(await builtin.build(job, log, signal)), builder: builtin.name };
    },
  };
}
