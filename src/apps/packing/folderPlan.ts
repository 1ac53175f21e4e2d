import { diskContents } from './diskContents.ts';
import { DiskTree } from './diskTree.ts';
import type { FileContents } from './fileContents.ts';
import type { PackagePlan, SuspectFile } from './packageContents.ts';
import { walkProject, type WalkedFile } from './packageWalk.ts';
import { PackingError } from './packingError.ts';
import { baseName, byPath } from './paths.ts';
import type { WebProject } from './projectSearch.ts';
import { searchSecrets } from './secretSearch.ts';
import { isAskedAbout, withSuspects } from './suspects.ts';

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
 * @throws PackingError when the folder or a file cannot be read, or holds nothing to send; CancelledError
 */
export function planPackage(project: WebProject, signal?: AbortSignal): Promise<PackagePlan> {
  const { uri, path } = project;
  const searched = path === '' ? uri : uri.with({ path: uri.path.slice(0, -path.length).replace(/(?<=.)\/$/, '') });
  return planFolder(new DiskTree(searched.fsPath), diskContents, project, signal);
}

/**
 * {@link planPackage} of any tree. No suspect is among the files.
 *
 * @param tree whose top is the folder in which the project was found: `.gitignore` files between the two count
 * @param contents reads the files of `tree`
 * @throws PackingError, CancelledError
 */
export async function planFolder(
  tree: DiskTree,
  contents: FileContents,
  project: WebProject,
  signal?: AbortSignal,
  maxEntries?: number,
): Promise<PackagePlan> {
  const walked = await walkProject(tree, project, signal, maxEntries);
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
