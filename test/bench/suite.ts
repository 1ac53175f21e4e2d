import type { Row } from './row.ts';

/** Rows that are measured together, in a process of their own. */
export type Measure = (rounds: number) => Promise<readonly Row[]>;

/** The modules in suites/, in the order of the table. */
export const suites = [
  'activation',
  'signIn',
  'firstRows',
  'largeAnswer',
  'expand',
  'build',
  'secrets',
  'upload',
  'download',
  'configXml',
  'shipped',
] as const;

export type Suite = (typeof suites)[number];

/** The suites in words. */
export const TITLES: Readonly<Record<Suite, string>> = {
  activation: 'Activation',
  signIn: 'Sign-in',
  firstRows: 'First rows',
  largeAnswer: 'A large answer',
  expand: 'Opening rows',
  build: 'Build',
  secrets: 'Check before the upload',
  upload: 'Upload',
  download: 'Download',
  configXml: '`config.xml` while one types',
  shipped: 'Extension',
};
