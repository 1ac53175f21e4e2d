import { BuildServiceError } from './buildServiceError.ts';
import { sentence, type Sentence, withArguments } from './sentence.ts';

export type CertificateFault =
  | 'selfSigned'
  | 'unknownAuthority'
  | 'expired'
  | 'notYetValid'
  | 'wrongHost'
  | 'plainHttp'
  | 'other';

/** A secure connection could not be made. Nothing was sent. Verification is never switched off to get around it. */
export class CertificateError extends BuildServiceError {
  readonly kind = 'certificate';
  readonly fault: CertificateFault;

  /** @param host host and port, as in a URL. */
  constructor(fault: CertificateFault, host: string, cause?: Error) {
    const { what, next } = FAULTS[fault];
    super({ what: withArguments(what, host), next, remedy: 'showLog', ...(cause && { cause }) });
    this.fault = fault;
  }
}

const FAULTS: Readonly<Record<CertificateFault, { readonly what: Sentence; readonly next: Sentence }>> = {
  selfSigned: {
    what: sentence('The certificate of {0} is self-signed, and this computer does not trust it.'),
    next: sentence(
      'Ask whoever runs the service for its certificate, and add it to the trusted certificates of this computer.',
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
      'Check the clock of this computer; if it is right, whoever runs the service has to renew the certificate.',
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
    next: sentence('The log has the details; whoever runs the service or the network can tell what they mean.'),
  },
};
