import { planFolder } from './folderPlan.ts';
import type { PackagePlan } from './packageContents.ts';
import { contentsOf } from './packageFile.ts';
import { DISK_LIMITS, VIRTUAL_LIMITS } from './packageWalk.ts';
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
 * `plugins`, links out of the project. A line of `.appbuildignore` that names such a thing itself, as `!plugins` does, takes
 * it in, version control excepted.
 *
 * Files that may hold a secret, by their name or by what is in them, are suspects: they are left out, too, until a person
 * allows them one by one.
 *
 * @throws PackingError when the folder or a file cannot be read, is too large for its kind, or holds nothing to send;
 *   CancelledError
 */
export function planPackage(project: WebProject, signal?: AbortSignal): Promise<PackagePlan> {
  const limits = project.uri.scheme === 'file' ? DISK_LIMITS : VIRTUAL_LIMITS;
  return planFolder(treeAbove(project), contentsOf(project), project, limits, signal);
}
