import { BuildServiceError } from './buildServiceError.ts';
import { sentence } from './sentence.ts';

export type CertificateFault =
  'selfSigned' | 'unknownAuthority' | 'expired' | 'notYetValid' | 'wrongHost' | 'plainHttp' | 'other';

/** A secure connection could not be made. Nothing was sent. Verification is never switched off to get around it. */
export class CertificateError extends BuildServiceError {
  readonly kind = 'certificate';
  readonly fault: CertificateFault;

  /** @param host host and port, as in a URL. */
  constructor(fault: CertificateFault, host: string, cause?: Error) {
    const { what, next } = FAULTS[fault];
    super({ what: sentence(what, host), next: sentence(next), remedy: 'showLog', ...(cause && { cause }) });
    this.fault = fault;
  }
}

const FAULTS: Readonly<Record<CertificateFault, { readonly what: string; readonly next: string }>> = {
  selfSigned: {
    what: 'The certificate of {0} is self-signed, and this computer does not trust it.',
    next: 'Ask whoever runs the service for its certificate, and add it to the trusted certificates of this computer.',
  },
  unknownAuthority: {
    what: 'The certificate of {0} was issued by an authority that this computer does not trust.',
    next: 'Add the certificate of that authority (often the company’s own) to the trusted certificates of this computer, then reload the window. If it is a public authority, the service may be sending an incomplete chain.',
  },
  expired: {
    what: 'The certificate of {0} has expired.',
    next: 'Check the clock of this computer; if it is right, whoever runs the service has to renew the certificate.',
  },
  notYetValid: {
    what: 'The certificate of {0} is not valid yet.',
    next: 'Check the date and time of this computer.',
  },
  wrongHost: {
    what: 'The certificate of {0} is for another host name.',
    next: 'Check the address of the service: it must be the name that the certificate was issued for.',
  },
  plainHttp: {
    what: '{0} does not speak HTTPS on this port.',
    next: 'Check the port in the address of the service.',
  },
  other: {
    what: 'A secure connection to {0} could not be made.',
    next: 'The log has the details; whoever runs the service or the network can tell what they mean.',
  },
};
