import type { Sample } from './rounds.ts';

/** One line of the table. */
export interface Row {
  /** What a person waits for; begins with the name of its suite. */
  readonly name: string;
  readonly unit: 'ms' | 'MB' | 'kB' | 'files' | 'requests';
  readonly ours: Spread;
  readonly peer?: { readonly name: string; readonly median: number };
  /** Of each round, as noise between rounds is larger than within one. */
  readonly ratio?: Spread;
  /** What ours took longer in each round, where the limit is of that. */
  readonly added?: Spread;
  /** Median of each round's processor time beside the peer's: what is left when other programs wait for the same processors. */
  readonly processorRatio?: number | undefined;
  readonly limit: string;
  readonly holds: boolean;
}

/** Median, least and most. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** What is measured. */
export interface Subject extends Pick<Row, 'name' | 'unit'> {
  readonly ours: readonly Sample[];
}

/** What is measured in the same rounds beside it. */
export interface Peer {
  readonly name: string;
  readonly samples: readonly Sample[];
}

/** Holds when the median of the rounds' ratios is at most this. */
export function ratioAtMost(subject: Subject, peer: Peer, max: number): Row {
  const row = compare(subject, peer);
  return { ...row, limit: `≤ ${max} ×`, holds: row.ratio.median <= max };
}

/** Holds when the median is at most this. @param peer shown beside ours; the limit does not depend on it. */
export function atMost(subject: Subject, max: number, peer?: Peer): Row {
  const row = peer === undefined ? alone(subject) : compare(subject, peer);
  return { ...row, limit: `≤ ${max} ${subject.unit}`, holds: row.ours.median <= max };
}

/** Holds when the median of what each round took longer than the peer is at most this. */
export function addsAtMost(subject: Subject, peer: Peer, max: number): Row {
  const added = spreadOf(subject.ours.map(({ value }, round) => value - (peer.samples[round]?.value ?? NaN)));
  return { ...compare(subject, peer), added, limit: `≤ + ${max} ${subject.unit}`, holds: added.median <= max };
}

/** Holds when every round gave exactly this. */
export function exactly(subject: Subject, expected: number): Row {
  const row = alone(subject);
  return { ...row, limit: `= ${expected}`, holds: row.ours.min === expected && row.ours.max === expected };
}

/** A sample of something that is not timed. */
export function figure(value: number): Sample {
  return { value };
}

type Figures = Omit<Row, 'limit' | 'holds'>;

function alone({ name, unit, ours }: Subject): Figures {
  return { name, unit, ours: spreadOf(ours.map(({ value }) => value)) };
}

function compare(subject: Subject, { name, samples }: Peer): Figures & { readonly ratio: Spread } {
  const ratios = (of: (sample: Sample) => number): Spread =>
    spreadOf(subject.ours.map((ours, round) => of(ours) / of(samples[round] ?? { value: NaN })));
  const processorRatio = ratios(({ processorMs = NaN }) => processorMs).median;
  return {
    ...alone(subject),
    peer: { name, median: spreadOf(samples.map(({ value }) => value)).median },
    ratio: ratios(({ value }) => value),
    ...(Number.isFinite(processorRatio) && { processorRatio }),
  };
}

export function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b);
  return {
    median: sorted[Math.floor(sorted.length / 2)] ?? NaN,
    min: sorted[0] ?? NaN,
    max: sorted.at(-1) ?? NaN,
  };
}
