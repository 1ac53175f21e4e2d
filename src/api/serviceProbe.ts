import { ProxyError } from './errors/connectionErrors.ts';
import { BuildServiceError } from './errors/buildServiceError.ts';
import { CancelledError } from './errors/cancelledError.ts';
import { sentence, type Sentence } from './errors/sentence.ts';
import type { Download } from './http/download.ts';
import { isObject, text as textIn } from './hypermedia/json.ts';
import { RequestPipeline, type Exchange } from './http/requestPipeline.ts';
import { isHtml, mediaTypeOf, parseJson } from './http/response.ts';
import { readableMessage } from './http/failures.ts';
import type { Transport } from './http/transport.ts';
import type { Redactor } from './redaction.ts';
import { MAX_ERROR_BYTES } from './limits.ts';
import { endpoint, parseServiceUrl, type ServiceUrl } from './serviceUrl.ts';
import { RedirectError } from './errors/responseErrors.ts';

/** What answers at an address: a build service (contract, Authentication 1 and Error body), or something else, explained to the user. */
export type ServiceProbe =
  | { readonly kind: 'service' }
  | {
      /**
       * `somethingElse`: a service of another kind, or one that cannot answer now; `nothing`: no such name, refused, too late, not
       * trusted, a proxy in the way; `proxySignIn`: the proxy, or the network itself, asks for a sign-in of its own first.
       */
      readonly kind: 'webPage' | 'somethingElse' | 'nothing' | 'proxySignIn' | 'redirect';
      readonly what: Sentence;
      readonly next?: Sentence | undefined;
      /** The address to use instead, when the redirect leads to one: nothing has been sent there. */
      readonly service?: ServiceUrl | undefined;
    };

export interface ServiceProbeOptions {
  readonly transport: Transport;
  readonly redactor: Redactor;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks an address what it is: GET `/api/v1/me` without credentials, over the proxies and certificates of every call.
 *
 * @throws CancelledError when the signal aborts; whatever else goes wrong is what was found.
 */
export async function probeService(
  service: ServiceUrl,
  { transport, redactor, onExchange, signal }: ServiceProbeOptions,
): Promise<ServiceProbe> {
  const pipeline = new RequestPipeline({ service, transport, redactor, onExchange });
  const { host } = service;
  try {
    const answer = await pipeline.download(
      {
        method: 'GET',
        url: endpoint(service, ME_PATH),
        credentials: undefined,
        redirects: 'sameOrigin',
        anyStatus: 'with401',
      },
      // A user waits who has typed the address: all of it may take as long as one answer.
      transport.startDeadline(host, signal, transport.timeouts.headers),
      undefined,
    );
    return recognise(answer, await startOfBody(answer), host, redactor);
  } catch (error) {
    if (!(error instanceof BuildServiceError) || error instanceof CancelledError) {
      throw error;
    }
    return findingOf(error);
  }
}

const ME_PATH = '/api/v1/me';

/** The beginning of the body. A body that stalls or breaks off is judged by what has arrived of it. @throws CancelledError */
async function startOfBody({ body }: Download): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      bytes += chunk.length;
      if (bytes >= MAX_ERROR_BYTES) {
        break;
      }
    }
  } catch (error) {
    if (!(error instanceof BuildServiceError) || error instanceof CancelledError) {
      throw error;
    }
  }
  return text;
}

function recognise({ status, headers }: Download, text: string, host: string, redactor: Redactor): ServiceProbe {
  const value = parseJson(text);
  const textOf = (name: string): string | undefined => (isObject(value) ? textIn(value, name) : undefined);
  if (status === 401 ? textOf('error') !== undefined : status === 200 && textOf('username') !== undefined) {
    return { kind: 'service' };
  }
  // RFC 9110 §15.5.8 and RFC 6585 §6: both come from what stands between this computer and the service.
  if (status === 407 || status === 511) {
    const what = sentence('The network in front of {0} asks for a sign-in of its own ({1}).', host, String(status));
    return { kind: 'proxySignIn', what, next: SIGN_IN_TO_NETWORK };
  }
  if (isHtml({ mediaType: mediaTypeOf(headers), body: { kind: 'text', text } })) {
    const title = titleOfPage(text, redactor);
    const what =
      title === undefined
        ? sentence('A web page answers at {0}, not a build service.', host)
        : sentence('A web page answers at {0}, not a build service: “{1}”.', host, title);
    return { kind: 'webPage', what, next: MAY_BE_NETWORK };
  }
  const error = textOf('error');
  const message = error === undefined ? undefined : readableMessage(error, redactor);
  return { kind: 'somethingElse', what: whatElse(status, message, host), next: CHECK_ADDRESS };
}

function whatElse(status: number, message: string | undefined, host: string): Sentence {
  if (message !== undefined) {
    return sentence('{0} answers with status {1}: {2}', host, String(status), message);
  }
  if (status === 401) {
    return sentence('{0} asks for a sign-in, but not in the way of a build service.', host);
  }
  if (status === 404) {
    return sentence('{0} answers, but has no build service at this address.', host);
  }
  return sentence('{0} answers, but not as a build service does (status {1}).', host, String(status));
}

function findingOf(error: BuildServiceError): ServiceProbe {
  const { what, next } = error;
  if (error instanceof RedirectError) {
    const { target } = error;
    if (target === undefined) {
      return { kind: 'redirect', what, next };
    }
    const service = serviceAt(target);
    return {
      kind: 'redirect',
      service,
      what: sentence('This address leads to another server, {0}.', new URL(target).host),
      next: service === undefined ? MAY_BE_NETWORK : undefined,
    };
  }
  const asksForSignIn = error instanceof ProxyError && error.failure === 'authentication';
  return { kind: asksForSignIn ? 'proxySignIn' : 'nothing', what, next };
}

/** The service whose user resource this is the address of. */
function serviceAt(target: string): ServiceUrl | undefined {
  const { origin, pathname } = new URL(target);
  if (!pathname.endsWith(ME_PATH)) {
    return undefined;
  }
  try {
    return parseServiceUrl(origin + pathname.slice(0, -ME_PATH.length));
  } catch {
    return undefined;
  }
}

const CHECK_ADDRESS = sentence('Check the address of the service.');
const SIGN_IN_TO_NETWORK = sentence('Open any web page in a browser, sign in there, then try again.');
const MAY_BE_NETWORK = sentence(
  'The network may ask for a sign-in of its own first (a captive portal or a gateway), or the address of the service may be wrong.',
);

function titleOfPage(text: string, redactor: Redactor): string | undefined {
  const title = /<title[^<>]{0,200}>([^<]{1,500})/i.exec(text)?.[1];
  // Cut off when secrets are hidden: half of one is not found.
  return title === undefined ? undefined : readableMessage(title, redactor)?.slice(0, 80);
}
