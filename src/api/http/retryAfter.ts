/** Seconds of a Retry-After header: a number or a date (RFC 9110 §10.2.3); undefined when absent or unreadable. */
export function retryAfterSeconds(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (/^\d{1,9}$/.test(value.trim())) {
    return Number(value);
  }
  // Date.parse takes more for a date than HTTP does: “-1” is a day in 2001.
  const date = /^\s*(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}
