import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Redactor } from '../../../../src/service-client/index.ts';
import { CommandRegistry } from '../../../../src/extension/commands/commandRegistry.ts';
import type { Commands } from '../../../../src/extension/commands/commands.ts';
import type { Log } from '../../../../src/extension/workbench/log.ts';
import { Notifications } from '../../../../src/extension/workbench/notifications.ts';

describe('a command', () => {
  const { window } = vscode;
  const { withProgress } = window;
  const { setStatusBarMessage } = window;
  let shown: string[];
  let registries: CommandRegistry[];

  beforeEach(() => {
    shown = [];
    registries = [];
    Object.assign(window, {
      withProgress: ({ location }: vscode.ProgressOptions, task: () => unknown) => {
        shown.push(`bar of ${(location as { readonly viewId: string }).viewId}`);
        return task();
      },
      setStatusBarMessage: (text: string, until: PromiseLike<unknown>) => {
        shown.push(text);
        void until.then(() => shown.push('ended'));
      },
    });
  });

  afterEach(() => {
    Object.assign(window, { withProgress, setStatusBarMessage });
    registries.forEach((registry) => registry.dispose());
  });

  /** Opens a window whose commands aren't loaded until `load` is called. */
  function open(visible: boolean) {
    const loading = Promise.withResolvers<Commands>();
    const registry = new CommandRegistry([{ command: 'appBuild.buildFolder', title: 'Build App' }], {
      notifications: new Notifications({} as Log, new Redactor(), {}),
      view: { visible },
      load: () => loading.promise,
    });
    registries.push(registry);
    const handlers = { 'appBuild.buildFolder': () => 'built', 'appBuild.signOut': () => 'signed out' };
    return { registry, load: () => loading.resolve({ handlers } as unknown as Commands) };
  }

  it('shows progress before its code is loaded if it takes a while', async () => {
    const { registry, load } = open(true);
    const running = registry.run('appBuild.buildFolder');
    assert.deepEqual(shown, ['bar of appBuild.resources']);
    load();
    assert.equal(await running, 'built');
  });

  it('shows progress in the status bar while the view is hidden', async () => {
    const { registry, load } = open(false);
    const running = registry.run('appBuild.buildFolder');
    assert.deepEqual(shown, ['$(loading~spin) Build App']);
    load();
    await running;
    assert.deepEqual(shown.slice(1), ['ended']);
  });

  it('shows no progress if it ends immediately', async () => {
    const { registry, load } = open(true);
    load();
    assert.equal(await registry.run('appBuild.signOut'), 'signed out');
    assert.deepEqual(shown, []);
  });
});
