/** What pages say of names, times and sizes. */
import { html } from 'hono/html';

import type { Html } from './layout.ts';

/** Characters of a name. */
const MAX_NAME_LENGTH = 200;

/** A name as a page shows it: of any length, without characters that are not seen or turn the direction of a text. */
export function shownText(text: string): string {
  const visible = text.slice(0, MAX_NAME_LENGTH + 1).replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]+/gu, '');
  const shown = visible.length > MAX_NAME_LENGTH ? `${visible.slice(0, MAX_NAME_LENGTH)}…` : visible;
  return shown.trim() === '' ? '(no name)' : shown;
}

/** A name in a direction of its own. */
export function nameOf(text: string): Html {
  return html`<bdi>${shownText(text)}</bdi>`;
}

/** A point in time, milliseconds since the epoch. */
export function timeOf(time: number): Html {
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** How long ago something was, or how long from now something will be; the times in milliseconds. */
export function relativeTime(time: number, now: number): string {
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const seconds = (time - now) / 1000;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? LEAST_UNIT;
  return format.format(Math.round(seconds / length), unit);
}

const LEAST_UNIT = ['second', 1] as const;
const UNITS = [['day', 86_400], ['hour', 3_600], ['minute', 60], LEAST_UNIT] as const;

/** A number of bytes. */
export function sizeOf(bytes: number): string {
  const [unit, length] = BYTE_UNITS.find(([, each]) => bytes >= each) ?? ['bytes', 1];
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(bytes / length)} ${unit}`;
}

const BYTE_UNITS = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;
