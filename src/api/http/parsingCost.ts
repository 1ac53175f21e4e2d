import { CHARACTERS_PER_TURN, tokenEnd, tokenStart, withPauses } from '../hypermedia/jsonTokens.ts';

/**
 * What JSON.parse takes for the parts of a document, in units of 0.1 µs (V8 13). A name that it has not met before goes into
 * its table of names and makes another shape of object; so do texts of 2 to 10 characters go into that table.
 */
const COSTS = { container: 1, member: 0.4, name: 9, shortText: 2 };

/** With the largest body of ordinary records about a half of it is used; 45 ms. */
const MAX_COST = 450_000;

/** Characters, with the quotes, of the texts that go into the table. */
const SHORT_TEXT = { min: 4, max: 12 };

/**
 * True for a document that JSON.parse would take too long for: nothing else runs while it does. The size alone does not tell:
 * 4 MiB of records take 15 ms, and as much of members with different names 400 ms.
 *
 * @param json of any length: there are pauses.
 */
export function takesLongToParse(json: string): Promise<boolean> {
  return withPauses(isCostly(json));
}

function* isCostly(json: string): Generator<undefined, boolean> {
  const names = new Set<string>();
  let costOfParts = 0;
  const cost = (): number => costOfParts + names.size * COSTS.name;
  let pause = CHARACTERS_PER_TURN;
  for (let start = tokenStart(json, 0); start < json.length && cost() <= MAX_COST;) {
    const end = tokenEnd(json, start);
    const next = tokenStart(json, end);
    const first = json[start];
    if (first === '"') {
      const length = end - start;
      if (json[next] === ':') {
        costOfParts += COSTS.member;
        names.add(json.slice(start, end));
      } else if (length >= SHORT_TEXT.min && length <= SHORT_TEXT.max) {
        costOfParts += COSTS.shortText;
      }
    } else if (first === '{' || first === '[') {
      costOfParts += COSTS.container;
    }
    start = next;
    if (start > pause) {
      yield;
      pause = start + CHARACTERS_PER_TURN;
    }
  }
  return cost() > MAX_COST;
}
