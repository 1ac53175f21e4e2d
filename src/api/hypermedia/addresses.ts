const SLASH = 47;
const DOT = 46;

/** Characters that the URL parser leaves as they are in a path, by code. */
const PLAIN = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_~!$&()*+,;=:@/.-') {
  PLAIN[character.charCodeAt(0)] = 1;
}

const PLAIN_QUERY = /^\?[\w~!$&()*+,;=:@/.?-]*$/;

/**
 * The addresses of one document: which of them need no URL parser, and a hash for each. The hashes are different ones in
 * every document, so that nobody can write one whose addresses all have the same.
 */
export class Addresses {
  /** Hash of the path that was plain last. */
  plainHash = 0;
  readonly #origin: string;
  readonly #seed = random();
  readonly #factor = random() | 1;
  /** The path that was plain last. */
  #last = '/';
  /** The links of a list share a directory, which is looked at once. */
  #directory = '/';
  #directoryHash = this.hash('/');

  /** @param origin in front of plain paths */
  constructor(origin = '') {
    this.#origin = origin;
    this.plainHash = this.#directoryHash;
  }

  /**
   * True when joining origin and path gives what the URL parser would give: no second slash that would start a host, no
   * segment that starts with a dot, nothing to encode, no credentials. `new URL` costs more than parsing the JSON around a
   * link, so that the common case goes without; a loop is twice as fast as a regular expression.
   */
  isPlain(path: string): boolean {
    if (path === this.#last) {
      return true;
    }
    const known = path.startsWith(this.#directory);
    let hash = known ? this.#directoryHash : this.#seed;
    let previous = known ? SLASH : 0;
    let directory = 0;
    let directoryHash = 0;
    for (let index = known ? this.#directory.length : 0; index < path.length; index += 1) {
      const code = path.charCodeAt(index);
      if ((code === SLASH ? index === 1 : index === 0) || (code === DOT && previous === SLASH)) {
        return false;
      }
      if (code > 127 || PLAIN[code] !== 1) {
        const query = path.slice(index);
        return PLAIN_QUERY.test(query) && !query.includes('token') && this.#found(path, this.hash(query, hash));
      }
      hash = Math.imul(hash ^ code, this.#factor);
      if (code === SLASH) {
        directory = index + 1;
        directoryHash = hash;
      }
      previous = code;
    }
    if (directory > 0) {
      this.#directory = path.slice(0, directory);
      this.#directoryHash = directoryHash;
    }
    return previous !== 0 && this.#found(path, hash);
  }

  #found(path: string, hash: number): true {
    this.#last = path;
    this.plainHash = hash;
    return true;
  }

  /** The hash of a URL or a template: that of the path when it is on the origin. */
  hashOf(address: string): number {
    return this.hash(address.startsWith(this.#origin) ? address.slice(this.#origin.length) : address);
  }

  /** The hash of any text; `start` is that of what stands in front of it. */
  hash(text: string, start = this.#seed): number {
    let hash = start;
    for (let index = 0; index < text.length; index += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(index), this.#factor);
    }
    return hash;
  }
}

function random(): number {
  return (Math.random() * 2 ** 32) | 0;
}
