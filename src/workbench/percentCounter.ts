/**
 * Counts the percents of something that is done: a message for each piece of a large file would keep the window busy.
 *
 * @returns a function that takes how much of how much is done. It returns the percent that is reached and what has come since the
 * last one; undefined for a piece that reaches none.
 */
export function percentCounter(): (
  done: number,
  total: number,
) => { readonly percent: number; readonly increment: number } | undefined {
  let last = 0;
  return (done, total) => {
    const percent = Math.floor((100 * done) / Math.max(1, total));
    if (percent <= last) {
      return undefined;
    }
    const increment = percent - last;
    last = percent;
    return { percent, increment };
  };
}
