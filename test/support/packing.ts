/** Projects on this disk, without VS Code. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type * as vscode from 'vscode';
import { URI } from 'vscode-uri';

import { planPackage } from '../../src/projects/packing/folderPlan.ts';
import { sentence } from '../../src/api/errors/sentence.ts';
import type { KnownApp } from '../../src/projects/madeConfig.ts';
import type { LeftOut, PackagePlan } from '../../src/projects/packing/packageContents.ts';

/** The files of a folder by their paths. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** VS Code's own class. */
export const fileUri = (file: string): vscode.Uri => URI.file(file);

/** Makes a temporary folder; a path that ends in `/` is an empty folder. */
export async function folderOf(
  files: Files,
): Promise<{ readonly folder: string; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'packing-'));
  await addFiles(folder, files);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Files with nothing in them. @param folder that they are in, with `/` */
export function emptyFiles(paths: readonly string[], folder = ''): Files {
  return Object.fromEntries(paths.map((each) => [folder + each, '']));
}

export async function addFiles(folder: string, files: Files): Promise<void> {
  // At once: a thousand files one after another take half a minute where the machine is busy.
  await Promise.all(
    Object.entries(files).map(async ([name, content]) => {
      const file = path.join(folder, name);
      await mkdir(name.endsWith('/') ? file : path.dirname(file), { recursive: true });
      if (!name.endsWith('/')) {
        await writeFile(file, content);
      }
    }),
  );
}

/** Of an app whose files do not say what it is. */
export const KNOWN_APP: KnownApp = {
  id: { value: 'com.example.app', from: sentence('As you said') },
  title: { value: 'Example', from: sentence('Name of the app') },
  version: undefined,
  hasIcon: true,
};

/** Plans a project in a folder. @param project its path below the folder */
export function plan(folder: string, project = '', signal?: AbortSignal): Promise<PackagePlan> {
  const uri = fileUri(path.join(folder, project));
  return planPackage({ uri, path: project, name: undefined }, { signal, known: KNOWN_APP });
}

export function pathsOf({ files }: PackagePlan): readonly string[] {
  return files.map((file) => file.path);
}

/** Paths of what is left out, each with its reason; of a rule, where it is and what it says. */
export function reasonsOf({ leftOut }: PackagePlan): Readonly<Record<string, string>> {
  return Object.fromEntries(leftOut.map((entry) => [entry.path, reasonOf(entry)]));
}

function reasonOf({ reason }: LeftOut): string {
  return reason.kind === 'ignored' ? `${reason.file}: ${reason.rule}` : reason.kind;
}
