import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { BuildServices } from '../../../src/extension/apps/builds/createBuildServices.ts';
import type { TestAccess } from '../../../src/extension.ts';
import { waitUntil } from '../../support/waitUntil.ts';

export { next, until } from '../../support/events.ts';

export const extensionId = 'app-build.app-build-service';

/** Activates the extension and returns its internals. */
export async function activated(): Promise<TestAccess> {
  const extension = vscode.extensions.getExtension<TestAccess | undefined>(extensionId);
  assert.ok(extension, 'VS Code does not know the extension');
  const access = await extension.activate();
  assert.ok(access, 'the extension does not run in test mode');
  return access;
}

/**
 * Activates the extension before the first test of a `describe`. Its internals are available only in tests and hooks.
 */
export function getTestExtension(): TestAccess {
  return inTests(activated);
}

/** Returns the extension's app services. Like {@link getTestExtension}, they are available only in tests and hooks. */
export function getTestApps(): BuildServices {
  return inTests(async () => (await activated()).loadBuildServices());
}

function inTests<T extends object>(load: () => Promise<T>): T {
  const parts = {} as T;
  before(async () => void Object.assign(parts, await load()));
  return parts;
}

/** Writes the user's settings if they differ. Undefined values are removed. */
export async function configure(settings: {
  readonly serviceUrl?: string | undefined;
  readonly clientId?: string | undefined;
  readonly callbackUrl?: string | undefined;
  readonly adbPath?: string | undefined;
}): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('appBuild');
  for (const [key, value] of Object.entries(settings)) {
    // VS Code needs 200 ms to write a setting.
    if (configuration.inspect(key)?.globalValue !== value) {
      await configuration.update(key, value, vscode.ConfigurationTarget.Global);
    }
  }
}

/** Deletes all sessions and settings. */
export async function signOutEverywhere({ sessions }: TestAccess): Promise<void> {
  for (const { id } of await sessions.all()) {
    await sessions.remove(id);
  }
  await configure({ serviceUrl: undefined, clientId: undefined, callbackUrl: undefined });
}

// The log isn't disposed, because VS Code has a single channel with this name, which the extension uses.
const channel = vscode.window.createOutputChannel('Application Build Service', { log: true });

/**
 * Returns everything that the extension has logged so far. VS Code writes the log in order but with a delay, so a mark shows when it's
 * complete.
 */
export async function logged({ context }: TestAccess): Promise<string> {
  const mark = `mark ${randomUUID()}`;
  channel.error(mark);
  const directory = context.logUri.fsPath;
  return waitUntil(async () => {
    const files = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.log'));
    const text = (await Promise.all(files.map((name) => readFile(path.join(directory, name), 'utf8')))).join('\n');
    return text.includes(mark) && text;
  });
}
