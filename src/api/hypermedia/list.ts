import type { JsonObject } from './json.ts';
import type { Place } from './place.ts';
import type { Reading } from './reading.ts';
import type { Embedded, Resource } from './resource.ts';

/** What the elements of an array share. */
export class List {
  readonly reading: Reading;
  readonly place: Place;
  /** JSON Pointer of the array. */
  readonly pointer: string;

  constructor(reading: Reading, place: Place, pointer: string) {
    this.reading = reading;
    this.place = place;
    this.pointer = pointer;
  }
}

/**
 * An element of an array. It is read each time that somebody looks at it: people look at few, and the resources of a long
 * list take several times the memory of its JSON.
 */
export class ListItem implements Embedded {
  readonly index: number;
  readonly #list: List;
  readonly #value: JsonObject | readonly unknown[];

  constructor(list: List, value: JsonObject | readonly unknown[], index: number) {
    this.index = index;
    this.#list = list;
    this.#value = value;
  }

  get rel(): string {
    return this.#list.place.rel;
  }

  get resource(): Resource {
    const { reading, place, pointer } = this.#list;
    return reading.element(this.#value, place, `${pointer}/${this.index}`);
  }
}
