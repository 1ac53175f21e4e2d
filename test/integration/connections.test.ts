import assert from 'node:assert/strict';
import { type BuildServiceClient, parseServiceUrl, Redactor } from '../../src/service-client/index.ts';
import { Connections } from '../../src/extension/auth/connection.ts';
import { authTokenFlow, passwordFlow } from '../../src/extension/auth/flows/tokenFlows.ts';
import type { SignInFlow } from '../../src/extension/auth/flows/flow.ts';
import { uriHandlerFlow } from '../../src/extension/auth/flows/browserFlows.ts';
import { CallbackHandler } from '../../src/extension/auth/callback/callbackHandler.ts';
import { ServiceSelection, type Service } from '../../src/extension/auth/serviceSelection.ts';
import { newSession } from '../../src/extension/auth/session.ts';
import { SignIn } from '../../src/extension/auth/signIn.ts';
import { exchangeAuthenticationToken, getAuthenticationToken } from '../../src/extension/commands/accountCommands.ts';
import type { CommandDependencies } from '../../src/extension/commands/dependencies.ts';
import { Input } from '../../src/extension/workbench/input.ts';
import { Log } from '../../src/extension/workbench/log.ts';
import { SecretClipboard } from '../../src/extension/workbench/secretClipboard.ts';
import { approve } from '../support/consent.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { cleanUp, serve, serveRaw, type TestServer } from '../support/servers.ts';
import { getTestExtension, configure, extensionId } from './support/extension.ts';
import { newConnections } from './support/connections.ts';
import { captureFailure, getKind, nextPage, serviceAt } from './support/signingIn.ts';

const url = 'http://127.0.0.1:9';

/** A program that takes over a free port, accepts everything, and records everything that it receives. */
function takeOver(port: number): Promise<TestServer> {
  const body = JSON.stringify({ token: 'theirs-0123', access_token: 'theirs-4567', username: 'demo' });
  return serveRaw(
    (socket) =>
      socket.end(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      ),
    port,
  );
}

describe('when the local service moves to another address, a program at the old one', () => {
  const access = getTestExtension();
  let first: LocalService;
  /** The second service. It's started once, even if several callers need it. */
  let second: Promise<LocalService> | undefined;
  let impostor: TestServer | undefined;
  let connections: Connections;
  let selection: ServiceSelection;
  let parts: { dispose(): unknown }[];

  beforeEach(async () => {
    first = await startLocalService();
    ({ connections, selection, parts } = newConnections(access));
    selection.useLocal(toService(first));
  });

  afterEach(async () => {
    parts.forEach((part) => part.dispose());
    await cleanUp();
    await (await second)?.stop();
    await first.stop();
    [impostor, second] = [undefined, undefined];
  });

  function toService({ baseUrl, clientId, clientSecret }: LocalService): Service {
    return {
      ...serviceAt(baseUrl, { clientId, clientSecret }),
      ready: async () => {
        if (impostor !== undefined) {
          second ??= startLocalService();
          selection.useLocal(toService(await second));
        }
      },
    };
  }

  /** Ends the service and immediately starts another program at its address. */
  const leave = async () => {
    await first.stop();
    impostor = await takeOver(Number(new URL(first.baseUrl).port));
  };

  const assertNothingReceived = () => {
    assert.ok(impostor, 'the service has not moved');
    // The user's browser may still be loading a page of the old service.
    const ofExtension = impostor.received.filter((request) => !/^user-agent: mozilla/im.test(request));
    assert.deepEqual(ofExtension, []);
  };

  const signedIn = async (accessToken = first.authToken, at = first.baseUrl) => {
    const token = { type: 'authToken', authToken: accessToken } as const;
    await access.sessions.store(newSession(parseServiceUrl(at), 'demo', token, []));
    return connections.requireSignedIn();
  };

  const calls: Readonly<Record<string, (client: BuildServiceClient) => Promise<unknown>>> = {
    'a request with a body': (client) => client.send({ method: 'POST', url: '/api/v1/apps', body: 'x' }),
    'a download': (client) => client.download('/api/v1/apps/1/download'),
  };
  for (const [what, call] of Object.entries(calls)) {
    it(`receives nothing from ${what} of an old client`, async () => {
      const { client } = await signedIn();
      assert.equal((await client.currentUser()).username, 'demo');
      await leave();
      const failure = await captureFailure(call(client));
      assertNothingReceived();
      assert.equal(getKind(failure), 'serviceLeft');
      assert.equal((await connections.current()).kind, 'signedOut', 'the service is another one');
      assertNothingReceived();
    });
  }

  it('receives nothing from the check of a session', async () => {
    // This service ends with its first response. Another program takes over its address before the response arrives.
    const ending = await serve(async (_request, response) => {
      ending.server.close();
      impostor = await takeOver(ending.port);
      response.writeHead(401, { 'content-type': 'application/json', connection: 'close' }).end('{"error":"no"}');
    });
    const baseUrl = ending.url;
    selection.useLocal(toService({ ...first, baseUrl }));
    const { client } = await signedIn('a-token-that-is-over', baseUrl);
    await assert.rejects(client.get('/api/v1/apps'), { kind: 'unauthorized' });
    // The check began before the call failed, and its request would have arrived by now.
    await captureFailure(client.get('/api/v1/apps'));
    assertNothingReceived();
    assert.equal((await access.sessions.all()).length, 1, 'nobody has refused the token at the other address');
  });

  /** A slow user: the service moves before the last answer. */
  class SlowInput extends Input {
    readonly answers: string[];

    constructor(...answers: string[]) {
      super();
      this.answers = answers;
    }

    override async askText() {
      const text = this.answers.shift() ?? '';
      if (this.answers.length === 0) {
        await leave();
      }
      return text;
    }

    override confirm() {
      return Promise.resolve(true);
    }
  }

  const signInBy = (flow: SignInFlow, input: Input = new Input()) =>
    new SignIn({
      flows: [flow],
      sessions: access.sessions,
      clientFor: (service) => connections.anonymousClient(service),
      input,
    }).run(toService(first), { scopes: [] });

  it('receives nothing from a code exchange after the browser returns', async () => {
    const callbacks = new CallbackHandler(new Log(new Redactor()));
    parts.push(callbacks);
    const flow = uriHandlerFlow(extensionId, {
      callbacks,
      globalState: access.globalState,
    });
    const page = nextPage(callbacks);
    const failure = captureFailure(signInBy(flow));
    const location = await approve(first, await page);
    await leave();
    assert.equal(callbacks.pending.handleCallback(new URL(location).search.slice(1)).accepted, true);
    assert.equal(getKind(await failure), 'serviceLeft');
    assertNothingReceived();
  });

  /** The parts of the dependencies that these commands use. */
  const typing = (...answers: string[]) => {
    const clipboard = new SecretClipboard();
    parts.push(clipboard);
    return { connections, selection, input: new SlowInput(...answers), clipboard } as unknown as CommandDependencies;
  };
  const typed: Readonly<Record<string, () => Promise<unknown>>> = {
    'a password': () => signInBy(passwordFlow(), new SlowInput(first.username, first.password)),
    'a pasted authentication token': () => signInBy(authTokenFlow(), new SlowInput(first.authToken)),
    'a password for an authentication token': () => getAuthenticationToken(typing('demo', 'a-password')),
    'an authentication token to exchange': () => exchangeAuthenticationToken(typing('a-token')),
  };
  for (const [what, type] of Object.entries(typed)) {
    it(`receives nothing from ${what}`, async () => {
      const failure = await captureFailure(type());
      assertNothingReceived();
      assert.equal(getKind(failure), 'serviceLeft');
    });
  }

  it('receives nothing from the next request, which uses the new address', async () => {
    await leave();
    const service = await selection.requireStarted();
    assert.ok(second);
    const { baseUrl, username, password } = await second;
    assert.equal(service.url.href, baseUrl);
    const client = await connections.anonymousClient(service);
    assert.match(await client.createAuthenticationToken({ username, password }), /./);
    assertNothingReceived();
  });
});

describe('the connection', () => {
  const access = getTestExtension();

  const signIn = (username: string, accessToken: string, at = url) =>
    access.sessions.store(newSession(parseServiceUrl(at), username, { type: 'accessToken', accessToken }, []));

  it('is the same object, with the same client, until the account or token changes', async () => {
    const current = () => access.connections.current();
    await configure({ serviceUrl: url });
    await signIn('ann', 'token-of-ann');
    const first = await current();
    assert.ok(first.kind === 'signedIn');
    assert.ok((await Promise.all([current(), current()])).every((connection) => connection === first));
    await configure({ clientId: 'x' });
    assert.equal(await current(), first);

    await signIn('ann', 'a-newer-token');
    const second = await current();
    assert.ok(second.kind === 'signedIn' && second.client !== first.client);
    await signIn('bob', 'token-of-bob');
    assert.equal(await current(), second, 'ann is still in use');

    await access.connections.prefer(second.service, `${url}#bob`);
    const third = await current();
    assert.ok(third.kind === 'signedIn' && third.username === 'bob');
    await access.connections.prefer(second.service, `${url}#ann`);
  });
});
