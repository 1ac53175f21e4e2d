import { InvalidResponseError } from '../errors/responseErrors.ts';
import { readResource } from '../hypermedia/readResource.ts';
import type { Resource } from '../hypermedia/resource.ts';
import { hideSecretsInJson } from '../jsonRedaction.ts';
import type { Redactor } from '../redaction.ts';
import { resolveLink, type ServiceUrl } from '../serviceUrl.ts';

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

type Headers = Readonly<Record<string, string>>;

/** Media types that say little: the body's look decides whether it is JSON. */
const VAGUE_MEDIA_TYPES = ['', 'text/plain', 'text/html', 'application/octet-stream'];

const utf8 = new TextDecoder();

/** Media type without parameters, lower case; empty when none was sent. */
export function mediaTypeOf(headers: Headers): string {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

interface ReceivedBody {
  readonly bytes: Uint8Array;
  readonly headers: Headers;
  /** Absolute URL that answered. */
  readonly url: string;
  /** Of this URL and the addresses in the headers, those in which a secret was hidden. */
  readonly masked?: readonly string[];
  readonly service: ServiceUrl;
  readonly redactor: Redactor;
}

/**
 * Parses a body. JSON is recognised by its media type, and by its look where the type says little.
 *
 * @throws {@link InvalidResponseError} notJson when the type says JSON and the body is not.
 */
export function parseBody({ bytes, ...received }: ReceivedBody): Body {
  const { headers, url, redactor } = received;
  if (bytes.length === 0) {
    return { kind: 'none' };
  }
  const mediaType = mediaTypeOf(headers);
  const declared = isJsonType(mediaType);
  if (declared || VAGUE_MEDIA_TYPES.includes(mediaType)) {
    const sent = utf8.decode(bytes);
    const mayBeJson = declared || /^\s*[[{]/.test(sent);
    const value = mayBeJson ? parseJson(sent) : undefined;
    if (value !== undefined) {
      return toJsonBody(value, sent, received);
    }
    if (declared) {
      throw new InvalidResponseError('notJson', new URL(url).host);
    }
  }
  return isTextType(mediaType) || (mediaType === '' && isUtf8(bytes))
    ? { kind: 'text', text: redactor.hideSecrets(decode(bytes, headers)) }
    : { kind: 'binary', bytes };
}

function toJsonBody(
  value: unknown,
  sent: string,
  { headers, url, masked: maskedInHead = [], service, redactor }: Omit<ReceivedBody, 'bytes'>,
): Body {
  const { text, masked } = hideSecretsInJson(sent, redactor);
  const shown = text === sent ? value : parseJson(text);
  const mediaType = mediaTypeOf(headers);
  const resolve = (href: string, base: string): URL | undefined => {
    const target = resolveLink(service, href, base);
    return target === undefined || redactor.containsSecretInHost(target.host) ? undefined : target;
  };
  const read = (): Resource =>
    readResource({
      value: shown,
      text,
      url,
      headers,
      mediaType,
      resolve,
      masked: new Set([...maskedInHead, ...masked]),
    });
  let resource: Resource | undefined;
  return {
    kind: 'json',
    value,
    text,
    // Read on demand: many callers take the value and never look at a link.
    get resource() {
      return (resource ??= read());
    },
  };
}

function isJsonType(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType === 'text/json' || mediaType.endsWith('+json');
}

function isTextType(mediaType: string): boolean {
  return /^text\/|[/+](xml|javascript|ecmascript|yaml|x-www-form-urlencoded)$/.test(mediaType);
}

/** The value of JSON; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0');
  } catch {
    return false;
  }
}

function decode(bytes: Uint8Array, headers: Headers): string {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return utf8.decode(bytes);
  }
}
