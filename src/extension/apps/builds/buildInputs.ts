import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { localName } from '../../auth/localName.ts';
import type { SignedInConnection } from '../../auth/connection.ts';
import { read } from '../../workbench/readStored.ts';

/** Platforms and keys of a build. */
export interface BuildInput {
  readonly platforms: readonly string[];
  /** IDs of the chosen signing keys by platform. Empty for the default key. */
  readonly keys: Readonly<Record<string, string>>;
}

const BUILD_INPUT = z.object({ platforms: z.array(z.string()), keys: z.record(z.string(), z.string()) });

type AtService = Pick<SignedInConnection, 'service'>;

/**
 * Remembers the platforms and keys of the last build of each app, to repeat it. They're stored in the global state by service
 * and path, because the local service's port can change.
 */
export class BuildInputs {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** Returns the input of the last build. Undefined if the app wasn't built from this computer. */
  of(appUrl: string, connection: AtService): BuildInput | undefined {
    return read(BUILD_INPUT, this.#memento.get(keyOfInput(appUrl, connection)));
  }

  /**
   * Stores the input of a build.
   *
   * @param input undefined to delete the stored input.
   */
  async set(appUrl: string, connection: AtService, input: BuildInput | undefined): Promise<void> {
    await this.#memento.update(keyOfInput(appUrl, connection), input);
  }
}

function keyOfInput(appUrl: string, { service }: AtService): string {
  return `buildInput/${localName(appUrl, { current: service })}`;
}
