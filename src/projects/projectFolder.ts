import { cancellable } from './packing/cancellation.ts';
import type { DiskTree } from './packing/diskTree.ts';
import { join } from './packing/paths.ts';

/** Bytes of a file that is looked at for what it says of the project. */
const MAX_FILE_BYTES = 1024 * 1024;

/** A folder that may hold a project, and what its files say. Each file is read once. Paths are below the folder, with `/`. */
export class ProjectFolder {
  /** Of the folder itself, below the top of the tree. */
  readonly path: string;
  readonly #tree: DiskTree;
  readonly #signal: AbortSignal | undefined;
  readonly #texts = new Map<string, Promise<string | undefined>>();
  #names: Promise<ReadonlySet<string>> | undefined;

  constructor(tree: DiskTree, path: string, signal?: AbortSignal) {
    this.#tree = tree;
    this.path = path;
    this.#signal = signal;
  }

  /** Names of what is in it; empty when it cannot be read. @throws CancelledError */
  names(): Promise<ReadonlySet<string>> {
    const list = this.#tree.list(this.path).then(
      (entries) => new Set(entries.filter(({ kind }) => kind !== 'special').map(({ name }) => name)),
      () => new Set<string>(),
    );
    this.#names ??= cancellable(list, this.#signal);
    return this.#names;
  }

  /** Follows links. @throws CancelledError */
  async isFile(path: string): Promise<boolean> {
    const details = this.#tree.details(join(this.path, path)).catch(() => undefined);
    return (await cancellable(details, this.#signal))?.kind === 'file';
  }

  /** The text of a file, by its byte order mark; undefined when there is none that can be read. @throws CancelledError */
  text(path: string): Promise<string | undefined> {
    const known = this.#texts.get(path) ?? this.#read(path);
    this.#texts.set(path, known);
    return known;
  }

  async #read(path: string): Promise<string | undefined> {
    if (!(await this.isFile(path))) {
      return undefined;
    }
    const head = this.#tree.head(join(this.path, path), MAX_FILE_BYTES).catch(() => undefined);
    const bytes = await cancellable(head, this.#signal);
    return bytes && new TextDecoder(encodingOf(bytes)).decode(bytes);
  }

  /** The first bytes of a file; undefined when there is none that can be read. @throws CancelledError */
  async bytes(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    if (!(await this.isFile(path))) {
      return undefined;
    }
    const head = this.#tree.head(join(this.path, path), maxBytes).catch(() => undefined);
    return cancellable(head, this.#signal);
  }
}

/** As XML says (appendix F). */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) {
    return 'utf-16le';
  }
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
