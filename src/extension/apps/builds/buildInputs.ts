import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { toLocalName } from '../../auth/localName.ts';
import type { SignedInConnection } from '../../auth/connection.ts';
import { read } from '../../workbench/readStored.ts';

/** Platforms and keys of a build. */
interface BuildInput {
  readonly platforms: readonly string[];
  /** IDs of the chosen signing keys by platform. Empty for the default key. */
  readonly keys: Readonly<Record<string, string>>;
}

const BUILD_INPUT = z.object({ platforms: z.array(z.string()), keys: z.record(z.string(), z.string()) });

type ServiceConnection = Pick<SignedInConnection, 'service'>;

/**
 * Remembers the platforms and keys of each app's last build, so that it can be repeated. Stores them in the global state by service and
 * path, because the local service's port can change.
 */
export class BuildInputs {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** Returns the last build's input, or undefined if the app hasn't been built from this computer. */
  get(appUrl: string, connection: ServiceConnection): BuildInput | undefined {
    return read(BUILD_INPUT, this.#memento.get(getInputKey(appUrl, connection)));
  }

  /** Stores the input of a build. @param input undefined to delete the stored input. */
  async set(appUrl: string, connection: ServiceConnection, input: BuildInput | undefined): Promise<void> {
    await this.#memento.update(getInputKey(appUrl, connection), input);
  }
}

function getInputKey(appUrl: string, { service }: ServiceConnection): string {
  return `buildInput/${toLocalName(appUrl, { current: service })}`;
}
