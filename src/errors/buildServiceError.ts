import { formatSentence, type Sentence } from './sentence.ts';

/** Action the user can take after a failure. A notification offers the matching button. */
export type Remedy =
  | 'signIn'
  | 'changeRegistration'
  | 'retry'
  | 'refresh'
  | 'connect'
  | 'openFolder'
  | 'firstBuild'
  | 'download'
  | 'findAdb'
  | 'showLog'
  | 'none';

/** Description of a failure for the user. */
export interface FailureDetails {
  /** What happened, as a complete sentence. */
  readonly what: Sentence;
  /** What to do next. Absent if `what` already explains it. */
  readonly next?: Sentence | undefined;
  readonly remedy?: Remedy;
  /** Whether the user chose this outcome, for example by denying access. It's shown as information, not as an error. */
  readonly calm?: boolean;
  readonly cause?: unknown;
  /** Buttons to show instead of the remedy's button. Titles are translated. */
  readonly offers?: readonly ErrorOffer[];
}

/** A button that helps resolve a failure. */
interface ErrorOffer {
  readonly title: string;
  readonly run: () => unknown;
}

/**
 * Base class of failures that callers of the service must expect. Each error has a sentence for the user and a
 * suggested next step. Only `workbench/notifications.ts` shows them. They don't contain URL queries, headers, or
 * bodies, because those can contain secrets.
 *
 * `message` is the English sentence without the next step.
 */
export abstract class BuildServiceError extends Error {
  abstract readonly kind: string;
  readonly what: Sentence;
  readonly next: Sentence | undefined;
  readonly remedy: Remedy;
  readonly calm: boolean;
  readonly offers: readonly ErrorOffer[];

  constructor({ what, next, remedy = 'showLog', calm = false, cause, offers = [] }: FailureDetails) {
    super(formatSentence(what), cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.what = what;
    this.next = next;
    this.remedy = remedy;
    this.calm = calm;
    this.offers = offers;
  }
}

/** Unusable input from the user, a setting, or a document. No request was made. */
export class InvalidInputError extends BuildServiceError {
  readonly kind = 'invalidInput';

  constructor(what: Sentence, next?: Sentence, remedy: Remedy = 'none') {
    super({ what, next, remedy });
  }
}

/** A failure that doesn't need a separate class, because no code handles it specially. Reports contain its kind. */
export class Failure extends BuildServiceError {
  readonly kind: string;

  constructor(kind: string, details: FailureDetails) {
    super(details);
    this.kind = kind;
  }
}
