import { BuildServiceError } from './buildServiceError.ts';
import { sentence, type Sentence, withArguments } from './sentence.ts';

export type RedirectFault =
  | 'loop'
  | 'tooMany'
  | 'downgrade'
  | 'elsewhere'
  | 'secretElsewhere'
  | 'noLocation'
  | 'invalidLocation'
  | 'unsafeMethod';

/** The service redirected, and the redirect was not followed. */
export class RedirectError extends BuildServiceError {
  readonly kind = 'redirect';
  readonly fault: RedirectFault;
  readonly #target: string | undefined;

  /** @param target where `elsewhere` leads, already without credentials. */
  constructor(fault: RedirectFault, target?: string) {
    const { what, next } = FAULTS[fault];
    super({
      what: withArguments(what, target === undefined ? '' : new URL(target).host),
      next,
      remedy: 'none',
    });
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

const TELL_OPERATOR = sentence('Tell whoever runs the service.');
const FAULTS: Readonly<Record<RedirectFault, { readonly what: Sentence; readonly next: Sentence }>> = {
  loop: { what: sentence('The service redirects in a circle.'), next: TELL_OPERATOR },
  tooMany: { what: sentence('The service redirects too many times.'), next: TELL_OPERATOR },
  downgrade: { what: sentence('The service redirects to an address that is not encrypted.'), next: TELL_OPERATOR },
  elsewhere: {
    what: sentence('This leads to another server, {0}.'),
    next: sentence('Open it in a browser, or download it.'),
  },
  secretElsewhere: {
    what: sentence('The service redirects to a host whose name contains a secret of yours.'),
    next: TELL_OPERATOR,
  },
  noLocation: { what: sentence('The service redirects without saying where to.'), next: TELL_OPERATOR },
  invalidLocation: {
    what: sentence('The service redirects to an address that cannot be requested.'),
    next: TELL_OPERATOR,
  },
  unsafeMethod: {
    what: sentence('The service redirects a request that must not be sent twice.'),
    next: sentence('Check the address of the service: it may have moved.'),
  },
};
