import type { Sentence } from '../../api/errors/sentence.ts';
import { localised } from '../../workbench/notifications.ts';
import type { PackagePlan } from './packageContents.ts';
import { biggestFilesOf, leftOutOf, summaryOf, warningsOf } from './planSentences.ts';

/** A plan, told to a person before the upload, and in the log. */
export interface PlanText {
  /** Number and size of the files, such as `12 files, 3.4 MB`. */
  readonly summary: string;
  /** The biggest first, such as `www/film.mp4 (48.2 MB)`. */
  readonly biggestFiles: readonly string[];
  /** A line for each reason, with the paths. */
  readonly leftOut: readonly string[];
  /** What may go wrong, or is not as one expects. */
  readonly warnings: readonly string[];
}

/** Tells what will be sent. Paths are as they are: whoever shows them escapes them, as all texts of `workbench` are. */
export function describePlan(plan: PackagePlan): PlanText {
  const all = (sentences: readonly Sentence[]): readonly string[] => sentences.map(localised);
  return {
    summary: localised(summaryOf(plan)),
    biggestFiles: all(biggestFilesOf(plan)),
    leftOut: all(leftOutOf(plan)),
    warnings: all(warningsOf(plan)),
  };
}
