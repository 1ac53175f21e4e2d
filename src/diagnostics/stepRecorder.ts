import { ProxyError } from '../api/errors/proxyError.ts';
import { stepFailure } from './connectionSteps.ts';
import { failureKind } from './failureKind.ts';

/** What a step met. No name and no address is part of it. */
export interface Step {
  readonly name: string;
  readonly result: string;
  /** Undefined when the step was not tried. */
  readonly milliseconds?: number;
}

/** A step has failed: those that need it are not tried. */
export class StepFailed extends Error {}

/** Runs steps, each with a time limit, and records what they met. */
export class StepRecorder {
  readonly #steps: Step[] = [];
  readonly #limit: AbortSignal;
  readonly #timeoutMs: number;

  /** @param limit for all steps. @param timeoutMs for each. */
  constructor(limit: AbortSignal, timeoutMs: number) {
    this.#limit = limit;
    this.#timeoutMs = timeoutMs;
  }

  get steps(): readonly Step[] {
    return this.#steps;
  }

  /** Records a step that is not tried. */
  add(name: string, result: string): void {
    this.#steps.push({ name, result });
  }

  /**
   * Runs a step.
   *
   * @param action what it met in words for the report, and a value for the next step. Its signal aborts when the time is over.
   * @throws StepFailed
   */
  async run<T>(
    name: string,
    action: (signal: AbortSignal) => Promise<{ readonly result: string; readonly value: T }>,
  ): Promise<T> {
    const start = performance.now();
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(), this.#timeoutMs);
    const signal = AbortSignal.any([this.#limit, timer.signal]);
    const record = (result: string) =>
      this.#steps.push({ name, result, milliseconds: Math.round(performance.now() - start) });
    try {
      // Not every action listens to its signal.
      const { result, value } = await Promise.race([action(signal), rejectedWhenAborted(signal)]);
      record(result);
      return value;
    } catch (error) {
      record(
        signal.aborted ? 'no answer in time' : error instanceof ProxyError ? failureKind(error) : stepFailure(error),
      );
      throw new StepFailed(name);
    } finally {
      clearTimeout(timeout);
      timer.abort();
    }
  }
}

function rejectedWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(new StepFailed());
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) {
      abort();
    }
  });
}
