import { open, type FileHandle } from 'node:fs/promises';

import { FILE_MODE } from '../../store/dataFiles.ts';
import { digestChunk, SIGNED_CHUNK_BYTES } from './signingBlock.ts';

/** The file of a package while it is written from its start to its end: it keeps the digests of what it is written of. */
export class PackageFile {
  readonly #file: FileHandle;
  readonly #digests: Buffer[] = [];
  /** What is not written yet. */
  readonly #pending = Buffer.allocUnsafe(SIGNED_CHUNK_BYTES);
  #pendingBytes = 0;
  #written = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** @param path of a file that does not exist */
  static async create(path: string): Promise<PackageFile> {
    return new PackageFile(await open(path, 'wx', FILE_MODE));
  }

  /** Where the next byte comes. */
  get position(): number {
    return this.#written + this.#pendingBytes;
  }

  async write(bytes: Buffer): Promise<void> {
    for (let start = 0; start < bytes.length;) {
      const count = bytes.copy(this.#pending, this.#pendingBytes, start);
      this.#pendingBytes += count;
      start += count;
      if (this.#pendingBytes === SIGNED_CHUNK_BYTES) {
        await this.#flush();
      }
    }
  }

  /** Ends the section that is signed in chunks. @returns their digests */
  async endSection(): Promise<readonly Buffer[]> {
    if (this.#pendingBytes > 0) {
      await this.#flush();
    }
    return this.#digests;
  }

  /** Writes what follows the section, which is signed otherwise. */
  async writeRest(bytes: Buffer): Promise<void> {
    await this.#file.writeFile(bytes);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #flush(): Promise<void> {
    const bytes = this.#pending.subarray(0, this.#pendingBytes);
    this.#digests.push(digestChunk(bytes));
    await this.#file.writeFile(bytes);
    this.#written += bytes.length;
    this.#pendingBytes = 0;
  }
}
