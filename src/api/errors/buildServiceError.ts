import { plainText, type Sentence } from './sentence.ts';

/** What a person can do about a failure; a notification offers the matching button. */
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

export interface FailureDetails {
  /** What happened, in a sentence that can stand alone. */
  readonly what: Sentence;
  /** What to do next; absent when `what` already says it. */
  readonly next?: Sentence | undefined;
  readonly remedy?: Remedy;
  /** True for an outcome that a person chose, such as refusing access: shown as information, not as an error. */
  readonly calm?: boolean;
  readonly cause?: unknown;
  /** Buttons that help, in place of the remedy's. Titles are translated. */
  readonly offers?: readonly Offer[];
}

/** A button that helps with a failure. */
interface Offer {
  readonly title: string;
  readonly run: () => unknown;
}

/**
 * Base of the failures that a caller of the service has to expect. Each knows the sentence that a person reads and what that
 * person can do next; `workbench/notifications.ts` is the one place that shows them. No error holds a URL's query, a header
 * or a body: those can carry secrets.
 *
 * `message` is the English sentence without the next step.
 */
export abstract class BuildServiceError extends Error {
  abstract readonly kind: string;
  readonly what: Sentence;
  readonly next: Sentence | undefined;
  readonly remedy: Remedy;
  readonly calm: boolean;
  readonly offers: readonly Offer[];

  constructor({ what, next, remedy = 'showLog', calm = false, cause, offers = [] }: FailureDetails) {
    super(plainText(what), cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.what = what;
    this.next = next;
    this.remedy = remedy;
    this.calm = calm;
    this.offers = offers;
  }
}

/** The input of a person, a setting or a document cannot be used. No request was made. */
export class InvalidInputError extends BuildServiceError {
  readonly kind = 'invalidInput';

  constructor(what: Sentence, next?: Sentence, remedy: Remedy = 'none') {
    super({ what, next, remedy });
  }
}

/** A failure that no code looks for: it has a kind for reports, and no class of its own. */
export class Failure extends BuildServiceError {
  readonly kind: string;

  constructor(kind: string, details: FailureDetails) {
    super(details);
    this.kind = kind;
  }
}
