import { BuildServiceError } from './buildServiceError.ts';
import { sentence, withArguments } from './sentence.ts';

/** A response arrived and cannot be used. The error holds nothing of its body. */
export class InvalidResponseError extends BuildServiceError {
  readonly kind = 'invalidResponse';
  readonly fault: keyof typeof RESPONSE_FAULTS;

  /** @param detail what the fault's sentence names: a field, an encoding, else the host. */
  constructor(fault: keyof typeof RESPONSE_FAULTS, detail: string, cause?: Error) {
    const { what, next } = RESPONSE_FAULTS[fault];
    super({ what: withArguments(what, detail), next, remedy: 'retry', cause });
    this.fault = fault;
  }
}

const CHECK_ADDRESS = sentence('Check the address of the service.');
const RESPONSE_FAULTS = {
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

/** The service redirected, and the redirect was not followed. */
export class RedirectError extends BuildServiceError {
  readonly kind = 'redirect';
  readonly fault: keyof typeof REDIRECT_FAULTS;
  readonly #target: string | undefined;

  /** @param target where `elsewhere` leads, already without credentials. */
  constructor(fault: keyof typeof REDIRECT_FAULTS, target?: string) {
    const { what, next } = REDIRECT_FAULTS[fault];
    super({ what: withArguments(what, target === undefined ? '' : new URL(target).host), next, remedy: 'none' });
    this.fault = fault;
    this.#target = target;
  }

  /**
   * Where `elsewhere` leads, without our credentials, to be opened or downloaded when a person wants that. Not an own
   * property, because its query may hold a signature that must not be printed with the error.
   */
  get target(): string | undefined {
    return this.#target;
  }
}

const INFORM_OPERATOR = sentence('Tell the administrator of the service.');
const REDIRECT_FAULTS = {
  loop: { what: sentence('The service redirects in a circle.'), next: INFORM_OPERATOR },
  tooMany: { what: sentence('The service redirects too many times.'), next: INFORM_OPERATOR },
  downgrade: { what: sentence('The service redirects to an address that is not encrypted.'), next: INFORM_OPERATOR },
  elsewhere: {
    what: sentence('This leads to another server, {0}.'),
    next: sentence('Open it in a browser, or download it.'),
  },
  secretElsewhere: {
    what: sentence('The service redirects to a host whose name contains one of your secrets.'),
    next: INFORM_OPERATOR,
  },
  noLocation: { what: sentence('The service redirects without saying where to.'), next: INFORM_OPERATOR },
  invalidLocation: {
    what: sentence('The service redirects to an address that cannot be requested.'),
    next: INFORM_OPERATOR,
  },
  unsafeMethod: {
    what: sentence('The service redirects a request that must not be sent twice.'),
    next: sentence('Check the address of the service: it may have moved.'),
  },
};

/** An answer is too large to be read into memory and shown. It can be downloaded to a file. */
export class BodyTooLargeError extends BuildServiceError {
  readonly kind = 'bodyTooLarge';
  /** Bytes that the answer announced; undefined when it did not, or was compressed. */
  readonly sizeBytes: number | undefined;
  /** Bytes that an answer may have to be shown. */
  readonly limitBytes: number;

  constructor(limitBytes: number, sizeBytes?: number) {
    // Decimal, as file managers and downloads count.
    const limit = Math.floor(limitBytes / 1_000_000);
    super({
      what:
        sizeBytes === undefined
          ? sentence('The answer is larger than {0} MB; only up to {0} MB is shown.', limit)
          : sentence('The answer is {0}; only up to {1} MB is shown.', { bytes: sizeBytes }, limit),
      next: sentence('Download it to a file instead.'),
      remedy: 'download',
    });
    this.sizeBytes = sizeBytes;
    this.limitBytes = limitBytes;
  }
}
