import { BuildServiceError } from './buildServiceError.ts';
import { sentence } from './sentence.ts';

/** An answer is too large to be read into memory and shown. It can be downloaded to a file. */
export class BodyTooLargeError extends BuildServiceError {
  readonly kind = 'bodyTooLarge';
  /** Bytes that the answer announced; undefined when it did not, or was compressed. */
  readonly sizeBytes: number | undefined;
  /** Bytes that an answer may have to be shown. */
  readonly limitBytes: number;

  constructor(limitBytes: number, sizeBytes?: number) {
    const limit = String(Math.floor(limitBytes / BYTES_PER_MB));
    super({
      what:
        sizeBytes === undefined
          ? sentence('The answer is larger than {0} MB; only up to {0} MB is shown.', limit)
          : sentence('The answer is {0} MB; only up to {1} MB is shown.', (sizeBytes / BYTES_PER_MB).toFixed(1), limit),
      next: sentence('Download it to a file instead.'),
      remedy: 'download',
    });
    this.sizeBytes = sizeBytes;
    this.limitBytes = limitBytes;
  }
}

/** Decimal, as file managers and downloads count. */
const BYTES_PER_MB = 1_000_000;
