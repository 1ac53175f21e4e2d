import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import * as vscode from 'vscode';
import { parseServiceUrl } from '../../src/service-client/index.ts';
import { newSession } from '../../src/extension/auth/session.ts';
import type { TestAccess } from '../../src/extension.ts';
import { repositoryRoot } from '../support/repository.ts';
import { freePort } from '../support/servers.ts';
import { getTestExtension, configure, logged } from './support/extension.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { filesBelow, parentNamed } from './support/files.ts';
import { findSecrets, textsIn } from './support/secretSearch.ts';
import { failures, spellings, startHostileService, type HostileService } from './support/hostileService.ts';
import { RecordingUser, type Answers } from './support/recordingUser.ts';
import { deleteFiles, openFolder } from './support/webProject.ts';

const random = () => randomBytes(6).toString('hex');
const secrets = {
  password: `pä"ss<${random()}&w`,
  clientSecret: `cS/${random()}+=`,
  authToken: `aT~${random()}+/=`,
  accessToken: `xT&${random()}%2B"`,
  code: `cD-${random()}_.~`,
};
const flowIds = [
  'uriHandler',
  'loopback',
  'pastedCallback',
  'authToken',
  'password',
  'password, not registered',
] as const;
const LINK = `/api/v1/apps?auth_token=${encodeURIComponent(secrets.accessToken)}`;
const failureNames = Object.keys(failures);
/** Each command processes responses in its own way, while the client handles failures. */
const ANSWER = ['repeated as data'];
/** Responses that every request of every sign-in method gets. */
const ESSENTIAL = [...ANSWER, '401'];
/** Commands that show a response, send data, and save a file. */
const withEveryFailure = ['appBuild.getResource', 'appBuild.sendRequest', 'appBuild.download'];
/** Commands that use no session. The user may copy their results. */
const tokenCommands = ['appBuild.getAuthenticationToken', 'appBuild.exchangeAuthenticationToken'];
/** Commands that either use no session or start one. */
const anonymous = [...tokenCommands, 'appBuild.signIn', 'appBuild.signInWith', 'appBuild.switchAccount'];
/** Commands that don't use the attacked service. */
const apart = ['appBuild.tryDemo', 'appBuild.startLocalService', 'appBuild.stopLocalService', 'appBuild.showLog'];

const manifest = JSON.parse(readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8')) as {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
};
const declared = manifest.contributes.commands.map(({ command }) => command);

describe('secrets', function () {
  this.timeout(120_000);
  const access = getTestExtension();
  let service: HostileService;
  let witness: RecordingUser;
  let callbackUrl = '';
  let authorities: string[] = [];
  const errors: unknown[] = [];
  const shown: string[] = [];

  const { networkInterfaces } = os;

  before(async () => {
    service = await startHostileService();
    // Shares stay on this computer.
    os.networkInterfaces = () => ({
      wlan0: [{ address: '127.0.0.2', netmask: '', mac: '', cidr: null, family: 'IPv4', internal: false }],
    });
    Object.assign(service.issued, { authToken: secrets.authToken, accessToken: secrets.accessToken });
    authorities = getCACertificates('default');
    setDefaultCACertificates([...authorities, service.authority]);
    callbackUrl = `http://127.0.0.1:${await freePort()}/callback`;
    witness = new RecordingUser();
    witness.show({ uiKind: vscode.UIKind.Desktop, remoteName: undefined });
    const { notifications } = access;
    const failure = notifications.failure.bind(notifications);
    notifications.failure = (doing, error, actions) => {
      errors.push(error);
      failure(doing, error, actions);
    };
    await vscode.commands.executeCommand('_extensionTests.setLogLevel', 'trace');
  });

  after(async () => {
    await vscode.commands.executeCommand('_extensionTests.setLogLevel', 'info');
    Reflect.deleteProperty(access.notifications, 'failure');
    for (const origin of [service.url, service.secureUrl]) {
      await access.context.secrets.delete(`clientSecret/${origin}`);
    }
    // A download is the service's file, byte for byte, so it isn't searched.
    await Promise.all(witness.savedTo.map((file) => rm(file, { force: true })));
    witness.dispose();
    // Deletes sample projects and other files that commands write.
    await deleteFiles(...(await readdir(openFolder().uri.fsPath)));
    setDefaultCACertificates(authorities);
    await (await access.loadDevices()).shares.stopAll();
    os.networkInterfaces = networkInterfaces;
    await service.close();
  });

  /** A downgrade needs an HTTPS origin. */
  const originFor = (failure: string | undefined) =>
    failure === 'redirect downgrade' ? service.secureUrl : service.url;

  async function connect(origin: string, registered: boolean, callback?: string): Promise<void> {
    if (registered) {
      await access.context.secrets.store(`clientSecret/${origin}`, secrets.clientSecret);
    }
    await configure({ clientId: registered ? 'client' : undefined, callbackUrl: callback, serviceUrl: origin });
  }

  // At each request, each sign-in method is tested with a service that repeats its data and one that rejects it. The other failures don't
  // depend on the secret, so each of them is tested with only one method.
  for (const [way, id] of flowIds.entries()) {
    const met = failureNames.filter((name, index) => ESSENTIAL.includes(name) || index % flowIds.length === way);
    it(`don’t leak while signing in: ${id}, with ${met.join(', ')} at every request`, async () => {
      const callback = id === 'loopback' ? callbackUrl : undefined;
      let requests = 0;
      for (const failure of [undefined, ...met]) {
        await connect(originFor(failure), id !== 'password, not registered', callback);
        for (let spared = 0; spared < (failure === undefined ? 1 : requests); spared += 1) {
          const before = service.requests;
          service.fail(failure, spared);
          await signInBy(id);
          requests ||= service.requests - before;
          await forgetSessions();
        }
        service.fail(undefined);
      }
      assert.notEqual(requests, 0);
    });
  }

  async function signInBy(id: (typeof flowIds)[number]): Promise<void> {
    const flow = id.split(',')[0];
    const back = (page: string) =>
      `code=${encodeURIComponent(secrets.code)}&state=${encodeURIComponent(new URL(page).searchParams.get('state') ?? '')}`;
    witness.answers = {
      typed: flow === 'authToken' ? [secrets.authToken] : flow === 'password' ? ['ann', secrets.password] : [],
      // The items in the list of sign-in methods contain the methods themselves.
      pick: (shown) =>
        (shown as { readonly item?: { readonly flow?: { readonly id: string } } }).item?.flow?.id === flow,
      browse: async (page) => {
        if (flow === 'uriHandler') {
          access.callbacks.handleUri(vscode.Uri.from({ scheme: 'x', path: '/auth/callback', query: back(page) }));
        } else if (flow === 'loopback') {
          await visit(`${callbackUrl}?${back(page)}`);
        } else {
          witness.answers.typed = [`https://client.example/callback?${back(page)}`];
        }
      },
    };
    await vscode.commands.executeCommand('appBuild.signInWith');
  }

  async function forgetSessions(): Promise<void> {
    for (const { id } of await access.sessions.all()) {
      await access.sessions.remove(id);
    }
  }

  async function storeSession(origin: string): Promise<void> {
    const token = { type: 'accessToken', accessToken: secrets.accessToken } as const;
    await access.sessions.store(newSession(parseServiceUrl(origin), 'ann', token, []));
  }

  for (const id of declared.filter((each) => !apart.includes(each))) {
    const met = withEveryFailure.includes(id) ? failureNames : ANSWER;
    it(`don’t leak through ${id}, with ${met === ANSWER ? 'repeated data' : 'every failure'}`, async () => {
      for (const failure of met) {
        const origin = originFor(failure);
        await connect(origin, true);
        await storeSession(origin);
        const before = service.requests;
        witness.answers = answersFor(id, origin);
        service.fail(failure);
        const copied = witness.copied.length;
        // Commands that return a value to a program report a failure by rejecting.
        await Promise.resolve(vscode.commands.executeCommand(id, ...argumentsFor(id, origin))).then(
          (result) => shown.push(textsIn(result)),
          (error: unknown) => errors.push(error),
        );
        if (tokenCommands.includes(id)) {
          witness.copied.splice(copied);
        } else if (failure === '401' && service.requests > before && !anonymous.includes(id)) {
          // A 401 response ends the session with a delay.
          await waitUntil(async () => (await access.sessions.all()).length === 0);
        }
        service.fail(undefined);
        await forgetSessions();
      }
    });
  }

  it('don’t leak through the client and the view, with every failure', async () => {
    for (const failure of failureNames) {
      const origin = originFor(failure);
      await connect(origin, true);
      await storeSession(origin);
      const connection = await access.connections.current();
      assert.ok(connection.kind === 'signedIn');
      service.fail(failure);
      for (const call of [
        () => connection.client.get(LINK),
        () => connection.client.download(LINK),
        () => connection.client.send({ method: 'POST', url: LINK, body: '{}' }),
      ]) {
        await call().catch((error: unknown) => errors.push(error));
      }
      await access.tree.refresh();
      await look(undefined, 3);
      service.fail(undefined);
      await forgetSessions();
    }
  });

  /** Returns the user's answers. An address that responds with a failure is used anyway. */
  function answersFor(id: string, origin: string): Answers {
    const password: Answers = {
      typed: ['ann', secrets.password],
      pick: ({ label }) => label === 'User Name and Password',
    };
    const connecting: Answers = {
      typed: [
        `${origin}/?token=${encodeURIComponent(secrets.authToken)}`,
        origin,
        'https://client.example/',
        'client',
        secrets.clientSecret,
      ],
      press: (_text, buttons) => buttons.find((button) => button === 'Use Anyway'),
    };
    const answers: Readonly<Partial<Record<string, Answers>>> = {
      'appBuild.getResource': { typed: [LINK] },
      'appBuild.getAuthenticationToken': { typed: ['ann', secrets.password] },
      'appBuild.exchangeAuthenticationToken': { typed: [secrets.authToken] },
      'appBuild.connect': connecting,
      'appBuild.services': { ...connecting, pick: ({ label }) => label === 'Connect to a Service…' },
      'appBuild.enterSignInCode': { typed: [`https://client.example/?code=${encodeURIComponent(secrets.code)}`] },
      'appBuild.signIn': password,
      'appBuild.signInWith': password,
    };
    return answers[id] ?? { typed: [LINK, LINK, LINK] };
  }

  function argumentsFor(id: string, origin: string): readonly unknown[] {
    const given: Readonly<Partial<Record<string, readonly unknown[]>>> = {
      'appBuild.openInBrowser': [{ externalUrl: 'https://elsewhere.example/' }],
      'appBuild.getResource': [],
      'appBuild.refresh': [],
      'appBuild.buildApp': [{ app: origin + LINK }],
    };
    return given[id] ?? [{ url: origin + LINK }];
  }

  /** Reads the view as VS Code does, and collects the errors. */
  async function look(node: Parameters<TestAccess['tree']['getChildren']>[0], levels: number): Promise<void> {
    for (const child of levels === 0 ? [] : await access.tree.getChildren(node)) {
      const item = access.tree.getTreeItem(child);
      shown.push(
        textsIn([
          item.id,
          item.label,
          item.description,
          item.tooltip,
          item.accessibilityInformation,
          item.resourceUri?.toString(),
          item.iconPath,
        ]),
      );
      if ('error' in child) {
        errors.push(child.error);
      }
      await look(child, levels - 1);
    }
  }

  it('don’t leak through commands without a request', async () => {
    access.callbacks.handleUri(
      vscode.Uri.from({
        scheme: 'x',
        path: '/auth/callback',
        query: `code=${encodeURIComponent(secrets.code)}&state=x`,
      }),
    );
    for (const id of apart) {
      await vscode.commands.executeCommand(id);
    }
  });

  async function places(): Promise<Readonly<Record<string, string>>> {
    const { logUri, globalStorageUri, workspaceState } = access.context;
    const { globalState } = access;
    await logged(access);
    return {
      'logs, at level Trace': await filesBelow(parentNamed(logUri.fsPath, 'logs')),
      'user data and storage': await filesBelow(path.resolve(globalStorageUri.fsPath, '..', '..', '..'), 'logs'),
      'stored state': [globalState, workspaceState]
        .flatMap((memento) => memento.keys().map((key) => `${key}: ${JSON.stringify(memento.get(key))}`))
        .join('\n'),
      notifications: witness.notifications.join('\n'),
      'questions and lists': witness.questions.join('\n'),
      progress: witness.progress.join('\n'),
      'errors, all properties': errors.map(textsIn).join('\n'),
      'the view': shown.join('\n'),
      documents: [
        ...witness.documents,
        ...vscode.workspace.textDocuments.flatMap((document) => [document.uri.toString(true), document.getText()]),
      ].join('\n'),
      'arguments of commands': witness.context.join('\n'),
      clipboard: witness.copied.join('\n'),
      'pages opened': witness.pages.join('\n'),
      'the other origin': service.elsewhere.received(),
    };
  }

  it('don’t appear in any file, log, or text', async () => {
    assert.deepEqual(
      [...service.receivedSecrets].sort(),
      Object.values(secrets).sort(),
      'the service has received every secret',
    );
    const all = Object.entries(await places());
    const getLine = (text: string) => text.split('\n').find((line) => findSecrets(line, secrets).length > 0);
    assert.deepEqual(
      all.flatMap(([place, text]) =>
        findSecrets(text, secrets).map((secret) => `${secret} in ${place}: ${getLine(text)?.slice(0, 700) ?? ''}`),
      ),
      [],
    );
    // An empty place was never written to, so it proves nothing. The other origin must receive only redirected downloads.
    assert.deepEqual(
      all.filter(([place, text]) => text === '' && place !== 'the other origin'),
      [],
    );
  });

  it('are found in every place and encoding when planted', async () => {
    for (const [name, secret] of Object.entries(secrets)) {
      for (const [way, spell] of Object.entries(spellings)) {
        assert.deepEqual(findSecrets(`a ${spell(secret)} z`, secrets), [name], `${way} of ${name}`);
      }
    }
    const planted = secrets.accessToken;
    const file = path.join(access.context.globalStorageUri.fsPath, 'planted');
    const channel = vscode.window.createOutputChannel('Planted', { log: true });
    await vscode.workspace.fs.createDirectory(access.context.globalStorageUri);
    await writeFile(file, planted);
    await writeFile(path.join(access.context.logUri.fsPath, 'planted.log'), planted);
    await access.globalState.update('planted', planted);
    void vscode.window.showErrorMessage(planted);
    witness.answers = { typed: [] };
    const input = await access.loadInput();
    await input.pick([{ label: 'x', detail: planted }], { title: 'x', placeholder: 'x' });
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: planted }, () =>
      Promise.resolve(),
    );
    errors.push(
      Object.defineProperty(
        new Error('', { cause: Object.defineProperty({}, 'hidden', { value: { planted } }) }),
        'x',
        { value: 1 },
      ),
    );
    shown.push(textsIn(new vscode.TreeItem(planted)));
    await vscode.workspace.openTextDocument({ content: planted });
    await vscode.commands.executeCommand('setContext', 'appBuild.planted', planted);
    await vscode.env.clipboard.writeText(planted);
    await vscode.env.openExternal(vscode.Uri.parse(`https://elsewhere.example/?x=${encodeURIComponent(planted)}`));
    await (await fetch(`${service.elsewhere.url}/${encodeURIComponent(encodeURIComponent(planted))}`)).text();
    try {
      const missed = Object.entries(await places()).filter(
        ([, text]) => findSecrets(text, secrets).join() !== 'accessToken',
      );
      assert.deepEqual(
        missed.map(([place]) => place),
        [],
      );
    } finally {
      channel.dispose();
      await access.globalState.update('planted', undefined);
      await Promise.all(
        [file, path.join(access.context.logUri.fsPath, 'planted.log')].map((name) => rm(name, { force: true })),
      );
    }
  });
});

/** Acts as a browser. VS Code would log the requests of `fetch` and `node:http`. */
async function visit(url: string): Promise<void> {
  const { host, hostname, port, pathname, search } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  socket.end(`GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n\r\n`).resume();
  await once(socket, 'close');
}
