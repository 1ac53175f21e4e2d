import type { BodyTooLargeError } from '../api/errors/responseErrors.ts';
import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import { sentence, type Sentence } from '../api/errors/sentence.ts';

/** A resource is too large to be shown; its URL allows to offer a download. */
export class ResourceTooLargeError extends BuildServiceError {
  readonly kind = 'resourceTooLarge';
  /** Absolute, without credentials. */
  readonly url: string;

  private constructor(url: string, cause: BodyTooLargeError, next: Sentence | undefined, canDownload: boolean) {
    super({ what: cause.what, ...(next !== undefined && { next }), remedy: canDownload ? 'download' : 'none', cause });
    this.url = url;
  }

  static onOpen(url: string, cause: BodyTooLargeError): ResourceTooLargeError {
    return new ResourceTooLargeError(url, cause, cause.next, true);
  }

  /** For the response to a request of a person's own making. Only a GET can be repeated as a download. */
  static onRequest(method: string, url: string, cause: BodyTooLargeError): ResourceTooLargeError {
    const canDownload = method === 'GET';
    const next = canDownload
      ? sentence('The request was sent, and the service has answered it. Download the answer to a file instead.')
      : sentence('The request was sent, and the service has answered it: there is no need to send it again.');
    return new ResourceTooLargeError(url, cause, next, canDownload);
  }
}
