import type { BodyTooLargeError } from '../../service-client/index.ts';
import { BuildServiceError, sentence, type Sentence } from '../../errors/index.ts';

/** Thrown when a resource is too large to show. The URL lets the notification offer a download. */
export class ResourceTooLargeError extends BuildServiceError {
  readonly kind = 'resourceTooLarge';
  /** Absolute URL without credentials. */
  readonly url: string;

  private constructor(url: string, cause: BodyTooLargeError, next: Sentence | undefined, canDownload: boolean) {
    super({ what: cause.what, ...(next !== undefined && { next }), remedy: canDownload ? 'download' : 'none', cause });
    this.url = url;
  }

  /** Creates the error for a resource that the user opened. */
  static onOpen(url: string, cause: BodyTooLargeError): ResourceTooLargeError {
    return new ResourceTooLargeError(url, cause, cause.next, true);
  }

  /**
   * Creates the error for the response to a request that the user composed. Only a GET can be repeated as a download.
   */
  static onRequest(method: string, url: string, cause: BodyTooLargeError): ResourceTooLargeError {
    const canDownload = method === 'GET';
    const next = canDownload
      ? sentence('The request was sent, and the service responded. Download the response to a file instead.')
      : sentence('The request was sent, and the service responded. You don’t need to send it again.');
    return new ResourceTooLargeError(url, cause, next, canDownload);
  }
}
