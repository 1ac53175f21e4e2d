import assert from 'node:assert/strict';
import { homedir, hostname } from 'node:os';
import * as vscode from 'vscode';
import { CancelledError } from '../../src/api/errors/cancelledError.ts';
import { Redactor } from '../../src/api/redaction.ts';
import { NotConnectedError } from '../../src/auth/authErrors.ts';
import { Log } from '../../src/workbench/log.ts';
import { addToIssue } from '../../src/commands/diagnostics.ts';
import { newSession } from '../../src/auth/session.ts';
import { parseServiceUrl } from '../../src/api/serviceUrl.ts';
import { startProxy } from '../support/proxyServer.ts';
import { accessToken, addCleanup, cleanUp, freePort, json, serve, serveRaw } from '../support/servers.ts';
import { extensionOfTests, configure, extensionId } from './support/extension.ts';
import { userOfEachTest } from './support/recordingUser.ts';
import { findSecrets } from './support/secretSearch.ts';

const NAME = 'Zoë|O’Leary <b>[x](command:y)';
const EMAIL = 'zoe.oleary@acme-holding.example';
const TITLE = 'Secret Merger App';
const CLIENT_ID = 'c1i3nt-1d-of-acme';
const CLIENT_SECRET = 'cl13nt-s3cret/of+acme';
const HOST = 'build.acme-holding.test';
const PROXY_USER = 'proxyuser:pr0xypass';

describe('collecting diagnostics', () => {
  const access = extensionOfTests();
  const person = userOfEachTest();

  afterEach(async () => {
    await cleanUp();
  });

  /** Runs a command and takes what it has written. */
  async function reportOf(command = 'appBuild.collectDiagnostics'): Promise<string> {
    await vscode.commands.executeCommand(command);
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document?.isUntitled, 'there is no report');
    assert.equal(document.languageId, 'markdown');
    const text = document.getText();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    assert.deepEqual(findSecrets(text, { accessToken, clientSecret: CLIENT_SECRET }), []);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const identifying = [
      ...[NAME, 'Zoë', 'Leary', EMAIL, 'acme', 'Merger', CLIENT_ID, HOST, 'proxyuser', 'pr0xypass', '127.0.0.1'],
      ...[homedir(), hostname(), folder?.uri.fsPath, folder?.name],
    ];
    for (const each of identifying) {
      assert.ok(each === undefined || !text.includes(each), `“${each}” is in the report:\n${text}`);
    }
    return text;
  }

  async function signInAs(username: string, url: string): Promise<void> {
    await configure({ serviceUrl: url, clientId: CLIENT_ID, callbackUrl: 'https://acme-holding.example/callback' });
    await access.context.secrets.store(`clientSecret/${new URL(url).origin}`, CLIENT_SECRET);
    addCleanup(async () => access.context.secrets.delete(`clientSecret/${new URL(url).origin}`));
    await access.sessions.store(newSession(parseServiceUrl(url), username, { type: 'accessToken', accessToken }, []));
  }

  it('signed in: versions, the service, its answer and calls, and nothing that identifies somebody', async () => {
    const { url, received } = await serve((request, response) =>
      request.headers.authorization === undefined && !(request.url ?? '').includes('token=')
        ? json(response, { error: `${NAME} ${EMAIL}` }, 401)
        : json(response, { username: NAME, email: EMAIL, title: TITLE }, request.url?.includes('Merger') ? 404 : 200),
    );
    await signInAs(NAME, `${url}/acme`);
    const connection = await access.connections.current();
    assert.ok(connection.kind === 'signedIn');
    await connection.client.me();
    await assert.rejects(connection.client.get(`/acme/api/v1/apps/${encodeURIComponent(TITLE)}?title=${TITLE}`));
    await assert.rejects(connection.client.send({ method: 'ACME', url: '/acme/api/v1/apps/7/Merger' }));
    const calls = received.length;

    const text = await reportOf();
    const { version } = access.context.extension.packageJSON as { readonly version: string };
    for (const line of [
      `- Extension: ${version}`,
      `- VS Code: ${vscode.version} (`,
      `- Node.js: ${process.versions.node}`,
      '- Service: this machine by name, plain HTTP',
      '- Path in its address: yes',
      '- Connection: signed in',
      '- Accounts at this service: 1',
      '- Signed in with: an access token (OAuth)',
      '- Callback: another address',
      '- appBuild.serviceUrl: set',
      '- appBuild.notify: whenAway (default)',
      '- Tools that VS Code knows: ',
    ]) {
      assert.ok(text.includes(`\n${line}`), `${line} is not in\n${text}`);
    }
    assert.match(text, /^- First answer: a build service \(\d+ ms\)$/m);
    assert.match(text, /\| GET +\| \/…\/api\/v1\/me +\| 200 +\|/);
    assert.match(text, /\| GET +\| \/…\/api\/v1\/apps\/…\?… +\| 404 +\|/);
    assert.match(text, /\| another \| \/…\/api\/v1\/apps\/7\/… +\| 400 +\|/);
    assert.match(text, /^> Read this report before you send it to anybody\./m);
    assert.ok(!text.includes(new URL(url).port), 'the port');
    // The view, where it is shown, asks with the account's token meanwhile.
    const own = received.slice(calls).filter((each) => !/authorization|token=/.test(each));
    assert.equal(own.length, 1, 'one request of its own, without credentials');
    assert.ok(!own.join().includes(accessToken));
    assert.deepEqual(person.notifications, []);
  });

  it('through a proxy that asks for a sign-in', async () => {
    const proxy = await startProxy({ authorization: 'Basic bm9ib2R5' });
    addCleanup(() => proxy.close());
    await signInAs(NAME, `https://${HOST}`);
    const set = async (url: string | undefined) =>
      vscode.workspace.getConfiguration('http').update('proxy', url, vscode.ConfigurationTarget.Global);
    addCleanup(() => set(undefined));
    await set(proxy.url.replace('//', `//${PROXY_USER}@`));
    const text = await reportOf();
    assert.match(text, /^- First answer: the proxy or the network asks for a sign-in \(status 407\) \(\d+ ms\)$/m);
    assert.match(text, /^- Proxy: http proxy, with a sign-in, from the setting http\.proxy$/m);
    assert.match(text, /^- http\.proxy: set$/m);
    assert.match(text, /^- Service: another host, HTTPS$/m);
  });

  it('without a service, with a setting that cannot be used, signed out', async () => {
    await configure({ serviceUrl: undefined });
    assert.match(await reportOf(), /## The way to the service\n\n- Service: none is chosen\n/);
    await configure({ serviceUrl: `http://${HOST}/` });
    assert.match(await reportOf(), /## Service\n\n- Service: the setting cannot be used: invalidInput\n/);
    await configure({ serviceUrl: `http://127.0.0.1:${await freePort()}` });
    const text = await reportOf();
    assert.match(text, /^- Connection: signed out$/m);
    assert.match(text, /^- Registration: none, or not complete$/m);
    assert.match(text, /^- First answer: network refused/m);
  });

  it('the local service, while it runs and after its end', async () => {
    await access.localService.start();
    addCleanup(() => access.localService.stop());
    const running = await reportOf();
    assert.match(running, /^- Service: the local service of this extension, plain HTTP$/m);
    assert.match(running, /^- First answer: a build service/m);
    assert.match(
      running,
      /^- Started in this window: yes, and it runs\n- Builds with: (the built-in builder|Apache Cordova)/m,
    );
    await access.localService.stop();
    assert.match(await reportOf(), /^- Started in this window: yes, and it has ended\n- Last end: \w+$/m);
  });

  it('a part that fails says so, and the others are there', async () => {
    const { connections, localService } = access;
    const failing = (): never => {
      throw new TypeError(`${NAME} ${EMAIL}`);
    };
    Object.defineProperty(localService, 'isRunning', { configurable: true, get: failing });
    connections.accountsAt = () => Promise.reject(new RangeError(NAME));
    try {
      await configure({ serviceUrl: `http://127.0.0.1:${await freePort()}` });
      const text = await reportOf();
      assert.match(text, /## Local service\n\nThis could not be found out: TypeError/);
      assert.match(text, /^- Connection: broken: RangeError/m);
      assert.match(text, /^- Authorities that are trusted: \d+$/m);
    } finally {
      Reflect.deleteProperty(localService, 'isRunning');
      Reflect.deleteProperty(connections, 'accountsAt');
    }
  });

  it('can be cancelled while it waits for the service and the keychain: no report, no message', async () => {
    const { port } = await serveRaw(() => undefined);
    access.connections.accountsAt = () => new Promise(() => undefined);
    addCleanup(async () => Promise.resolve(Reflect.deleteProperty(access.connections, 'accountsAt')));
    await configure({ serviceUrl: `http://127.0.0.1:${port}` });
    const shown = person.untilProgress('Collecting diagnostics');
    const running = vscode.commands.executeCommand('appBuild.collectDiagnostics');
    await shown;
    person.cancelProgress();
    await running;
    assert.equal(vscode.window.activeTextEditor?.document.isUntitled ?? false, false);
    assert.deepEqual(person.notifications, []);
  });

  it('goes to the issue reporter when it asks, or into a document where that cannot take it', async () => {
    assert.match(await reportOf('appBuild.reportIssue'), /^# Application Build Service: diagnostics\n/);
    const { contributes } = access.context.extension.packageJSON as {
      readonly contributes: { readonly menus: Readonly<Record<string, unknown>> };
    };
    assert.deepEqual(contributes.menus['issue/reporter'], [{ command: 'appBuild.reportIssue' }]);
    const withAddress = { id: extensionId, packageJSON: { bugs: { url: 'https://bugs.example/' } } };
    const taken: unknown[] = [];
    const reporter = vscode.commands.registerCommand('workbench.action.openIssueReporter', (data) => taken.push(data));
    assert.equal(await addToIssue({ id: extensionId, packageJSON: {} }, 'report'), false);
    assert.deepEqual(taken, []);
    assert.equal(await addToIssue(withAddress, 'report'), true);
    assert.deepEqual(taken, [{ extensionId, data: 'report' }]);
    reporter.dispose();
    // VS Code in a browser: package.json, which it reads itself, names no address.
    assert.equal(await addToIssue(withAddress, 'report'), false);
  });

  it('is about the latest 50 calls and 10 failures', () => {
    // Not disposed of: VS Code gives all of this name the one output channel that the extension writes to.
    const log = new Log(new Redactor());
    for (let index = 0; index < 60; index += 1) {
      log.exchange({ method: 'GET', path: `/${index}`, status: 200, milliseconds: 1 });
      log.error(`${index}`, new CancelledError());
      log.error(`${index}`, new NotConnectedError());
    }
    assert.deepEqual(
      [log.recentCalls.length, log.recentCalls[0]?.path, log.recentCalls.at(-1)?.path],
      [50, '/10', '/59'],
    );
    assert.deepEqual([log.recentFailures.length, log.recentFailures.at(-1)?.doing], [10, '59']);
  });
});
