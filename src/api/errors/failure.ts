import { BuildServiceError, type FailureDetails } from './buildServiceError.ts';

/** A failure that no code looks for: it has a kind for reports, and no class of its own. */
export class Failure extends BuildServiceError {
  readonly kind: string;

  constructor(kind: string, details: FailureDetails) {
    super(details);
    this.kind = kind;
  }
}
