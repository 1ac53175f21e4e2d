import type { PackagePlan } from './packageContents.ts';
import { DISK_LIMITS, VIRTUAL_LIMITS, walkProject } from './packageWalk.ts';
import { treeAbove } from './trees.ts';
import type { WebProject } from './webProject.ts';

export type {
  FileNameProblem,
  LeftOut,
  LeftOutReason,
  PackagePlan,
  PlannedFile,
  PlanWarning,
  SecretKind,
  SuspectFile,
} from './packageContents.ts';

/**
 * Reads the folder and decides what will be sent.
 *
 * Left out are: what `.gitignore` files name, in the project and above it as far as the folder that was searched; what
 * `.appbuildignore` in the project names, which wins; and always version control, `node_modules`, Cordova's `platforms` and
 * `plugins`, secrets by their names, links out of the project. A line of `.appbuildignore` that names such a thing itself,
 * as `!release.keystore` does, takes it in, version control excepted.
 *
 * @throws PackingError when the folder cannot be read, is gone, is too large for its kind, or holds nothing to send;
 *   CancelledError
 */
export function planPackage(project: WebProject, signal?: AbortSignal): Promise<PackagePlan> {
  return walkProject(treeAbove(project), project, project.uri.scheme === 'file' ? DISK_LIMITS : VIRTUAL_LIMITS, signal);
}
