import { BuildServiceError, sentence, withArguments } from '../../errors/index.ts';

/** Thrown for a response that can't be used. The error doesn't contain any part of the body. */
export class InvalidResponseError extends BuildServiceError {
  readonly kind = 'invalidResponse';
  readonly fault: keyof typeof RESPONSE_FAULTS;

  /** @param detail argument of the fault's message: a field, an encoding, or the host. */
  constructor(fault: keyof typeof RESPONSE_FAULTS, detail: string, cause?: Error) {
    const { what, next } = RESPONSE_FAULTS[fault];
    super({ what: withArguments(what, detail), next, remedy: 'retry', cause });
    this.fault = fault;
  }
}

const CHECK_ADDRESS = sentence('Check the service address.');
const RESPONSE_FAULTS = {
  notHttp: { what: sentence('The response from {0} isn’t HTTP.'), next: CHECK_ADDRESS },
  notJson: { what: sentence('The response from {0} isn’t JSON.'), next: CHECK_ADDRESS },
  html: {
    what: sentence('{0} returned a web page instead of data.'),
    next: sentence(
      'Your network might require its own sign-in first (a captive portal or gateway), or the service address might be wrong.',
    ),
  },
  truncated: { what: sentence('The response from {0} is incomplete.'), next: sentence('Try again in a moment.') },
  encoding: {
    what: sentence('The response couldn’t be decompressed ({0}).'),
    next: sentence('Try again in a moment.'),
  },
  missingField: {
    what: sentence('The service’s response doesn’t contain a valid “{0}”.'),
    next: sentence('Check that the address belongs to an application build service with API version 1.'),
  },
};

/** Thrown for a redirect that wasn't followed. */
export class RedirectError extends BuildServiceError {
  readonly kind = 'redirect';
  readonly fault: keyof typeof REDIRECT_FAULTS;
  readonly #target: string | undefined;

  /** @param target URL that an `elsewhere` redirect leads to, already without credentials. */
  constructor(fault: keyof typeof REDIRECT_FAULTS, target?: string) {
    const { what, next } = REDIRECT_FAULTS[fault];
    super({ what: withArguments(what, target === undefined ? '' : new URL(target).host), next, remedy: 'none' });
    this.fault = fault;
    this.#target = target;
  }

  /**
   * Target URL of an `elsewhere` redirect, without credentials. The user can open or download it. It's a getter so that
   * printing the error doesn't print the URL's query, which may contain a signature.
   */
  get target(): string | undefined {
    return this.#target;
  }
}

const INFORM_OPERATOR = sentence('Report this to the service administrator.');
const REDIRECT_FAULTS = {
  loop: { what: sentence('The service redirects in a loop.'), next: INFORM_OPERATOR },
  tooMany: { what: sentence('The service redirects too many times.'), next: INFORM_OPERATOR },
  downgrade: { what: sentence('The service redirects to an unencrypted address.'), next: INFORM_OPERATOR },
  elsewhere: {
    what: sentence('This address is on another server, {0}.'),
    next: sentence('Open it in a browser, or download it.'),
  },
  secretElsewhere: {
    what: sentence('The service redirects to a host whose name contains one of your secrets.'),
    next: INFORM_OPERATOR,
  },
  noLocation: { what: sentence('The service redirects without a destination.'), next: INFORM_OPERATOR },
  invalidLocation: {
    what: sentence('The service redirects to an address that can’t be requested.'),
    next: INFORM_OPERATOR,
  },
  unsafeMethod: {
    what: sentence('The service redirects a request that must not be sent twice.'),
    next: sentence('Check the service address. The service might have moved.'),
  },
};

/** Thrown for a response that is too large to read into memory and show. It can be downloaded to a file. */
export class BodyTooLargeError extends BuildServiceError {
  readonly kind = 'bodyTooLarge';
  /** Announced size of the response in bytes. Undefined if the response was compressed or didn't announce a size. */
  readonly sizeBytes: number | undefined;
  /** Maximum size in bytes of a response that can be shown. */
  readonly limitBytes: number;

  constructor(limitBytes: number, sizeBytes?: number) {
    // Decimal megabytes, as in file managers and download dialogs.
    const limit = Math.floor(limitBytes / 1_000_000);
    super({
      what:
        sizeBytes === undefined
          ? sentence('Responses larger than {0} MB can’t be shown.', limit)
          : sentence('The response is {0}. At most {1} MB can be shown.', { bytes: sizeBytes }, limit),
      next: sentence('Download it to a file instead.'),
      remedy: 'download',
    });
    this.sizeBytes = sizeBytes;
    this.limitBytes = limitBytes;
  }
}
