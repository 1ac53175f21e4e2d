import { hintsOf } from './formats.ts';
import { memberName } from './memberName.ts';
import type { MemberName } from './memberName.ts';

/** Shapes that are remembered; documents of more than this have names that are data. */
const MOST_SHAPES = 100;

/** The names of an object's members, and what they say. */
export interface Shape {
  readonly names: readonly string[];
  readonly members: readonly MemberName[];
  /** The formats that the names hint at. */
  readonly hints: number;
}

/** The shapes of a document: worked out once for the many objects of a list. */
export class Shapes {
  readonly #known = new Map<string, Shape>();

  /** @param rel of the object: others of the same relation are likely to have the same members */
  of(object: object, rel: string): Shape {
    const names = Object.keys(object);
    const known = this.#known.get(rel);
    if (known !== undefined && areSame(known.names, names)) {
      return known;
    }
    const shape = { names, members: names.map(memberName), hints: hintsOf(names) };
    if (known !== undefined || this.#known.size < MOST_SHAPES) {
      this.#known.set(rel, shape);
    }
    return shape;
  }
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) {
    return false;
  }
  // in loops over every member of every object an index is several times faster than entries()
  for (let index = 0; index < some.length; index += 1) {
    if (some[index] !== others[index]) {
      return false;
    }
  }
  return true;
}
