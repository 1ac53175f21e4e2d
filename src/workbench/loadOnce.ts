/**
 * Loads something with the first call, and gives the same to all that follow. A load that fails is tried again with the next call.
 *
 * @param load never runs twice at once.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
