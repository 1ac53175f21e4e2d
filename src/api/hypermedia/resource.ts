import type { Sentence } from '../errors/sentence.ts';
/**
 * A resource as a readonly value: what a JSON document says of itself, whichever link convention it uses. The readers
 * beside this file produce these values; nothing here fetches anything.
 */

/** A JSON value without members: what the sidebar shows as a leaf. `text` is the value as the service sent it. */
export interface Field {
  readonly name: string;
  readonly value: string | number | boolean | null;
  /** The value for people: numbers exactly as sent, even beyond 2^53. */
  readonly text: string;
}

/** A format of documents with links. `readResource.ts` decides which one wins. */
export type Convention = 'hal' | 'json-api' | 'siren' | 'collection-json' | 'hydra' | 'odata';

/** Where a link leads. Relative references are resolved against the URL of the response they came in (RFC 3986 §5.1.3). */
export type LinkTarget =
  /** Absolute http(s) URL on the origin of the response. */
  | { readonly kind: 'internal'; readonly url: string }
  /** Absolute http(s) URL on another origin: opened in a browser, never requested with credentials. */
  | { readonly kind: 'external'; readonly url: string }
  /** RFC 6570 URI template, to be expanded, then resolved against `base`. */
  | {
      readonly kind: 'template';
      readonly template: string;
      readonly base: string;
      readonly variables: readonly string[];
    };

/** A typed connection to another resource (RFC 8288 §2). */
export interface Link {
  /** The relation type, or the member name that stands for one. */
  readonly rel: string;
  readonly target: LinkTarget;
  /** What the link calls itself, as plain text. */
  readonly title?: string;
  /** Distinguishes links of the same relation. */
  readonly name?: string;
  /** Hint of the target's media type. */
  readonly type?: string;
  /**
   * The value of the member that an inferred link was read from, without credentials. Such a member is no field of the
   * resource: it is shown once, as this link.
   */
  readonly text?: string;
  /** HTTP method, where the convention states one; GET otherwise. */
  readonly method?: string;
  readonly deprecated?: boolean;
  /** Looks like a link to this API; followed only when the user asks for it. */
  readonly inferred?: true;
  /** JSON Pointer (RFC 6901) of the place in the document; empty for a header. */
  readonly pointer: string;
}

/** A resource inside another one: an object, or one element of an array. */
export interface Embedded {
  /** The member's name or the relation. Elements of one array share it. */
  readonly rel: string;
  /** Position among the resources of this relation, when the resource came out of an array. */
  readonly index?: number;
  /** Read when it is first looked at. */
  readonly resource: Resource;
}

/** An input of a {@link Form}. */
export interface FormField {
  readonly name: string;
  readonly type?: string;
  readonly title?: string;
  readonly value?: string;
  readonly required?: boolean;
  /** The values to choose from, where the document lists them (HAL-FORMS `options.inline`, Siren field values). */
  readonly options?: readonly FormOption[];
}

/** A value that a {@link FormField} can take. */
export interface FormOption {
  readonly value: string;
  /** What the value is called, when that is another text. */
  readonly title?: string;
}

/** A request that a resource offers: a Siren action, a HAL-FORMS template, a Collection+JSON query or template. */
export interface Form {
  readonly name: string;
  readonly title?: string;
  readonly method: string;
  readonly target: LinkTarget;
  /** Media type of the request body. */
  readonly contentType: string;
  readonly fields: readonly FormField[];
}

/** Something that looked like a link or a resource and could not be used. */
export interface Skipped {
  readonly pointer: string;
  readonly reason: Sentence;
}

export interface Resource {
  /** Link to the resource itself, when the document names one. */
  readonly self?: Link;
  /** Other relations whose links lead to the resource itself, the first of them: they are none of its links. */
  readonly selfRelations?: readonly string[];
  /** What the resource calls itself (`titleRank.ts` says by which members), as plain text. */
  readonly title?: string;
  /** What kind of thing the resource is (Siren `class`), as plain text; not empty. */
  readonly classes?: readonly string[];
  /** It is an array: its fields are named by their positions. */
  readonly isArray?: true;
  readonly fields: readonly Field[];
  readonly links: readonly Link[];
  readonly embedded: readonly Embedded[];
  readonly forms: readonly Form[];
  readonly skipped: readonly Skipped[];
  /** JSON Pointer of this resource in the document it came in; empty at the root. */
  readonly pointer: string;
}
