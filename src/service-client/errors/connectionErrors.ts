import { BuildServiceError, sentence, withArguments } from '../../errors/index.ts';

const CHECK_CONNECTION = sentence('Check your network connection, then try again.');
/**
 * Messages, keyed by failure. `idleTimeout`: the body stopped arriving. `totalTimeout`: the whole call took too long.
 */
const NETWORK_FAILURES = {
  refused: {
    what: sentence('Can’t reach {0}.'),
    next: sentence('Check that the service is running and that its address is correct.'),
  },
  dns: {
    what: sentence('The host {0} couldn’t be found.'),
    next: sentence('Check the service address and your network connection.'),
  },
  reset: {
    what: sentence('The connection to {0} closed before a response arrived.'),
    next: sentence('Try again in a moment.'),
  },
  unreachable: {
    what: sentence('{0} can’t be reached from this network.'),
    next: sentence('Check your network connection or VPN.'),
  },
  other: { what: sentence('The connection to {0} failed.'), next: CHECK_CONNECTION },
  connectTimeout: { what: sentence('{0} didn’t accept the connection in time.'), next: CHECK_CONNECTION },
  headersTimeout: { what: sentence('{0} didn’t respond in time.'), next: CHECK_CONNECTION },
  idleTimeout: { what: sentence('{0} stopped sending before its response was complete.'), next: CHECK_CONNECTION },
  totalTimeout: { what: sentence('The request to {0} took too long and was canceled.'), next: CHECK_CONNECTION },
};

/** The reason why a response is missing or incomplete. */
export type NetworkFailure = keyof typeof NETWORK_FAILURES;

/** Thrown when a host sent no response or an incomplete one. The credentials may still be valid. */
export class NetworkError extends BuildServiceError {
  readonly kind = 'network';
  readonly failure: NetworkFailure;

  /** @param host host and port, formatted as in a URL. */
  constructor(failure: NetworkFailure, host: string, cause?: Error) {
    const { what, next } = NETWORK_FAILURES[failure];
    super({ what: withArguments(what, host), next, remedy: 'retry', cause });
    this.failure = failure;
  }
}

const PROXY_FAILURES = {
  authentication: {
    what: sentence('The proxy {0} requires a user name and password (407).'),
    next: sentence('Set `http.proxyAuthorization`, or include the user name in `http.proxy`.'),
  },
  down: {
    what: sentence('The proxy {0} isn’t responding.'),
    next: sentence(
      'Check the `http.proxy` setting, the HTTPS_PROXY environment variable, and your network connection.',
    ),
  },
  refused: {
    what: sentence('The proxy {0} couldn’t connect to the service.'),
    next: sentence(
      'The proxy might block this address, or be unable to reach it. Check `http.proxy` and `http.noProxy`.',
    ),
  },
  unusable: {
    what: sentence('The proxy {0} is of a type that this extension doesn’t support.'),
    next: sentence('Set `http.proxy` to an address that starts with http://, https://, or socks5://.'),
  },
};

/** Thrown when the proxy between this computer and the service failed. The request didn't reach the service. */
export class ProxyError extends BuildServiceError {
  readonly kind = 'proxy';
  readonly failure: keyof typeof PROXY_FAILURES;

  /** @param proxy host and port of the proxy, without user info. */
  constructor(failure: keyof typeof PROXY_FAILURES, proxy: string, cause?: Error) {
    const { what, next } = PROXY_FAILURES[failure];
    super({ what: withArguments(what, proxy), next, remedy: 'retry', cause });
    this.failure = failure;
  }
}

const CERTIFICATE_FAULTS = {
  selfSigned: {
    what: sentence('The certificate of {0} is self-signed, and this computer doesn’t trust it.'),
    next: sentence(
      'Ask the service administrator for the certificate, and add it to this computer’s trusted certificates.',
    ),
  },
  unknownAuthority: {
    what: sentence('The certificate of {0} was issued by an authority that this computer doesn’t trust.'),
    next: sentence(
      'Add the authority’s certificate (often your company’s own) to this computer’s trusted certificates, then reload the window. If the authority is public, the service might be sending an incomplete certificate chain.',
    ),
  },
  expired: {
    what: sentence('The certificate of {0} has expired.'),
    next: sentence(
      'Check this computer’s clock. If it’s correct, ask the service administrator to renew the certificate.',
    ),
  },
  notYetValid: {
    what: sentence('The certificate of {0} isn’t valid yet.'),
    next: sentence('Check the date and time of this computer.'),
  },
  wrongHost: {
    what: sentence('The certificate of {0} is for another host name.'),
    next: sentence('Check the service address. It must match the host name in the certificate.'),
  },
  plainHttp: {
    what: sentence('{0} doesn’t use HTTPS on this port.'),
    next: sentence('Check the port in the service address.'),
  },
  other: {
    what: sentence('A secure connection to {0} couldn’t be established.'),
    next: sentence('See the log for details. Your service or network administrator can interpret them.'),
  },
};

/** The reason why a secure connection failed. */
export type CertificateFault = keyof typeof CERTIFICATE_FAULTS;

/**
 * Thrown when a secure connection failed. Nothing was sent. Certificate verification is never disabled as a workaround.
 */
export class CertificateError extends BuildServiceError {
  readonly kind = 'certificate';
  readonly fault: CertificateFault;

  /** @param host host and port, formatted as in a URL. */
  constructor(fault: CertificateFault, host: string, cause?: Error) {
    const { what, next } = CERTIFICATE_FAULTS[fault];
    super({ what: withArguments(what, host), next, cause });
    this.fault = fault;
  }
}
