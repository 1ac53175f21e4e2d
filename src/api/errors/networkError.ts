import { BuildServiceError } from './buildServiceError.ts';
import { sentence, type Sentence, withArguments } from './sentence.ts';

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
    return new NetworkError(failure, withArguments(what, host), next, undefined, cause);
  }

  /** @param host host and port, as in a URL. */
  static timeout(phase: TimeoutPhase, host: string, cause?: Error): NetworkError {
    return new NetworkError(
      'timeout',
      withArguments(TIMEOUTS[phase], host),
      sentence('Check the network connection, then try again.'),
      phase,
      cause,
    );
  }
}

const FAILURES: Readonly<
  Record<Exclude<NetworkFailure, 'timeout'>, { readonly what: Sentence; readonly next: Sentence }>
> = {
  refused: {
    what: sentence('Nothing answers at {0}.'),
    next: sentence('Check that the service is running and that its address is right.'),
  },
  dns: {
    what: sentence('The name {0} could not be found.'),
    next: sentence('Check the address of the service and the network connection.'),
  },
  reset: {
    what: sentence('The connection to {0} was closed before an answer arrived.'),
    next: sentence('Try again in a moment.'),
  },
  unreachable: {
    what: sentence('{0} cannot be reached from this network.'),
    next: sentence('Check the network connection or the VPN.'),
  },
  other: {
    what: sentence('The connection to {0} failed.'),
    next: sentence('Check the network connection, then try again.'),
  },
};

const TIMEOUTS: Readonly<Record<TimeoutPhase, Sentence>> = {
  connect: sentence('{0} did not accept a connection in time.'),
  headers: sentence('{0} did not answer in time.'),
  idle: sentence('{0} stopped sending in the middle of its answer.'),
  total: sentence('The call to {0} took too long and was ended.'),
};
