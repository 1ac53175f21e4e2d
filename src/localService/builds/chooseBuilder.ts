import type { Builder } from './builder.ts';
import { createCommandBuilder } from './commandBuilder.ts';
import { createCordovaBuilder } from './cordova/cordovaBuilder.ts';
import { EngineError, findEngine } from './cordova/engine.ts';
import { demoBuilder } from './demoBuilder.ts';

export interface BuilderOptions {
  /** `undefined`: Cordova where it is found, else the demo builder. */
  readonly builder: 'demo' | 'cordova' | undefined;
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
  const findCordova = async (): Promise<Builder | undefined> => {
    const engine = await findEngine({ option, env, dataFolder });
    return engine && createCordovaBuilder(engine, env);
  };
  const cordova = await findCordova();
  if (cordova === undefined && builder === 'cordova') {
    throw new EngineError(
      'No Cordova engine was found. Install one with --data DIR --install-engine, or name one with --engine DIR.',
    );
  }
  return cordova ?? demoUntilInstalled(findCordova);
}

/** The demo builder, until there is an engine: one may be installed while the service runs, by whichever window. */
function demoUntilInstalled(findCordova: () => Promise<Builder | undefined>): Builder {
  let builder: Builder = demoBuilder;
  return {
    get name() {
      return builder.name;
    },
    get plugins() {
      return builder.plugins;
    },
    // Asked before each build, and by each client that wants to know what can be built.
    platforms: async () => {
      if (builder === demoBuilder) {
        builder = (await findCordova()) ?? demoBuilder;
      }
      return builder.platforms();
    },
    build: (...job) => builder.build(...job),
  };
}
