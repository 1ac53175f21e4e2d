import { BuildServiceError } from './buildServiceError.ts';
import { sentence, type Sentence } from './sentence.ts';

/** An answer is too large to be read into memory and shown. It can be downloaded to a file. */
export class BodyTooLargeError extends BuildServiceError {
  readonly kind = 'bodyTooLarge';
  /** Bytes that the answer announced; undefined when it did not, or was compressed. */
  readonly sizeBytes: number | undefined;
  /** Bytes that an answer may have to be shown. */
  readonly limitBytes: number;

  constructor(limitBytes: number, sizeBytes?: number, what: Sentence = tooManyBytes(limitBytes, sizeBytes)) {
    super({
      what,
      next: sentence('Download it to a file instead.'),
      remedy: 'download',
    });
    this.sizeBytes = sizeBytes;
    this.limitBytes = limitBytes;
  }

  /** For an answer that would take too long to read, although it is small enough. */
  static withTooManyParts(sizeBytes: number): BodyTooLargeError {
    const what = sentence('The answer, {0}, consists of too many parts to be shown.', { bytes: sizeBytes });
    return new BodyTooLargeError(sizeBytes, sizeBytes, what);
  }
}

function tooManyBytes(limitBytes: number, sizeBytes: number | undefined): Sentence {
  const limit = Math.floor(limitBytes / BYTES_PER_MB);
  return sizeBytes === undefined
    ? sentence('The answer is larger than {0} MB; only up to {0} MB is shown.', limit)
    : sentence('The answer is {0}; only up to {1} MB is shown.', { bytes: sizeBytes }, limit);
}

/** Decimal, as file managers and downloads count. */
const BYTES_PER_MB = 1_000_000;
