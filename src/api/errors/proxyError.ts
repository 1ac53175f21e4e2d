import { BuildServiceError } from './buildServiceError.ts';
import { sentence, type Sentence, withArguments } from './sentence.ts';

export type ProxyFailure = 'authentication' | 'down' | 'refused' | 'unusable';

/** The proxy between this computer and the service failed; no request reached the service. */
export class ProxyError extends BuildServiceError {
  readonly kind = 'proxy';
  readonly failure: ProxyFailure;

  /** @param proxy host and port of the proxy, without user info. */
  constructor(failure: ProxyFailure, proxy: string, cause?: Error) {
    const { what, next } = FAILURES[failure];
    super({ what: withArguments(what, proxy), next, remedy: 'retry', ...(cause && { cause }) });
    this.failure = failure;
  }
}

const FAILURES: Readonly<Record<ProxyFailure, { readonly what: Sentence; readonly next: Sentence }>> = {
  authentication: {
    what: sentence('The proxy {0} asks for a user name and a password (407).'),
    next: sentence('Set `http.proxyAuthorization` in the settings, or put the user into `http.proxy`.'),
  },
  down: {
    what: sentence('The proxy {0} does not answer.'),
    next: sentence('Check the setting `http.proxy`, the environment variable HTTPS_PROXY and the network connection.'),
  },
  refused: {
    what: sentence('The proxy {0} did not connect to the service.'),
    next: sentence('The proxy may not allow this address, or may not reach it. Check `http.proxy` and `http.noProxy`.'),
  },
  unusable: {
    what: sentence('The proxy {0} is of a kind that this extension cannot use.'),
    next: sentence('Set `http.proxy` to an address that starts with http://, https:// or socks5://.'),
  },
};
