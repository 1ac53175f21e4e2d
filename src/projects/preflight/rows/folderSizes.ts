import type { PlannedFile } from '../../packing/packageContents.ts';

/** Whether folders stand before files, each by their names; or the biggest first. */
export type FileOrder = 'name' | 'size';

/** A folder with what is sent of it. */
export interface SizedFolder {
  readonly kind: 'folder';
  readonly name: string;
  /** Below the project, with `/`; empty for the project itself. */
  readonly path: string;
  /** Sum of the files in it and below it. */
  readonly sizeBytes: number;
  /** Number of the files in it and below it. */
  readonly files: number;
  readonly entries: readonly SizedEntry[];
}

export interface SizedFile {
  readonly kind: 'file';
  readonly name: string;
  readonly file: PlannedFile;
  readonly sizeBytes: number;
}

export type SizedEntry = SizedFolder | SizedFile;

interface GrowingFolder extends SizedFolder {
  sizeBytes: number;
  files: number;
  readonly entries: SizedEntry[];
}

/** The folders of files, each with the sum of what is in it. */
export function folderSizes(files: readonly PlannedFile[]): SizedFolder {
  const top = emptyFolder('', '');
  const folders = new Map([['', top]]);
  for (const file of files) {
    const end = file.path.lastIndexOf('/');
    const folder = folderAt(folders, file.path.slice(0, Math.max(0, end)));
    folder.entries.push({ kind: 'file', name: file.path.slice(end + 1), file, sizeBytes: file.sizeBytes });
    for (let path = folder.path; ; path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) {
      const each = folderAt(folders, path);
      each.sizeBytes += file.sizeBytes;
      each.files += 1;
      if (path === '') {
        break;
      }
    }
  }
  return top;
}

function folderAt(folders: Map<string, GrowingFolder>, path: string): GrowingFolder {
  const known = folders.get(path);
  if (known !== undefined) {
    return known;
  }
  const end = path.lastIndexOf('/');
  const folder = emptyFolder(path, path.slice(end + 1));
  folders.set(path, folder);
  folderAt(folders, path.slice(0, Math.max(0, end))).entries.push(folder);
  return folder;
}

function emptyFolder(path: string, name: string): GrowingFolder {
  return { kind: 'folder', name, path, sizeBytes: 0, files: 0, entries: [] };
}

/** The entries of a folder in an order that people look through. */
export function sortedEntries({ entries }: SizedFolder, order: FileOrder): readonly SizedEntry[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const byName = (left: SizedEntry, right: SizedEntry): number =>
    Number(left.kind === 'file') - Number(right.kind === 'file') || compare(left.name, right.name);
  return order === 'name'
    ? entries.toSorted(byName)
    : entries.toSorted((left, right) => right.sizeBytes - left.sizeBytes || byName(left, right));
}
