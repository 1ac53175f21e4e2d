import { BuildServiceError } from './buildServiceError.ts';
import { sentence } from './sentence.ts';

export type ResponseFault = 'notHttp' | 'notJson' | 'html' | 'truncated' | 'encoding' | 'missingField';

/** A response arrived and cannot be used. The error holds nothing of its body. */
export class InvalidResponseError extends BuildServiceError {
  readonly kind = 'invalidResponse';
  readonly fault: ResponseFault;

  /** @param detail what the fault's sentence names: a field, an encoding, else the host. */
  constructor(fault: ResponseFault, detail: string, cause?: Error) {
    const { what, next } = FAULTS[fault];
    super({ what: sentence(what, detail), next: sentence(next), remedy: 'retry', ...(cause && { cause }) });
    this.fault = fault;
  }
}

const CHECK_ADDRESS = 'Check the address of the service.';
const FAULTS: Readonly<Record<ResponseFault, { readonly what: string; readonly next: string }>> = {
  notHttp: { what: 'The answer of {0} is not HTTP.', next: CHECK_ADDRESS },
  notJson: { what: 'The answer of {0} is not JSON.', next: CHECK_ADDRESS },
  html: {
    what: '{0} answered with a web page instead of data.',
    next: 'The network may ask for a sign-in of its own first (a captive portal or a gateway), or the address of the service may be wrong.',
  },
  truncated: { what: 'The answer of {0} ended too early.', next: 'Try again in a moment.' },
  encoding: { what: 'The answer could not be unpacked ({0}).', next: 'Try again in a moment.' },
  missingField: {
    what: 'The answer of the service lacks a usable “{0}”.',
    next: 'Check that the address is one of an application build service, version 1.',
  },
};
