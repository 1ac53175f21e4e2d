import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { TestAccess } from '../../../extension.ts';

export const extensionId = 'app-build.app-build-service';

/** Activates the extension and reaches inside it. */
export async function activated(): Promise<TestAccess> {
  const extension = vscode.extensions.getExtension<TestAccess | undefined>(extensionId);
  assert.ok(extension, 'VS Code does not know the extension');
  const access = await extension.activate();
  assert.ok(access, 'the extension does not run in test mode');
  return access;
}

/** The next thing that an event brings and that fits. */
export function next<T>(event: vscode.Event<T>, fits: (value: T) => boolean = () => true): Promise<T> {
  return new Promise((resolve) => {
    const subscription = event((value) => {
      if (fits(value)) {
        subscription.dispose();
        resolve(value);
      }
    });
  });
}

/** Writes the person's own settings; what is undefined is removed. */
export async function configure(settings: {
  readonly serviceUrl?: string | undefined;
  readonly clientId?: string | undefined;
  readonly callbackUrl?: string | undefined;
}): Promise<void> {
  for (const [key, value] of Object.entries(settings)) {
    await vscode.workspace.getConfiguration('appBuild').update(key, value, vscode.ConfigurationTarget.Global);
  }
}

/** Forgets every session and every setting. */
export async function signOutEverywhere({ sessions }: TestAccess): Promise<void> {
  for (const { id } of await sessions.all()) {
    await sessions.remove(id);
  }
  await configure({ serviceUrl: undefined, clientId: undefined, callbackUrl: undefined });
}

/** Everything that the extension has logged so far. */
export async function logged({ context }: TestAccess): Promise<string> {
  const directory = context.logUri.fsPath;
  const files = (await readdir(directory)).filter((name) => name.endsWith('.log'));
  return (await Promise.all(files.map((name) => readFile(path.join(directory, name), 'utf8')))).join('\n');
}
