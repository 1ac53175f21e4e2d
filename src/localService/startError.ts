/** The service cannot start. The message is for a person. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
