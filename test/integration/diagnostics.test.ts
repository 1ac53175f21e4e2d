import assert from 'node:assert/strict';
import { homedir, hostname } from 'node:os';
import * as vscode from 'vscode';
import { CancelledError } from '../../src/errors/index.ts';
import { parseServiceUrl, Redactor } from '../../src/service-client/index.ts';
import { notConnected } from '../../src/extension/auth/authErrors.ts';
import { Log } from '../../src/extension/workbench/log.ts';
import { addToIssue } from '../../src/extension/commands/diagnostics.ts';
import { newSession } from '../../src/extension/auth/session.ts';
import { accessToken, addCleanup, cleanUp, json, serve } from '../support/servers.ts';
import { getTestExtension, configure, extensionId } from './support/extension.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { findSecrets } from './support/secretSearch.ts';

const NAME = 'Zoë|O’Leary <b>[x](command:y)';
const EMAIL = 'zoe.oleary@acme-holding.example';
const CLIENT_ID = 'c1i3nt-1d-of-acme';
const CLIENT_SECRET = 'cl13nt-s3cret/of+acme';
const HOST = 'build.acme-holding.test';

describe('collecting diagnostics', () => {
  const access = getTestExtension();
  const person = useRecordingUser();

  afterEach(async () => {
    await cleanUp();
  });

  /** Runs a command and returns its report. */
  async function collectReport(command = 'appBuild.collectDiagnostics'): Promise<string> {
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

  it('reports versions, settings, and failures, sends no request, and contains nothing that identifies a user', async () => {
    const { url, received } = await serve((_request, response) => json(response, { error: `${NAME} ${EMAIL}` }, 403));
    await signInAs(NAME, `${url}/acme`);
    access.notifications.failure('Secret Merger', new TypeError(`${NAME} ${EMAIL} ${accessToken}`));
    assert.equal(person.notifications.length, 1);
    const calls = received.length;
    const text = await collectReport();
    const { version } = access.context.extension.packageJSON as { readonly version: string };
    for (const line of [
      `- Extension: ${version}`,
      `- VS Code: ${vscode.version} (`,
      `- Node.js: ${process.versions.node}`,
      '- Service: this computer by name, plain HTTP',
      '- Proxy: none',
      '- appBuild.serviceUrl: set',
      '- appBuild.notify: whenAway (default)',
    ]) {
      assert.ok(text.includes(`\n${line}`), `${line} is not in\n${text}`);
    }
    assert.match(text, /^- \d+ s ago: TypeError/m);
    assert.match(text, /^> Read this report before you share it\./m);
    assert.ok(!text.includes(new URL(url).port), 'the port');
    // The view, if it's open, sends requests with the account's token at the same time.
    assert.deepEqual(
      received.slice(calls).filter((each) => !/authorization|token=/.test(each)),
      [],
    );
  });

  it('reports a proxy’s kind and whether it has credentials', async () => {
    await signInAs(NAME, `https://${HOST}`);
    const set = async (url: string | undefined) =>
      vscode.workspace.getConfiguration('http').update('proxy', url, vscode.ConfigurationTarget.Global);
    addCleanup(() => set(undefined));
    await set('http://proxyuser:pr0xypass@127.0.0.1:9');
    const text = await collectReport();
    assert.match(text, /^- Service: another host, HTTPS\n- Proxy: http proxy, with a sign-in$/m);
    assert.match(text, /^- http\.proxy: set$/m);
  });

  it('reports why no service is in use', async () => {
    await configure({ serviceUrl: undefined });
    assert.match(await collectReport(), /^- Service: none selected$/m);
    await configure({ serviceUrl: `http://${HOST}/` });
    assert.match(await collectReport(), /^- Service: can’t be used: invalidInput$/m);
  });

  it('returns the report to the issue reporter, or opens a document if the reporter can’t accept it', async () => {
    assert.match(await collectReport('appBuild.reportIssue'), /^# Application Build Service: diagnostics\n/);
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
    // In VS Code in a browser, the issue reporter reads package.json, which contains no address.
    assert.equal(await addToIssue(withAddress, 'report'), false);
  });

  it('contains the latest 10 failures', () => {
    // The log isn't disposed, because VS Code has a single output channel with this name, which the extension uses.
    const log = new Log(new Redactor());
    for (let index = 0; index < 20; index += 1) {
      log.error(`${index}`, new CancelledError());
      log.error(`${index}`, notConnected());
    }
    assert.deepEqual([log.recentFailures.length, log.recentFailures.at(-1)?.doing], [10, '19']);
  });
});
