import type { FileContents } from './fileContents.ts';
import type { FileTree } from './fileTree.ts';
import type { PackagePlan, SuspectFile } from './packageContents.ts';
import { walkProject, type PackLimits, type WalkedFile } from './packageWalk.ts';
import { PackingError } from './packingError.ts';
import { baseName, byPath } from './paths.ts';
import type { WebProject } from './projectSearch.ts';
import { searchSecrets } from './secretSearch.ts';
import { isAskedAbout, withSuspects } from './suspects.ts';

/**
 * Reads a project's folder, looks for secrets in it, and decides what will be sent. No suspect is among the files.
 *
 * @param tree whose top is the folder in which the project was found: `.gitignore` files between the two count
 * @param contents reads the files of `tree`
 * @throws PackingError, CancelledError
 */
export async function planFolder(
  tree: FileTree,
  contents: FileContents,
  project: WebProject,
  limits: PackLimits,
  signal?: AbortSignal,
): Promise<PackagePlan> {
  const walked = await walkProject(tree, project, limits, signal);
  const searched = walked.files.filter(({ hasSecretName }) => !hasSecretName);
  const found = await searchSecrets(searched, contents, signal);
  const present = walked.files.filter((file) => found.get(file) !== 'gone');
  const suspects = present.flatMap((walkedFile): readonly SuspectFile[] => {
    const secrets = found.get(walkedFile);
    return secrets === undefined || secrets === 'gone'
      ? byName(walkedFile)
      : [{ ...suspectOf(walkedFile), ...secrets }];
  });
  const files = present.map(({ file }) => file);
  const { leftOut, warnings } = walked;
  const all = { project, files, totalBytes: 0, leftOut, suspects: suspects.sort(byFilePath), warnings };
  const plan = withSuspects(all, () => false);
  if (plan.files.length === 0 && !plan.suspects.some(isAskedAbout)) {
    throw PackingError.nothingToSend(baseName(project.uri));
  }
  return plan;
}

function byName(walked: WalkedFile): readonly SuspectFile[] {
  return walked.hasSecretName ? [{ ...suspectOf(walked), secret: 'name', line: undefined }] : [];
}

function suspectOf({ file, isAskedFor }: WalkedFile): Pick<SuspectFile, 'file' | 'isAskedFor'> {
  return { file, isAskedFor };
}

function byFilePath(a: SuspectFile, b: SuspectFile): number {
  return byPath(a.file, b.file);
}
