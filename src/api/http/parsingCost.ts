import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/**
 * What JSON.parse takes for the parts of a document, in units of 0.1 µs, measured with V8 13. Names and texts of 2 to 10
 * characters are kept in a table; one that is not there yet takes longer, a name also because it makes another shape of object.
 */
const COSTS = { container: 1, member: 0.65, otherName: 9, shortText: 0.3, otherShortText: 2.2 };

/** 45 ms. The largest bodies of ordinary records cost between a quarter and four fifths of it. */
const MAX_COST = 450_000;

/** Bytes of the texts that go into the table. */
const SHORT_TEXT = { min: 2, max: 10 };

/** Bytes that are gone through without a pause: about a millisecond. */
const BYTES_PER_TURN = 256 * 1024;

const HASH_BITS = 20;
/** Odd, and another one in each process, so that no text can be written to collide with another. */
const HASH_FACTOR = randomInt(2 ** 30, 2 ** 31) | 1;

const QUOTE = 0x22;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;

/**
 * True for a document that JSON.parse would take too long for: nothing else runs while it does. The size alone does not show it:
 * 4 MiB of records take 15 ms, and as much of members with different names 400 ms.
 *
 * @param json in UTF-8, of any length: there are pauses.
 */
export async function takesLongToParse(json: Uint8Array): Promise<boolean> {
  for (const cost of costsByTurn(json)) {
    if (cost > MAX_COST) {
      return true;
    }
    await setImmediate();
  }
  return false;
}

/** The cost so far, after each part of the document. V8 runs a loop without `await` in it a third faster. */
function* costsByTurn(json: Uint8Array): Generator<number> {
  const names = new DistinctHashes();
  const shortTexts = new DistinctHashes();
  let cost = 0;
  for (let at = 0; at < json.length;) {
    const turnEnd = Math.min(at + BYTES_PER_TURN, json.length);
    while (at < turnEnd) {
      const byte = json[at];
      at += 1;
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        cost += COSTS.container;
      } else if (byte === QUOTE) {
        const start = at;
        let hash = 0;
        while (at < json.length && json[at] !== QUOTE) {
          at += json[at] === BACKSLASH ? 2 : 1;
          hash = Math.imul(hash ^ (json[at - 1] ?? 0), HASH_FACTOR);
        }
        const length = at - start;
        at += 1;
        while (isSpace(json[at])) {
          at += 1;
        }
        if (json[at] === COLON) {
          cost += COSTS.member + (names.add(hash) ? COSTS.otherName : 0);
        } else if (length >= SHORT_TEXT.min && length <= SHORT_TEXT.max) {
          cost += COSTS.shortText + (shortTexts.add(hash) ? COSTS.otherShortText : 0);
        }
      }
    }
    yield cost;
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The last step of MurmurHash3: without it, one HASH_FACTOR of fifty leaves most of the slots empty. */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2_b2_ae_35);
  return twice ^ (twice >>> 16);
}

/** A set of hashes that mistakes few new ones for known ones. */
class DistinctHashes {
  readonly #seen = new Uint8Array(2 ** HASH_BITS);

  /** @returns true when it was not in the set. */
  add(hash: number): boolean {
    const slot = mixed(hash) >>> (32 - HASH_BITS);
    const isOther = this.#seen[slot] === 0;
    this.#seen[slot] = 1;
    return isOther;
  }
}
