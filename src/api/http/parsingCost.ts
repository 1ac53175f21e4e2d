import { CHARACTERS_PER_TURN, tokenEnd, tokenStart, withPauses } from '../hypermedia/jsonTokens.ts';

/**
 * What JSON.parse takes for the parts of a document, in units of 0.1 µs, measured with V8 13. Names and texts of 2 to 10
 * characters are kept in a table; one that is not there yet takes longer, a name also because it makes another shape of object.
 */
const COSTS = { container: 1, member: 0.65, name: 9, shortText: 0.3, otherShortText: 2.2 };

/** 45 ms. The largest bodies of ordinary records cost between a quarter and four fifths of it. */
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
  const shortTexts = new Set<string>();
  let parts = 0;
  const cost = (): number => parts + names.size * COSTS.name + shortTexts.size * COSTS.otherShortText;
  let pause = CHARACTERS_PER_TURN;
  for (let start = tokenStart(json, 0); start < json.length && cost() <= MAX_COST;) {
    const end = tokenEnd(json, start);
    const next = tokenStart(json, end);
    const first = json[start];
    if (first === '{' || first === '[') {
      parts += COSTS.container;
    } else if (first === '"' && json[next] === ':') {
      parts += COSTS.member;
      names.add(json.slice(start, end));
    } else if (first === '"' && end - start >= SHORT_TEXT.min && end - start <= SHORT_TEXT.max) {
      parts += COSTS.shortText;
      shortTexts.add(json.slice(start, end));
    }
    start = next;
    if (start > pause) {
      yield;
      pause = start + CHARACTERS_PER_TURN;
    }
  }
  return cost() > MAX_COST;
}
