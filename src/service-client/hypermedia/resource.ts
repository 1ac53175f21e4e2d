import type { Sentence } from '../../errors/index.ts';
/**
 * A resource as a readonly value, independent of the document's link convention. The readers in this folder produce
 * these values. This module doesn't fetch anything.
 */

/** A JSON value without members, which is a leaf in the tree. */
export interface ResourceField {
  readonly name: string;
  readonly value: string | number | boolean | null;
  /** The value for display. Numbers are exactly as sent, including those beyond 2^53. */
  readonly text: string;
}

/** Document format with links. `readResource.ts` defines the precedence. */
export type Convention = 'hal' | 'json-api' | 'siren' | 'collection-json' | 'hydra' | 'odata';

/** Target of a link. Relative references are resolved against the URL of their response (RFC 3986 §5.1.3). */
export type LinkTarget =
  /** Absolute http(s) URL on the origin of the response. */
  | { readonly kind: 'internal'; readonly url: string }
  /** Absolute http(s) URL on another origin. It's opened in a browser and never requested with credentials. */
  | { readonly kind: 'external'; readonly url: string }
  /** RFC 6570 URI template. Expand it, then resolve it against `base`. */
  | {
      readonly kind: 'template';
      readonly template: string;
      readonly base: string;
      readonly variables: readonly string[];
    };

/** Typed connection to another resource (RFC 8288 §2). */
export interface Link {
  /** Relation type, or the member name that is used as one. */
  readonly rel: string;
  readonly target: LinkTarget;
  /** Title that the document gives the link, as plain text. */
  readonly title?: string;
  /** Name that distinguishes links of the same relation. */
  readonly name?: string;
  /** Hint for the target's media type. */
  readonly type?: string;
  /**
   * For an inferred link, the value of its member, without credentials. The member is shown as this link and not as a
   * field.
   */
  readonly text?: string;
  /** HTTP method, if the convention specifies one. Defaults to GET. */
  readonly method?: string;
  readonly deprecated?: boolean;
  /** Set if the link was guessed from a value that looks like an address of this API. Only the user can follow it. */
  readonly inferred?: true;
  /** JSON Pointer (RFC 6901) of the link in the document. Empty if the link is from a header. */
  readonly pointer: string;
}

/** Resource inside another one: an object, or one element of an array. */
export interface EmbeddedResource {
  /** Member name or relation. The elements of an array share it. */
  readonly rel: string;
  /** Index in the array, if the resource is from an array. */
  readonly index?: number;
  /** The resource. Read on first access. */
  readonly resource: Resource;
}

/** Input of a {@link ResourceForm}. */
export interface FormField {
  readonly name: string;
  readonly type?: string;
  readonly title?: string;
  readonly value?: string;
  readonly required?: boolean;
  /** Values to choose from, if the document lists them (HAL-FORMS `options.inline`, Siren field values). */
  readonly options?: readonly FormOption[];
}

/** Possible value of a {@link FormField}. */
export interface FormOption {
  readonly value: string;
  /** Title of the value, if it differs from the value. */
  readonly title?: string;
}

/** Request that a resource offers: a Siren action, a HAL-FORMS template, or a Collection+JSON query or template. */
export interface ResourceForm {
  readonly name: string;
  readonly title?: string;
  readonly method: string;
  readonly target: LinkTarget;
  /** Media type of the request body. */
  readonly contentType: string;
  readonly fields: readonly FormField[];
}

/** Unusable part of a document that looked like a link or a resource. */
export interface SkippedValue {
  readonly pointer: string;
  readonly reason: Sentence;
}

/** Resource read from a JSON document. */
export interface Resource {
  /** Link to the resource itself, if the document contains one. */
  readonly self?: Link;
  /** Other relations (at most 10) whose links lead to the resource itself. These links aren't in `links`. */
  readonly selfRelations?: readonly string[];
  /** Title from the document, as plain text. */
  readonly title?: string;
  /** Kinds of the resource (Siren `class`), as plain text. Absent instead of empty. */
  readonly classes?: readonly string[];
  /** Set for an array, whose fields are named by their positions. */
  readonly isArray?: true;
  readonly fields: readonly ResourceField[];
  readonly links: readonly Link[];
  readonly embedded: readonly EmbeddedResource[];
  readonly forms: readonly ResourceForm[];
  readonly skipped: readonly SkippedValue[];
  /** JSON Pointer of this resource in its document. Empty at the root. */
  readonly pointer: string;
}
