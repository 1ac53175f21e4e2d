import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';

/** No device in a network can reach what this window would share. */
export class SharingError extends BuildServiceError {
  readonly kind = 'sharing';

  /** @param next what the person can do beside downloading the build. */
  constructor(what: Sentence, next: Sentence, cause?: unknown) {
    super({ what, next, remedy: 'download', calm: true, cause });
  }
}

/** The window is one of a remote machine or a container. */
export function remoteWindowError(): SharingError {
  return new SharingError(
    sentence('This window works on a remote machine or in a container: phones cannot reach it there.'),
    sentence('Download the build, then send the file to the phone.'),
  );
}

/** The machine has no address but its own. */
export function noNetworkError(): SharingError {
  return new SharingError(
    sentence('This computer is in no network in which a phone could reach it.'),
    sentence('Connect it to the network of the phone, or download the build and send the file.'),
  );
}

/** The machine does not let the extension listen. @param address IPv4 */
export function notListeningError(address: string, cause: unknown): SharingError {
  return new SharingError(
    sentence('This computer does not let the extension listen on {0}.', address),
    sentence('Choose another network, or download the build and send the file.'),
    cause,
  );
}

/** What was built holds no pages that could be shown. */
export class UnreadablePackageError extends BuildServiceError {
  readonly kind = 'unreadablePackage';

  constructor(what: Sentence, cause?: unknown) {
    super({ what, next: sentence('Build the app again, or install the build.'), cause });
  }
}
