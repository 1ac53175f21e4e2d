import type * as vscode from 'vscode';
import { localName } from '../auth/localName.ts';
import type { ServiceSelection } from '../auth/serviceSelection.ts';
import type { SigningKey } from './model/signingKey.ts';

/** Facts from the files of a key, read before they were sent: services do not give them back. None is a secret. */
export interface KeyFacts {
  readonly expiresAt: Date | undefined;
  /** The identifier that a provisioning profile is for, such as `com.example.app` or `com.example.*`. */
  readonly appId: string | undefined;
  readonly team: string | undefined;
}

/** As it is stored. Times in milliseconds since 1970. */
interface StoredFacts {
  readonly addedAt: number;
  readonly expiresAt?: number;
  readonly appId?: string;
  readonly team?: string;
}

const PREFIX = 'keyFacts/';
/** Keys of which facts are remembered; beyond it those that were added first are forgotten. */
const MAX_KEYS = 200;

/** Remembers {@link KeyFacts} by the address of the key: one entry each, so that windows do not overwrite each other's. */
export class KeyFactsStore {
  readonly #globalState: vscode.Memento;
  readonly #selection: Pick<ServiceSelection, 'current'>;

  constructor(globalState: vscode.Memento, selection: Pick<ServiceSelection, 'current'>) {
    this.#globalState = globalState;
    this.#selection = selection;
  }

  /** The facts about a key; undefined for one that was added elsewhere. */
  find(keyUrl: string): KeyFacts | undefined {
    const stored = this.#read(this.#nameOf(keyUrl));
    return (
      stored && {
        expiresAt: stored.expiresAt === undefined ? undefined : new Date(stored.expiresAt),
        appId: stored.appId,
        team: stored.team,
      }
    );
  }

  /** A key, completed by the facts that the service does not have. */
  complete(key: SigningKey): SigningKey {
    const facts = this.find(key.url);
    return facts === undefined
      ? key
      : { ...key, expiresAt: key.expiresAt ?? facts.expiresAt, appId: key.appId ?? facts.appId };
  }

  /** Keeps the facts about a key that was added, in place of those about an earlier key at this address. */
  async remember(keyUrl: string, { expiresAt, appId, team }: KeyFacts): Promise<void> {
    if (expiresAt === undefined && appId === undefined && team === undefined) {
      await this.forget(keyUrl);
      return;
    }
    const stored: StoredFacts = {
      addedAt: Date.now(),
      ...(expiresAt !== undefined && { expiresAt: expiresAt.getTime() }),
      ...(appId !== undefined && { appId }),
      ...(team !== undefined && { team }),
    };
    await this.#globalState.update(this.#nameOf(keyUrl), stored);
    await this.#forgetOldest();
  }

  async forget(keyUrl: string): Promise<void> {
    await this.#globalState.update(this.#nameOf(keyUrl), undefined);
  }

  async #forgetOldest(): Promise<void> {
    const names = this.#globalState.keys().filter((name) => name.startsWith(PREFIX));
    const addedAt = (name: string) => this.#read(name)?.addedAt ?? 0;
    const oldest = names.sort((left, right) => addedAt(left) - addedAt(right)).slice(0, -MAX_KEYS);
    for (const name of oldest) {
      await this.#globalState.update(name, undefined);
    }
  }

  /** The global state is written by every version of this extension. */
  #read(name: string): StoredFacts | undefined {
    const stored = this.#globalState.get<unknown>(name);
    const { addedAt, expiresAt, appId, team } = (stored ?? {}) as Partial<Record<keyof StoredFacts, unknown>>;
    return typeof addedAt !== 'number'
      ? undefined
      : {
          addedAt,
          ...(typeof expiresAt === 'number' && { expiresAt }),
          ...(typeof appId === 'string' && { appId }),
          ...(typeof team === 'string' && { team }),
        };
  }

  #nameOf(keyUrl: string): string {
    return PREFIX + localName(keyUrl, this.#selection);
  }
}
