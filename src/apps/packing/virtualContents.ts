import * as vscode from 'vscode';

import type { FileContents } from './fileContents.ts';
import type { PlannedFile } from './packageContents.ts';

/** Files of a file system that an extension provides, which cannot be streamed. */
export const virtualContents: FileContents = {
  read: async ({ uri }) => vscode.workspace.fs.readFile(uri),
  stream: async function* ({ uri }: PlannedFile): AsyncGenerator<Uint8Array> {
    yield await vscode.workspace.fs.readFile(uri);
  },
};
