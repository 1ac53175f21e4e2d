import type { Readable } from 'node:stream';

import { removeCredentials } from './credentials.ts';
import { InvalidInputError } from './errors/buildServiceError.ts';
import { sentence } from './errors/sentence.ts';
import { isHttp } from './hypermedia/url.ts';
import { MAX_ADDRESS_LENGTH } from './limits.ts';
import type { Link } from './hypermedia/resource.ts';
import { hasPrefix, type ServiceUrl } from './serviceUrl.ts';

/** A request as a person composes it. */
export interface ServiceRequest {
  readonly method: string;
  /** Absolute URL on the service, a path below its address (`/api/v1/apps`), or an internal link of a resource. */
  readonly url: string | Link;
  /** Credentials and cookies among them are removed. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
  /** Returns responses of any status but 401 instead of throwing: their bodies say what to correct. */
  readonly anyStatus?: boolean;
  /** Bytes of an answer that isn't shown in rows, such as a log. Default: `MAX_RESOURCE_BYTES`. */
  readonly maxBytes?: number;
}

/**
 * The absolute URL of a link or path as a person writes it, without credentials.
 *
 * @throws {@link InvalidInputError} when it is neither, or not http(s).
 */
export function absoluteUrl(link: string, service: ServiceUrl): URL {
  const path = hasPrefix(link, service) ? link.slice(service.prefix.length) : link;
  const absolute = /^\/(?!\/)/.test(link) ? service.href + path : link;
  const url = link.length > MAX_ADDRESS_LENGTH ? null : URL.parse(absolute);
  if (url === null || !isHttp(url)) {
    throw new InvalidInputError(
      sentence('The link cannot be requested.'),
      sentence('Enter a path such as {0}, or a complete link that starts with https://.', '/api/v1/apps'),
    );
  }
  return removeCredentials(url);
}

/** @throws {@link InvalidInputError} for a template, which needs values first. */
export function urlOfLink({ target }: Link): string {
  if (target.kind === 'template') {
    throw new InvalidInputError(sentence('The link is a template: it needs values before it can be followed.'));
  }
  return target.url;
}

/** The method in upper case. @throws {@link InvalidInputError} when it is none, or CONNECT. */
export function methodOf(method: string): string {
  // A method is a token (RFC 9110 §5.6.2).
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(method) || method.toUpperCase() === 'CONNECT') {
    throw new InvalidInputError(sentence('The method of the request is not valid.'));
  }
  return method.toUpperCase();
}
