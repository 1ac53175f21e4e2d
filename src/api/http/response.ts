import type { Resource } from '../hypermedia/resource.ts';

/** Body of a response, by what it turned out to be. */
export type Body =
  /**
   * `value` is what was sent. `text` and `resource` are for people: secrets are hidden in their strings, and all else is as it
   * was sent, so that no number is rounded.
   */
  | { readonly kind: 'json'; readonly value: unknown; readonly text: string; readonly resource: Resource }
  /** Secrets are hidden in it. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array }
  | { readonly kind: 'none' };

/** A successful answer of the service (any 2xx, or a redirect that leads elsewhere and was not followed). */
export interface ServiceResponse {
  readonly status: number;
  /** Absolute URL that answered, after redirects, without secrets. */
  readonly url: string;
  /** Lower-case names; without secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Media type without parameters, lower case; empty when none was sent. */
  readonly mediaType: string;
  readonly body: Body;
  /** Whole call, milliseconds. */
  readonly milliseconds: number;
}

/** True for a web page: what captive portals and gateways answer instead of data. */
export function isHtml({ mediaType, body }: Pick<ServiceResponse, 'mediaType' | 'body'>): boolean {
  return (
    mediaType === 'text/html' ||
    mediaType === 'application/xhtml+xml' ||
    (body.kind === 'text' && /^\s*<(!doctype|html)/i.test(body.text))
  );
}
