import { BuildServiceError } from './buildServiceError.ts';
import { sentence, type Sentence, withArguments } from './sentence.ts';

export type ResponseFault = 'notHttp' | 'notJson' | 'html' | 'truncated' | 'encoding' | 'missingField';

/** A response arrived and cannot be used. The error holds nothing of its body. */
export class InvalidResponseError extends BuildServiceError {
  readonly kind = 'invalidResponse';
  readonly fault: ResponseFault;

  /** @param detail what the fault's sentence names: a field, an encoding, else the host. */
  constructor(fault: ResponseFault, detail: string, cause?: Error) {
    const { what, next } = FAULTS[fault];
    super({ what: withArguments(what, detail), next, remedy: 'retry', ...(cause && { cause }) });
    this.fault = fault;
  }
}

const CHECK_ADDRESS = sentence('Check the address of the service.');
const FAULTS: Readonly<Record<ResponseFault, { readonly what: Sentence; readonly next: Sentence }>> = {
  notHttp: { what: sentence('The answer of {0} is not HTTP.'), next: CHECK_ADDRESS },
  notJson: { what: sentence('The answer of {0} is not JSON.'), next: CHECK_ADDRESS },
  html: {
    what: sentence('{0} answered with a web page instead of data.'),
    next: sentence(
      'The network may ask for a sign-in of its own first (a captive portal or a gateway), or the address of the service may be wrong.',
    ),
  },
  truncated: { what: sentence('The answer of {0} ended too early.'), next: sentence('Try again in a moment.') },
  encoding: { what: sentence('The answer could not be unpacked ({0}).'), next: sentence('Try again in a moment.') },
  missingField: {
    what: sentence('The answer of the service lacks a usable “{0}”.'),
    next: sentence('Check that the address is one of an application build service, version 1.'),
  },
};
