import type { BodyTooLargeError } from '../../service-client/index.ts';
import { BuildServiceError } from '../../errors/index.ts';

/** Thrown when a resource is too large to show. The URL lets the notification offer a download. */
export class ResourceTooLargeError extends BuildServiceError {
  readonly kind = 'resourceTooLarge';
  /** Absolute URL without credentials. */
  readonly url: string;

  /**
   * @param url the absolute URL, without credentials.
   * @param next the next step for the user.
   * @param canDownload whether the notification offers a download.
   */
  constructor(url: string, cause: BodyTooLargeError, next = cause.next, canDownload = true) {
    super({ what: cause.what, ...(next !== undefined && { next }), remedy: canDownload ? 'download' : 'none', cause });
    this.url = url;
  }
}
