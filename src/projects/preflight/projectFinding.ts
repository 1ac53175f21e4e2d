import type { TextPosition } from '../textLines.ts';
import type { Finding } from './finding.ts';

/** Where a finding is, without VS Code. */
export interface ProjectPlace {
  /** Of a file below the project, with `/`. */
  readonly path: string;
  /** Absent when it is about the whole file. */
  readonly start?: TextPosition;
  readonly end?: TextPosition;
}

/** A finding whose place is told by a path of the project. */
export interface ProjectFinding extends Omit<Finding, 'place'> {
  readonly place?: ProjectPlace;
}
