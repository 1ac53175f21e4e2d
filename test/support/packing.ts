/** Projects on disk, without VS Code. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type * as vscode from 'vscode';
import { URI } from 'vscode-uri';

import { planPackage } from '../../src/web-project/packing/folderPlan.ts';
import { sentence } from '../../src/errors/sentence.ts';
import type { KnownApp } from '../../src/web-project/madeConfig.ts';
import type { LeftOut, PackagePlan } from '../../src/web-project/packing/packageContents.ts';

/** Files of a folder by path. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** Returns a file URI of VS Code's own class. */
export const fileUri = (file: string): vscode.Uri => URI.file(file);

/** Creates a temporary folder. A path that ends in `/` is an empty folder. */
export async function createFolder(
  files: Files,
): Promise<{ readonly folder: string; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'packing-'));
  await addFiles(folder, files);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Returns empty files. @param folder their folder, with `/` */
export function emptyFiles(paths: readonly string[], folder = ''): Files {
  return Object.fromEntries(paths.map((each) => [folder + each, '']));
}

export async function addFiles(folder: string, files: Files): Promise<void> {
  // In parallel, because writing a thousand files in sequence takes half a minute on a busy computer.
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

/** An app whose files don't contain its name and ID. */
export const KNOWN_APP: KnownApp = {
  id: { value: 'com.example.app', from: sentence('As you said') },
  title: { value: 'Example', from: sentence('Name of the app') },
  version: undefined,
  hasIcon: true,
};

/** Plans a project in a folder. @param project project path relative to the folder */
export function plan(folder: string, project = '', signal?: AbortSignal): Promise<PackagePlan> {
  const uri = fileUri(path.join(folder, project));
  return planPackage({ uri, path: project, name: undefined }, { signal, known: KNOWN_APP });
}

export function getPaths({ files }: PackagePlan): readonly string[] {
  return files.map((file) => file.path);
}

/** Returns the reason for each omitted path. For a rule, the reason is its location and text. */
export function getReasons({ leftOut }: PackagePlan): Readonly<Record<string, string>> {
  return Object.fromEntries(leftOut.map((entry) => [entry.path, getReason(entry)]));
}

function getReason({ reason }: LeftOut): string {
  return reason.kind === 'ignored' ? `${reason.file}: ${reason.rule}` : reason.kind;
}
