import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Apps } from '../../../src/builds/apps.ts';
import type { TestAccess } from '../../../src/extension.ts';
import { waitUntil } from '../../support/waitUntil.ts';

export { next, until } from '../../support/events.ts';

export const extensionId = 'app-build.app-build-service';

/** Activates the extension and reaches inside it. */
export async function activated(): Promise<TestAccess> {
  const extension = vscode.extensions.getExtension<TestAccess | undefined>(extensionId);
  assert.ok(extension, 'VS Code does not know the extension');
  const access = await extension.activate();
  assert.ok(access, 'the extension does not run in test mode');
  return access;
}

/** The extension, activated before the first test of a `describe`: its parts are there in tests and hooks alone. */
export function extensionOfTests(): TestAccess {
  return inTests(activated);
}

/** What it knows of apps, as {@link extensionOfTests}. */
export function appsOfTests(): Apps {
  return inTests(async () => (await activated()).loadApps());
}

function inTests<T extends object>(load: () => Promise<T>): T {
  const parts = {} as T;
  before(async () => void Object.assign(parts, await load()));
  return parts;
}

/** Writes the person's own settings, where they differ; what is undefined is removed. */
export async function configure(settings: {
  readonly serviceUrl?: string | undefined;
  readonly clientId?: string | undefined;
  readonly callbackUrl?: string | undefined;
  readonly adbPath?: string | undefined;
}): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('appBuild');
  for (const [key, value] of Object.entries(settings)) {
    // Writing takes VS Code a fifth of a second.
    if (configuration.inspect(key)?.globalValue !== value) {
      await configuration.update(key, value, vscode.ConfigurationTarget.Global);
    }
  }
}

/** Forgets every session and every setting. */
export async function signOutEverywhere({ sessions }: TestAccess): Promise<void> {
  for (const { id } of await sessions.all()) {
    await sessions.remove(id);
  }
  await configure({ serviceUrl: undefined, clientId: undefined, callbackUrl: undefined });
}

// The channel is the extension's own: VS Code knows it by its name. So it is not disposed here.
const channel = vscode.window.createOutputChannel('Application Build Service', { log: true });

/** Everything that the extension has logged so far. VS Code writes it a little later, in order: a mark shows how far it is. */
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
