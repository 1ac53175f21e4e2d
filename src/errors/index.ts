/** Sentences and typed errors that all client rooms share. */
export {
  BuildServiceError,
  Failure,
  type FailureDetails,
  InvalidInputError,
  type Remedy,
} from './buildServiceError.ts';
export { cancellable, CancelledError, throwIfCancelled } from './cancelledError.ts';
export {
  formatSentence,
  formatValue,
  knownLanguage,
  sentence,
  type Sentence,
  type SentenceValue,
  valueAlone,
  withArguments,
} from './sentence.ts';
