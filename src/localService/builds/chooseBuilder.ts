import { createCommandBuilder } from './commandBuilder.ts';
import { demoBuilder } from './demoBuilder.ts';
import type { Builder } from './builder.ts';

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
export async function chooseBuilder({ builderCommand }: BuilderOptions): Promise<Builder> {
  return Promise.resolve(builderCommand === undefined ? demoBuilder : createCommandBuilder(builderCommand));
}
