import { BuildServiceError } from './buildServiceError.ts';
import { sentence, type Sentence } from './sentence.ts';

/** Where a call ran out of time. `idle`: nothing more of the body arrived; `total`: the whole call took too long. */
export type TimeoutPhase = 'connect' | 'headers' | 'idle' | 'total';

export type NetworkFailure = 'refused' | 'dns' | 'reset' | 'unreachable' | 'timeout' | 'other';

/** No response arrived from a host, or only a part of it. Says nothing about the validity of credentials. */
export class NetworkError extends BuildServiceError {
  readonly kind = 'network';
  readonly failure: NetworkFailure;
  /** Set when `failure` is `timeout`. */
  readonly phase: TimeoutPhase | undefined;

  /** Use {@link NetworkError.of} and {@link NetworkError.timeout}: they know the sentences. */
  constructor(failure: NetworkFailure, what: Sentence, next: Sentence, phase?: TimeoutPhase, cause?: Error) {
    super({ what, next, remedy: 'retry', ...(cause && { cause }) });
    this.failure = failure;
    this.phase = phase;
  }

  /** @param host host and port, as in a URL. */
  static of(failure: Exclude<NetworkFailure, 'timeout'>, host: string, cause?: Error): NetworkError {
    const { what, next } = FAILURES[failure];
    return new NetworkError(failure, sentence(what, host), sentence(next), undefined, cause);
  }

  /** @param host host and port, as in a URL. */
  static timeout(phase: TimeoutPhase, host: string, cause?: Error): NetworkError {
    return new NetworkError(
      'timeout',
      sentence(TIMEOUTS[phase], host),
      sentence('Check the network connection, then try again.'),
      phase,
      cause,
    );
  }
}

const FAILURES: Readonly<Record<Exclude<NetworkFailure, 'timeout'>, { readonly what: string; readonly next: string }>> =
  {
    refused: {
      what: 'Nothing answers at {0}.',
      next: 'Check that the service is running and that its address is right.',
    },
    dns: {
      what: 'The name {0} could not be found.',
      next: 'Check the address of the service and the network connection.',
    },
    reset: { what: 'The connection to {0} was closed before an answer arrived.', next: 'Try again in a moment.' },
    unreachable: { what: '{0} cannot be reached from this network.', next: 'Check the network connection or the VPN.' },
    other: { what: 'The connection to {0} failed.', next: 'Check the network connection, then try again.' },
  };

const TIMEOUTS: Readonly<Record<TimeoutPhase, string>> = {
  connect: '{0} did not accept a connection in time.',
  headers: '{0} did not answer in time.',
  idle: '{0} stopped sending in the middle of its answer.',
  total: 'The call to {0} took too long and was ended.',
};
