import { isObject, member } from './json.ts';

/** A JSON Pointer (RFC 6901), or one to an element of an array that becomes text when somebody needs it. */
export type Pointer = string | ElementPointer;

/** To an element of an array, or to one of its members. */
export class ElementPointer {
  readonly array: string;
  readonly position: number;
  /** The step to the member, with its slash; empty for the element. */
  readonly step: string;

  constructor(array: string, position: number, step = '') {
    this.array = array;
    this.position = position;
    this.step = step;
  }

  toString(): string {
    return `${this.array}/${this.position}${this.step}`;
  }
}

/** Appends one step (RFC 6901 §3). */
export function pointerTo(parent: string, step: string | number): string {
  if (typeof step === 'string' && (step.includes('~') || step.includes('/'))) {
    return `${parent}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return `${parent}/${step}`;
}

/** The place of a link object's address. */
export function pointerToHref(link: Pointer): Pointer {
  return typeof link === 'string' ? `${link}/href` : new ElementPointer(link.array, link.position, '/href');
}

/** The value that a pointer leads to (RFC 6901 §4); undefined where there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? (value[Number(name)] as unknown) : isObject(value) ? member(value, name) : undefined;
  }
  return value;
}
