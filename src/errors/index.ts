/** Sentences and typed errors that the rooms of the client share. */
export {
  BuildServiceError,
  Failure,
  type FailureDetails,
  InvalidInputError,
  type Remedy,
} from './buildServiceError.ts';
export { cancellable, CancelledError, throwIfCancelled } from './cancelledError.ts';
export {
  knownLanguage,
  formatSentence,
  sentence,
  type Sentence,
  type SentenceValue,
  valueAlone,
  formatValue,
  withArguments,
} from './sentence.ts';
