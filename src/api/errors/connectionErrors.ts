import { BuildServiceError } from './buildServiceError.ts';
import { sentence, withArguments } from './sentence.ts';

const CHECK_CONNECTION = sentence('Check the network connection, then try again.');
/** `idleTimeout`: nothing more of the body arrived; `totalTimeout`: the whole call took too long. */
const NETWORK_FAILURES = {
  refused: {
    what: sentence('Can’t reach {0}.'),
    next: sentence('Is the service running, and is its address right?'),
  },
  dns: {
    what: sentence('The name {0} could not be found.'),
    next: sentence('Check the address of the service and the network connection.'),
  },
  reset: {
    what: sentence('The connection to {0} was closed before an answer arrived.'),
    next: sentence('Try again in a moment.'),
  },
  unreachable: {
    what: sentence('{0} cannot be reached from this network.'),
    next: sentence('Check the network connection or the VPN.'),
  },
  other: { what: sentence('The connection to {0} failed.'), next: CHECK_CONNECTION },
  connectTimeout: { what: sentence('{0} did not accept a connection in time.'), next: CHECK_CONNECTION },
  headersTimeout: { what: sentence('{0} did not answer in time.'), next: CHECK_CONNECTION },
  idleTimeout: { what: sentence('{0} stopped sending in the middle of its answer.'), next: CHECK_CONNECTION },
  totalTimeout: { what: sentence('The call to {0} took too long and was ended.'), next: CHECK_CONNECTION },
};

export type NetworkFailure = keyof typeof NETWORK_FAILURES;

/** No response arrived from a host, or only a part of it. Says nothing about the validity of credentials. */
export class NetworkError extends BuildServiceError {
  readonly kind = 'network';
  readonly failure: NetworkFailure;

  /** @param host host and port, as in a URL. */
  constructor(failure: NetworkFailure, host: string, cause?: Error) {
    const { what, next } = NETWORK_FAILURES[failure];
    super({ what: withArguments(what, host), next, remedy: 'retry', cause });
    this.failure = failure;
  }
}

const PROXY_FAILURES = {
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

/** The proxy between this computer and the service failed; no request reached the service. */
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
    what: sentence('The certificate of {0} is self-signed, and this computer does not trust it.'),
    next: sentence(
      'Ask the administrator of the service for its certificate, and add it to this computer’s trusted certificates.',
    ),
  },
  unknownAuthority: {
    what: sentence('The certificate of {0} was issued by an authority that this computer does not trust.'),
    next: sentence(
      'Add the certificate of that authority (often the company’s own) to the trusted certificates of this computer, then reload the window. If it is a public authority, the service may be sending an incomplete chain.',
    ),
  },
  expired: {
    what: sentence('The certificate of {0} has expired.'),
    next: sentence(
      'Check this computer’s clock. If it’s right, the administrator of the service has to renew the certificate.',
    ),
  },
  notYetValid: {
    what: sentence('The certificate of {0} is not valid yet.'),
    next: sentence('Check the date and time of this computer.'),
  },
  wrongHost: {
    what: sentence('The certificate of {0} is for another host name.'),
    next: sentence('Check the address of the service: it must be the name that the certificate was issued for.'),
  },
  plainHttp: {
    what: sentence('{0} does not speak HTTPS on this port.'),
    next: sentence('Check the port in the address of the service.'),
  },
  other: {
    what: sentence('A secure connection to {0} could not be made.'),
    next: sentence('The log has the details for the administrator of the service or the network.'),
  },
};

export type CertificateFault = keyof typeof CERTIFICATE_FAULTS;

/** A secure connection could not be made. Nothing was sent. Verification is never switched off to get around it. */
export class CertificateError extends BuildServiceError {
  readonly kind = 'certificate';
  readonly fault: CertificateFault;

  /** @param host host and port, as in a URL. */
  constructor(fault: CertificateFault, host: string, cause?: Error) {
    const { what, next } = CERTIFICATE_FAULTS[fault];
    super({ what: withArguments(what, host), next, cause });
    this.fault = fault;
  }
}
