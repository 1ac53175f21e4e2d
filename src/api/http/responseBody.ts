import type { BuildServiceError } from '../errors/buildServiceError.ts';
import { readResource, readResourceInSlices, type ReadInput } from '../hypermedia/reader.ts';
import type { Resource } from '../hypermedia/resource.ts';
import { InvalidResponseError } from '../errors/invalidResponseError.ts';
import { parseJsonInSlices } from './jsonInSlices.ts';
import type { Redactor } from '../redaction.ts';
import type { Body } from './response.ts';
import { toServiceError } from './toServiceError.ts';
import { resolveLink, type ServiceUrl } from '../serviceUrl.ts';

const utf8 = new TextDecoder();

type Headers = Readonly<Record<string, string>>;

/** Media type without parameters, lower case; empty when none was sent. */
export function mediaTypeOf(headers: Headers): string {
  const type = headers['content-type'] ?? '';
  return type === json ? json : (type.split(';', 1)[0]?.trim().toLowerCase() ?? '');
}

const json = 'application/json';

/**
 * What a body turned out to be. JSON is recognised by its media type, and by its look where the type says little. The links
 * of a short document are read when `resource` is first asked for, those of a long one at once, in slices.
 *
 * @throws {@link InvalidResponseError} notJson when the type says JSON and the body is not.
 */
export async function parseBody({
  bytes,
  headers,
  url,
  service,
  redactor,
}: {
  readonly bytes: Uint8Array;
  readonly headers: Headers;
  readonly url: string;
  readonly service: ServiceUrl;
  /** Knows what is to be taken out of the text. */
  readonly redactor?: Redactor | undefined;
}): Promise<Body> {
  if (bytes.length === 0) {
    return { kind: 'none' };
  }
  const mediaType = mediaTypeOf(headers);
  const declared = isJsonType(mediaType);
  if (declared || vague.includes(mediaType)) {
    const received = utf8.decode(bytes);
    const text = redactor?.hideSecretsInJson(received) ?? received;
    const value =
      declared || /^\s*[[{]/.test(text)
        ? text.length > longText
          ? await parseLongJson(text)
          : parseJson(text)
        : undefined;
    if (value !== undefined) {
      const input = (): ReadInput => ({ value, text, url, headers, mediaType, ...resolverFor(service) });
      return text.length > longText
        ? { kind: 'json', value, text, resource: await readResourceInSlices(input()) }
        : new JsonBody(value, text, () => readResource(input()));
    }
    if (declared) {
      throw new InvalidResponseError('notJson', new URL(url).host);
    }
  }
  return isTextType(mediaType) || (mediaType === '' && isUtf8(bytes))
    ? { kind: 'text', text: concealed(decode(bytes, headers), redactor) }
    : { kind: 'binary', bytes };
}

/** Without a path prefix the reader's own, faster way of resolving gives the same. */
function resolverFor(service: ServiceUrl): Pick<ReadInput, 'resolve'> {
  return service.prefix === '' ? {} : { resolve: (href, base) => resolveLink(service, href, base) };
}

/** JSON whose links are read when somebody asks for them: many a caller takes the value and never looks at a link. */
class JsonBody {
  readonly kind = 'json';
  readonly value: unknown;
  readonly text: string;
  readonly #read: () => Resource;
  #resource: Resource | undefined;

  constructor(value: unknown, text: string, read: () => Resource) {
    this.value = value;
    this.text = text;
    this.#read = read;
  }

  get resource(): Resource {
    return (this.#resource ??= this.#read());
  }
}

/**
 * The error for an answer that is not 2xx.
 *
 * @param bytes the body; undefined when it could not be read.
 */
export function failureOf(
  { status, headers }: { readonly status: number; readonly headers: Headers },
  bytes: Uint8Array | undefined,
  redactor: Redactor,
): BuildServiceError {
  const value = bytes === undefined ? undefined : parseJson(new TextDecoder().decode(bytes));
  // On an app `error` is an object: not a failure's message (contract, Error body).
  const error = typeof value === 'object' && value !== null && 'error' in value ? value.error : undefined;
  return toServiceError(status, typeof error === 'string' ? error : undefined, headers, redactor);
}

function concealed(text: string, redactor: Redactor | undefined): string {
  return redactor?.hideSecrets(text) ?? text;
}

/** Reading this many characters takes about as long as a slice. */
const longText = 256 * 1024;

const vague = ['', 'text/plain', 'text/html', 'application/octet-stream'];

function isJsonType(mediaType: string): boolean {
  return mediaType === json || mediaType === 'text/json' || mediaType.endsWith('+json');
}

function isTextType(mediaType: string): boolean {
  return /^text\/|[/+](xml|javascript|ecmascript|yaml|x-www-form-urlencoded)$/.test(mediaType);
}

/** {@link parseJson} without stopping everything else for long. */
async function parseLongJson(text: string): Promise<unknown> {
  try {
    return await parseJsonInSlices(text);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
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
    return new TextDecoder().decode(bytes);
  }
}
