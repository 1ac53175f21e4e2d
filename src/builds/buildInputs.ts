import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { localName } from '../auth/localName.ts';
import type { SignedInConnection } from '../auth/connection.ts';
import { read } from '../workbench/readStored.ts';

/** Platforms and keys of a build. */
export interface BuildInput {
  readonly platforms: readonly string[];
  /** IDs of the chosen signing keys by platform; empty for the default key. */
  readonly keys: Readonly<Record<string, string>>;
}

const BUILD_INPUT = z.object({ platforms: z.array(z.string()), keys: z.record(z.string(), z.string()) });

type AtService = Pick<SignedInConnection, 'service'>;

/**
 * The platforms and keys that each app was last built with, to build it so again. Kept in the global state by service and path, so that it is found
 * over sessions of the local service at other ports.
 */
export class BuildInputs {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** Undefined when the app was not built from here. */
  of(appUrl: string, connection: AtService): BuildInput | undefined {
    return read(BUILD_INPUT, this.#memento.get(keyOfInput(appUrl, connection)));
  }

  /** @param input undefined to forget it. */
  async set(appUrl: string, connection: AtService, input: BuildInput | undefined): Promise<void> {
    await this.#memento.update(keyOfInput(appUrl, connection), input);
  }
}

function keyOfInput(appUrl: string, { service }: AtService): string {
  return `buildInput/${localName(appUrl, { current: service })}`;
}
