import type * as vscode from 'vscode';

/** Resolves with the next matching value of an event. */
export function next<T>(event: vscode.Event<T>, fits: (value: T) => boolean = () => true): Promise<T> {
  return new Promise((resolve) => {
    const subscription = event((value) => {
      if (fits(value)) {
        subscription.dispose();
        resolve(value);
      }
    });
  });
}

/**
 * Waits for a state that an event announces: calls `condition` now and after each event. Events during a call count.
 * @returns the first result that isn't `undefined`, `null`, or `false`
 */
export async function until<T>(
  event: vscode.Event<unknown>,
  condition: () => T | Promise<T>,
): Promise<Exclude<Awaited<T>, undefined | null | false>> {
  let wake = (): void => undefined;
  const subscription = event(() => wake());
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => (wake = resolve));
      const answer = await condition();
      if (answer !== undefined && answer !== null && answer !== false) {
        return answer as Exclude<Awaited<T>, undefined | null | false>;
      }
      await changed;
    }
  } finally {
    subscription.dispose();
  }
}
