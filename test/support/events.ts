import type * as vscode from 'vscode';

/** The next thing that an event brings and that fits. */
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
 * Waits for what an event announces: asks `condition` now, and again after each event. What happens while it is asked counts.
 *
 * @returns the first answer that is not `undefined`, `null` or `false`
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
