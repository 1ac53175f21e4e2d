import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from './repository.ts';

const DIST = path.join(repositoryRoot, 'dist');

/** What is imported lazily: its file is loaded when it is first needed. */
const LAZY_FILES = ['later.cjs', 'undici.cjs'];

/** All files in `dist/` that are shipped, sorted. */
export async function bundledFiles(): Promise<readonly string[]> {
  return (await readdir(DIST)).filter((file) => file.endsWith('.cjs')).sort();
}

/** The files in `dist/` that VS Code loads to activate the extension, sorted: its entry point and what that requires. */
export async function activationFiles(): Promise<readonly string[]> {
  const files = new Set(['extension.cjs']);
  for (const file of files) {
    const text = await readFile(path.join(DIST, file), 'utf8');
    for (const [, required = ''] of text.matchAll(/require\("\.\/([^"]+)"\)/g)) {
      if (!LAZY_FILES.includes(required)) {
        files.add(required);
      }
    }
  }
  return [...files].sort();
}
