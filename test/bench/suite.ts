import type { Row } from './row.ts';

/** Rows that are measured together, in a process of their own. */
export type Measure = (rounds: number) => Promise<readonly Row[]>;

/** The modules in suites/, in the order of the table. */
export const suites = [
  'activation',
  'get',
  'signIn',
  'expand',
  'links',
  'download',
  'upload',
  'packing',
  'android',
  'configXml',
  'sending',
  'growth',
  'writes',
  'shipped',
] as const;

export type Suite = (typeof suites)[number];
