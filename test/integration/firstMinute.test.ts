import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { SAMPLE_KEY } from '../../src/extension/apps/builds/names.ts';
import type { CommandDependencies } from '../../src/extension/commands/dependencies.ts';
import { showOpenedSample } from '../../src/extension/commands/createSampleProject.ts';
import { checkConfig, parseXml } from '../../src/config-xml/index.ts';
import { showConnection } from '../../src/extension/resources/tree/resourceTree.ts';
import { useFolderForEachTest } from '../support/hooks.ts';
import { cleanUp, json, serve, type TestServer } from '../support/servers.ts';
import { getTestExtension, configure, until } from './support/extension.ts';
import { AS_PROPOSED, useRecordingUser } from './support/recordingUser.ts';
import { signInAt } from './support/signedIn.ts';
import { TreeRows } from './support/treeRows.ts';
import { deleteFiles, openFolder, writeFiles } from './support/webProject.ts';

const CHANGE = 'Change';
const USE_ANYWAY = 'Use Anyway';

describe('the first minute', () => {
  const access = getTestExtension();
  const user = useRecordingUser();
  let service: TestServer;
  let page: TestServer;

  beforeEach(async () => {
    await configure({ serviceUrl: undefined });
    service = await serve((_request, response) => json(response, { error: 'Missing authentication.' }, 401));
    page = await serve((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Intranet</title>'),
    );
  });

  afterEach(async () => {
    await cleanUp();
  });

  /** Resolves with the first row of the view when it has this label or command. Rows follow a sign-in with a delay. */
  async function firstRow(label: string, command?: string): Promise<vscode.TreeItem> {
    return until(access.tree.onDidChangeTreeData, async () => {
      const [first] = await access.tree.getChildren();
      const item = first && access.tree.getTreeItem(first);
      return (item?.label === label || (command !== undefined && item?.command?.command === command)) && item;
    });
  }

  const getHost = ({ url }: { readonly url: string }) => new URL(url).host;
  const setting = () => vscode.workspace.getConfiguration('appBuild').get<string>('serviceUrl', '');
  /** Types into the boxes in turn, and presses the buttons of the questions in turn. */
  async function connect(typed: readonly string[], pressed: readonly string[] = []): Promise<void> {
    const buttons = [...pressed];
    user.answers = {
      typed: [...typed],
      press: (_text, offered) => (offered.includes(CHANGE) ? buttons.shift() : undefined),
    };
    await vscode.commands.executeCommand('appBuild.connect');
    assert.deepEqual(buttons, [], 'a question was not asked');
  }

  it('accepts a shortened address, and continues with the sign-in if a build service responds', async () => {
    await connect([`${getHost(service)}/api/v1/`, AS_PROPOSED, '']);
    assert.equal(setting(), service.url);
    assert.match(user.questions.at(-1) ?? '', /Your user name at the service/);
    assert.deepEqual(user.notifications, []);
    assert.equal(service.received.length, 1);
    assert.match(service.received[0] ?? '', /^GET \/api\/v1\/me\n/);
    assert.doesNotMatch(service.received[0] ?? '', /authorization|cookie/i);
  });

  it('uses an address without a build service if the user insists, and doesn’t sign in', async () => {
    await connect([page.url, AS_PROPOSED, ''], [USE_ANYWAY]);
    assert.equal(setting(), page.url);
    assert.match(user.notifications.at(-1) ?? '', /is in use, but no build service responded there/);
    assert.doesNotMatch(user.questions.join('\n'), /Your user name/);
  });

  it('offers the target of a redirect, and sends a request there only if the user chooses it', async () => {
    const moved = await serve((request, response) =>
      response.writeHead(301, { location: service.url + (request.url ?? '') }).end(),
    );
    await connect([moved.url, AS_PROPOSED, AS_PROPOSED, ''], [`Use ${getHost(service)}`]);
    assert.match(user.notifications[0] ?? '', /^This address redirects to another server/);
    assert.equal(service.received.length, 1);
    assert.equal(setting(), service.url);
  });

  it('suggests the client ID and the callback URL only for their own service', async () => {
    const elsewhere = { clientId: 'of-another-service', callbackUrl: 'http://127.0.0.1:8321/callback' };
    const registered = () => {
      const configuration = vscode.workspace.getConfiguration('appBuild');
      return { clientId: configuration.get('clientId'), callbackUrl: configuration.get('callbackUrl') };
    };
    await configure({ serviceUrl: 'https://build.example.com', ...elsewhere });
    // The box without a suggestion stays empty, because no client ID is known.
    await connect([getHost(service), AS_PROPOSED, AS_PROPOSED]);
    assert.deepEqual(registered(), { clientId: '', callbackUrl: '' });
    await configure({ serviceUrl: service.url, ...elsewhere });
    await connect([`${getHost(service)}/api/v1/me`, AS_PROPOSED, AS_PROPOSED, '']);
    assert.deepEqual(registered(), elsewhere);
  });

  it('offers to build the folder if a command needs a service before one is chosen', async () => {
    let offered: readonly string[] = [];
    user.answers.press = (_text, buttons) => void (offered = buttons);
    await vscode.commands.executeCommand('appBuild.installOverWifi');
    assert.match(user.notifications.join('\n'), /^You aren’t connected to a service yet\./);
    assert.deepEqual(offered, ['Build App', 'Connect to a Service…']);
  });

  it('shows the next step in an account without apps', async () => {
    let apps: readonly unknown[] = [];
    const link = '/api/v1/apps';
    const empty = await serve(({ url = '' }, response) => {
      const isList = url.startsWith(link);
      json(
        response,
        isList ? { link, apps } : { username: 'ann', email: 'ann@example.com', apps: { link, all: apps } },
      );
    });
    await signInAt(access, empty.url);
    const view = new TreeRows(access.tree);
    const folder = await firstRow(openFolder().name);
    assert.deepEqual([folder.description, folder.contextValue], ['not built yet', 'folder;folder;']);
    assert.deepEqual(await view.rows(await view.at('Apps')), ['No apps yet']);
    apps = [{ id: 1, title: 'Notes', link: '/api/v1/apps/1' }];
    await access.tree.refresh();
    assert.deepEqual(await view.rows(await view.at('Apps')), ['Notes | apps']);
  });

  it('shows one next step for an outage, and another for an invalid address in the settings', async () => {
    const broken = await serve((_request, response) => response.writeHead(500).end());
    await signInAt(access, broken.url);
    const view = { title: '', message: '' };
    const connection = await access.connections.current();
    await firstRow('', 'appBuild.retry');
    showConnection(view, connection, false, new Error('down'));
    assert.match(view.message, new RegExp(`^Can’t reach ${getHost(broken)}\\.$`));
    showConnection(view, connection, false);
    assert.equal(view.message, '');
    await configure({ serviceUrl: 'build example' });
    await access.tree.refresh();
    const { command, description } = await firstRow('', 'appBuild.connect');
    assert.deepEqual([command?.command, description], ['appBuild.connect', 'Select to change it']);
  });

  it('shows the service during a sign-in, except at the local service, where the window signs in automatically', async () => {
    await configure({ serviceUrl: service.url });
    const connection = await access.connections.current();
    assert.ok(connection.kind === 'signedOut');
    const view = { title: '', message: '' };
    showConnection(view, { kind: 'signedOut', service: { ...connection.service, local: true } }, true);
    assert.equal(view.title, '');
    showConnection(view, connection, true);
    assert.equal(view.title, getHost(service));
  });

  it('updates the context for the walkthrough and the welcome text even if the view is hidden', async () => {
    await vscode.commands.executeCommand('workbench.view.explorer');
    await configure({ serviceUrl: service.url });
    await user.untilContext('appBuild.signedOut', 'true');
    await signInAt(access, service.url);
    await user.untilContext('appBuild.signedOut', 'false');
  });

  describe('a sample project', () => {
    let elsewhere: string;
    useFolderForEachTest((made) => (elsewhere = made));
    afterEach(async () => {
      await access.globalState.update(SAMPLE_KEY, undefined);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });

    const create = (kind: string, parent: vscode.Uri, ...where: readonly string[]) => {
      user.answers = { typed: [], lists: [[kind], ...where.map((label) => [label])], files: [parent] };
      return vscode.commands.executeCommand('appBuild.createSampleProject');
    };
    it('is written to the folder that the user picks, and opened where the user wants it', async () => {
      await create('Web App with a Manifest (PWA)', vscode.Uri.file(elsewhere), 'Open in a New Window');
      const folder = vscode.Uri.file(path.join(elsewhere, 'list-app'));
      assert.ok((await readdir(folder.fsPath)).includes('icon.png'));
      const opened = access.globalState.get<Readonly<Record<string, unknown>>>(SAMPLE_KEY);
      assert.deepEqual([opened?.folder, opened?.page], [folder.toString(), `${folder.toString()}/index.html`]);
      assert.ok(user.context.some((call) => call.includes(folder.fsPath) && call.includes('forceNewWindow')));
      assert.deepEqual(user.notifications, [], 'the other window goes on');
    });

    it('isn’t opened if the user dismisses the question, but its path is shown', async () => {
      await create('Web Page', vscode.Uri.file(elsewhere), 'nowhere');
      assert.match(user.notifications.join('\n'), /^The sample project is in .*tally-app\./);
      assert.equal(access.globalState.get(SAMPLE_KEY), undefined);
    });

    it('becomes part of an open folder only if the user agrees, under an unused name, and then shows its page', async () => {
      const { uri } = openFolder();
      try {
        await writeFiles({ 'index.html': '<!doctype html>' });
        user.answers = { typed: [], lists: [['Cordova Project']], files: [uri], press: () => undefined };
        await vscode.commands.executeCommand('appBuild.createSampleProject');
        assert.match(user.notifications.at(-1) ?? '', /It becomes part of this folder/);
        assert.ok(!(await vscode.workspace.fs.readDirectory(uri)).some(([name]) => name === 'hello-app'));
        for (const name of ['hello-app', 'hello-app-2']) {
          user.answers = {
            ...{ typed: [], lists: [['Cordova Project']], files: [uri] },
            press: (_, buttons) => buttons.find((button) => button === 'Create Anyway'),
          };
          await vscode.commands.executeCommand('appBuild.createSampleProject');
          const file = vscode.Uri.joinPath(uri, name, 'config.xml');
          assert.deepEqual(checkConfig(parseXml(Buffer.from(await vscode.workspace.fs.readFile(file)).toString())), []);
        }
        assert.match(user.notifications.at(-1) ?? '', /^Hello is ready\.[^]*Preview[^]*Build/);
        assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /hello-app-2\/www\/index\.html$/);
      } finally {
        await deleteFiles('hello-app', 'hello-app-2', 'index.html');
      }
    });

    it('is announced once, by the window that opens the sample’s folder', async () => {
      const { uri } = openFolder();
      await writeFiles({ 'page.html': '<!doctype html>' });
      const { globalState } = access;
      const shown: string[] = [];
      const parts = { globalState, notifications: { information: (text: string) => shown.push(text) } };
      const show = async (folder: vscode.Uri) => {
        const page = vscode.Uri.joinPath(uri, 'page.html').toString();
        await globalState.update(SAMPLE_KEY, { folder: folder.toString(), page });
        await showOpenedSample(parts as unknown as CommandDependencies);
        assert.equal(globalState.get(SAMPLE_KEY), undefined);
      };
      try {
        await show(vscode.Uri.file(elsewhere));
        assert.deepEqual(shown, [], 'that window has never come');
        await show(uri);
        assert.deepEqual(shown, [`${openFolder().name} is ready.`]);
      } finally {
        await deleteFiles('page.html');
      }
    });
  });
});
