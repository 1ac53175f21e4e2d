import { ProxyError } from './errors/connectionErrors.ts';
import { BuildServiceError, CancelledError, sentence, type Sentence } from '../errors/index.ts';
import type { Download } from './http/download.ts';
import { isObject, text as textIn } from './hypermedia/json.ts';
import { RequestPipeline, type LoggedExchange } from './http/requestPipeline.ts';
import { isHtml, getMediaType, parseJson } from './http/response.ts';
import { readableMessage } from './http/failures.ts';
import type { Transport } from './http/transport.ts';
import type { Redactor } from './redaction.ts';
import { MAX_ERROR_BYTES } from './limits.ts';
import { endpoint, parseServiceUrl, type ServiceUrl } from './serviceUrl.ts';
import { RedirectError } from './errors/responseErrors.ts';

/**
 * Result of probing an address: a build service (contract, Authentication 1 and Error body), or something else with an
 * explanation for the user.
 */
export type ServiceProbe =
  | { readonly kind: 'service' }
  | {
      /**
       * `somethingElse`: another kind of service, or one that can't respond now. `nothing`: the host is unknown or
       * refuses the connection, its certificate is untrusted, the request timed out, or the proxy failed.
       * `proxySignIn`: the proxy or network requires a sign-in first.
       */
      readonly kind: 'webPage' | 'somethingElse' | 'nothing' | 'proxySignIn' | 'redirect';
      readonly what: Sentence;
      readonly next?: Sentence | undefined;
      /** Service to use instead, if the redirect leads to one. Nothing has been sent to it. */
      readonly service?: ServiceUrl | undefined;
    };

/** Options of {@link probeService}. */
export interface ServiceProbeOptions {
  readonly transport: Transport;
  readonly redactor: Redactor;
  readonly onExchange?: ((exchange: LoggedExchange) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds out whether an address is a build service: sends GET `/api/v1/me` without credentials, with the usual proxies
 * and certificates.
 *
 * @throws {@link CancelledError} when the signal aborts. Other failures are part of the result.
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
      // The user is waiting after entering the address, so the whole probe gets the time limit of one response.
      transport.startDeadline(host, signal, transport.timeouts.headers),
      undefined,
    );
    return identifyService(answer, await readBodyStart(answer), host, redactor);
  } catch (error) {
    if (!(error instanceof BuildServiceError) || error instanceof CancelledError) {
      throw error;
    }
    return toServiceProbe(error);
  }
}

const ME_PATH = '/api/v1/me';

/**
 * Returns the beginning of the body. If the connection stalls or ends early, returns the part that has arrived.
 *
 * @throws {@link CancelledError}
 */
async function readBodyStart({ body }: Download): Promise<string> {
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

function identifyService({ status, headers }: Download, text: string, host: string, redactor: Redactor): ServiceProbe {
  const value = parseJson(text);
  const getText = (name: string): string | undefined => (isObject(value) ? textIn(value, name) : undefined);
  if (status === 401 ? getText('error') !== undefined : status === 200 && getText('username') !== undefined) {
    return { kind: 'service' };
  }
  // Both statuses come from an intermediary between this computer and the service (RFC 9110 §15.5.8, RFC 6585 §6).
  if (status === 407 || status === 511) {
    const what = sentence('Your network requires its own sign-in to reach {0} ({1}).', host, String(status));
    return { kind: 'proxySignIn', what, next: SIGN_IN_TO_NETWORK };
  }
  if (isHtml({ mediaType: getMediaType(headers), body: { kind: 'text', text } })) {
    const title = findPageTitle(text, redactor);
    const what =
      title === undefined
        ? sentence('{0} is a web page, not a build service.', host)
        : sentence('{0} is a web page, not a build service: “{1}”.', host, title);
    return { kind: 'webPage', what, next: MAY_BE_NETWORK };
  }
  const error = getText('error');
  const message = error === undefined ? undefined : readableMessage(error, redactor);
  return { kind: 'somethingElse', what: whatElse(status, message, host), next: CHECK_ADDRESS };
}

function whatElse(status: number, message: string | undefined, host: string): Sentence {
  if (message !== undefined) {
    return sentence('{0} returned status {1}: {2}', host, String(status), message);
  }
  if (status === 401) {
    return sentence('{0} requires a sign-in, but not the way a build service does.', host);
  }
  if (status === 404) {
    return sentence('{0} responds, but no build service is running at this address.', host);
  }
  return sentence('{0} responds, but not like a build service (status {1}).', host, String(status));
}

function toServiceProbe(error: BuildServiceError): ServiceProbe {
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
      what: sentence('This address redirects to another server, {0}.', new URL(target).host),
      next: service === undefined ? MAY_BE_NETWORK : undefined,
    };
  }
  const asksForSignIn = error instanceof ProxyError && error.failure === 'authentication';
  return { kind: asksForSignIn ? 'proxySignIn' : 'nothing', what, next };
}

/** Returns the service whose user resource has this address. */
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

const CHECK_ADDRESS = sentence('Check the service address.');
const SIGN_IN_TO_NETWORK = sentence('Open any web page in a browser, sign in there, then try again.');
const MAY_BE_NETWORK = sentence(
  'Your network might require its own sign-in first (a captive portal or gateway), or the service address might be wrong.',
);

function findPageTitle(text: string, redactor: Redactor): string | undefined {
  const title = /<title[^<>]{0,200}>([^<]{1,500})/i.exec(text)?.[1];
  // Shorten the title after redaction, because redaction can't find half of a secret.
  return title === undefined ? undefined : readableMessage(title, redactor)?.slice(0, 80);
}
