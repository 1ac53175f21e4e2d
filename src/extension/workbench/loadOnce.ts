/**
 * Returns a function that loads a value on the first call and returns the same value on later calls. After a failure,
 * the next call tries again.
 *
 * @param load never runs concurrently.
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
