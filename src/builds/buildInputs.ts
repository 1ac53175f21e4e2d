import type * as vscode from 'vscode';
import { localName } from '../auth/localName.ts';
import type { SignedInConnection } from '../auth/connection.ts';

/** Platforms and keys of a build. */
export interface BuildInput {
  readonly platforms: readonly string[];
  /** IDs of signing keys by platform, of those that were chosen; empty for the default key. */
  readonly keys: Readonly<Record<string, string>>;
}

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
    const stored: unknown = this.#memento.get(keyOfInput(appUrl, connection));
    return isBuildInput(stored) ? stored : undefined;
  }

  /** @param input undefined to forget it. */
  async set(appUrl: string, connection: AtService, input: BuildInput | undefined): Promise<void> {
    await this.#memento.update(keyOfInput(appUrl, connection), input);
  }
}

function keyOfInput(appUrl: string, { service }: AtService): string {
  return `buildInput/${localName(appUrl, { current: service })}`;
}

/** The global state is written by every version of this extension. */
function isBuildInput(value: unknown): value is BuildInput {
  const { platforms, keys } = (value ?? {}) as Partial<Record<keyof BuildInput, unknown>>;
  const isText = (each: unknown) => typeof each === 'string';
  return (
    Array.isArray(platforms) &&
    platforms.every(isText) &&
    typeof keys === 'object' &&
    keys !== null &&
    Object.values(keys).every(isText)
  );
}
