import { InvalidResponseError } from '../errors/responseErrors.ts';
import { readResource } from '../hypermedia/readResource.ts';
import type { Resource } from '../hypermedia/resource.ts';
import { hideSecretsInJson } from '../jsonRedaction.ts';
import type { Redactor } from '../redaction.ts';
import { resolveLink, type ServiceUrl } from '../serviceUrl.ts';

/** A response body, by detected kind. */
export type ResponseBody =
  /**
   * `value` is the parsed original. `text` and `resource` are for display: secrets in their strings are hidden, and
   * everything else is unchanged, so numbers aren't rounded.
   */
  | { readonly kind: 'json'; readonly value: unknown; readonly text: string; readonly resource: Resource }
  /** Secrets in `text` are hidden. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array }
  | { readonly kind: 'none' };

/** A successful response of the service: any 2xx, or a redirect to another server that wasn't followed. */
export interface ServiceResponse {
  readonly status: number;
  /** The absolute URL of the response after redirects, without secrets. */
  readonly url: string;
  /** Response headers without secrets. Names are lowercase. */
  readonly headers: Readonly<Record<string, string>>;
  /** Media type without parameters, in lowercase. Empty when none was sent. */
  readonly mediaType: string;
  readonly body: ResponseBody;
  /** Duration of the whole call in ms. */
  readonly milliseconds: number;
}

/** Reports whether the response is a web page. Captive portals and gateways send one instead of data. */
export function isHtml({ mediaType, body }: Pick<ServiceResponse, 'mediaType' | 'body'>): boolean {
  return (
    mediaType === 'text/html' ||
    mediaType === 'application/xhtml+xml' ||
    (body.kind === 'text' && /^\s*<(!doctype|html)/i.test(body.text))
  );
}

type ResponseHeaders = Readonly<Record<string, string>>;

/** Ambiguous media types. The body decides whether the response is JSON. */
const VAGUE_MEDIA_TYPES = ['', 'text/plain', 'text/html', 'application/octet-stream'];

const utf8 = new TextDecoder();

/** Returns the media type without parameters, in lowercase. Empty when none was sent. */
export function getMediaType(headers: ResponseHeaders): string {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

interface ReceivedBody {
  readonly bytes: Uint8Array;
  readonly headers: ResponseHeaders;
  /** The absolute URL of the response. */
  readonly url: string;
  /** Addresses in which a secret was replaced: this URL and those in the headers. */
  readonly masked?: readonly string[];
  readonly service: ServiceUrl;
  readonly redactor: Redactor;
}

/**
 * Parses a body. JSON is recognized by its media type, or by its content when the type is ambiguous.
 *
 * @throws {@link InvalidResponseError} `notJson` when the type is JSON and the body isn't.
 */
export function parseBody({ bytes, ...received }: ReceivedBody): ResponseBody {
  const { headers, url, redactor } = received;
  if (bytes.length === 0) {
    return { kind: 'none' };
  }
  const mediaType = getMediaType(headers);
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
): ResponseBody {
  const { text, masked } = hideSecretsInJson(sent, redactor);
  const shown = text === sent ? value : parseJson(text);
  const mediaType = getMediaType(headers);
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
    // Parse on demand, because many callers never use the resource.
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

/** Parses JSON. Returns undefined for invalid JSON. */
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

function decode(bytes: Uint8Array, headers: ResponseHeaders): string {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return utf8.decode(bytes);
  }
}
