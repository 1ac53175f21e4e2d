import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

/** Duration of an activation. */
export interface Activation {
  readonly milliseconds: number;
}

/**
 * VS Code calls this in the extension host. Activates the extensions that `order.json` in the open folder lists, and writes the duration of
 * each activation to `activations.json` next to it.
 */
export async function run(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const order = JSON.parse(await readFile(path.join(folder, 'order.json'), 'utf8')) as readonly string[];
  const activations: Record<string, Activation> = {};
  for (const id of order) {
    const extension = vscode.extensions.getExtension(id);
    assert.ok(extension, `VS Code does not know ${id}`);
    assert.equal(extension.isActive, false, `${id} is active already`);
    const start = performance.now();
    await extension.activate();
    const milliseconds = performance.now() - start;
    activations[id] = { milliseconds };
  }
  await writeFile(path.join(folder, 'activations.json'), JSON.stringify(activations));
}
