import type { Field, Resource } from '../../api/hypermedia/resource.ts';
import { isWebAddress, shortRelation } from './addressText.ts';

/** What a resource says of itself. */
export interface ResourceName {
  /** What it is called; undefined when nothing names it. */
  readonly title: string | undefined;
  /** What it is: `User`, `Pod`, `customer`. */
  readonly kind: string | undefined;
  /** The title is an identifier, which says little by itself. */
  readonly isIdentifier: boolean;
  /** What the one thing inside is called, or is, when the resource itself has no title. */
  readonly inside?: string | undefined;
}

/** Fields that say what a thing is, best first: JSON-LD, JSON:API and many others, Kubernetes, FHIR, Stripe, OData. */
const KIND_FIELDS = new Map(
  ['@type', 'type', 'kind', 'resourceType', 'object', '@odata.type'].map((name, rank) => [name, rank]),
);

/** A longer text is no name of a kind. */
const MAX_KIND_LENGTH = 60;

/** What wraps one thing has few parts. */
const MAX_WRAPPER_PARTS = 8;

/**
 * The name of a resource. An address is no title: it is where the resource is, or an identifier for programs. A value names
 * what has no title, such as an e-mail address in SCIM and FHIR.
 */
export function nameOf(resource: Resource): ResourceName {
  const { fields } = resource;
  const value = fields.find((field) => field.name === 'value' && !isFlag(field))?.text;
  const title = [resource.title, value].find((text) => text !== undefined && text !== '' && !isWebAddress(text));
  const isIdentifier = title !== undefined && fields.some((field) => isIdField(field) && field.text === title);
  return { title, kind: kindOf(resource), isIdentifier };
}

function isFlag({ value }: Field): boolean {
  return value === null || typeof value === 'boolean';
}

/**
 * The name of an element of an array. One that is only a wrapper, such as FHIR's `{fullUrl, resource, search}` or
 * Spotify's `{added_at, track}`, is called what the one named thing in it is called.
 */
export function nameOfItem(resource: Resource): ResourceName {
  const own = nameOf(resource);
  const inside = own.title === undefined ? nameOfContent(resource) : undefined;
  if (inside === undefined) {
    return own;
  }
  return own.kind === undefined ? inside : { ...own, inside: inside.title ?? inside.kind };
}

/** The name of the one named thing in a resource; a title says more than an identifier, and that more than a kind. */
function nameOfContent({ embedded }: Resource): ResourceName | undefined {
  if (embedded.length > MAX_WRAPPER_PARTS) {
    return undefined;
  }
  const parts = embedded.length === 1 ? embedded : embedded.filter(({ index }) => index === undefined);
  const names = parts.map(({ resource }) => nameOf(resource));
  for (const candidates of [
    names.filter(({ title, isIdentifier }) => title !== undefined && !isIdentifier),
    names.filter(({ title }) => title !== undefined),
    names.filter(({ kind }) => kind !== undefined),
  ]) {
    if (candidates.length > 0) {
      return candidates.length === 1 ? candidates[0] : undefined;
    }
  }
  return undefined;
}

/** True for the field that numbers or names a thing for programs. */
export function isIdField({ name }: Field): boolean {
  return name.length === 2 && name.toLowerCase() === 'id';
}

function kindOf({ classes, fields }: Resource): string | undefined {
  if (classes?.[0] !== undefined) {
    return shortRelation(classes[0]);
  }
  let best: string | undefined;
  let bestRank = KIND_FIELDS.size;
  for (const { name, value } of fields) {
    const rank = KIND_FIELDS.get(name) ?? bestRank;
    if (rank < bestRank && typeof value === 'string' && value !== '' && value.length <= MAX_KIND_LENGTH) {
      best = value;
      bestRank = rank;
    }
  }
  // `#Trip.Service.Models.Person` is a type and its namespace (OData JSON Format 4.01 §4.6.3)
  return best?.startsWith('#') ? best.slice(Math.max(best.lastIndexOf('.'), 0) + 1) : best && shortRelation(best);
}
