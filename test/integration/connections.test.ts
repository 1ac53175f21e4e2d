import assert from 'node:assert/strict';
import { Redactor } from '../../src/api/redaction.ts';
import { parseServiceUrl } from '../../src/api/serviceUrl.ts';
import { ClientFactory } from '../../src/auth/clientFactory.ts';
import { ClientRegistrations } from '../../src/auth/clientRegistration.ts';
import { Connections } from '../../src/auth/connection.ts';
import { ServiceSelection } from '../../src/auth/serviceSelection.ts';
import { newSession } from '../../src/auth/session.ts';
import type { TestAccess } from '../../src/extension.ts';
import { Configuration } from '../../src/workbench/configuration.ts';
import { Log } from '../../src/workbench/log.ts';
import { activated, configure, signOutEverywhere } from './support/extension.ts';
import { serviceAt } from './support/signingIn.ts';

const url = 'http://127.0.0.1:9';

describe('the connection', () => {
  let access: TestAccess;

  before(async () => {
    access = await activated();
    await signOutEverywhere(access);
  });

  afterEach(() => signOutEverywhere(access));

  const signIn = (username: string, accessToken: string, at = url) =>
    access.sessions.store(newSession(parseServiceUrl(at), username, { type: 'accessToken', accessToken }, []));

  it('is one value with one client, until another account or token is in use', async () => {
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

  it('is made once, however many ask for it at the same time', async () => {
    await configure({ serviceUrl: url });
    await signIn('ann', 'token-of-ann');
    const connections = await Promise.all(Array.from({ length: 20 }, () => access.connections.current()));
    assert.equal(new Set(connections).size, 1);
  });

  it('is at the address where the local service has started, not at the one that it had before', async () => {
    const { context, sessions } = access;
    const [log, redactor, configuration] = [new Log(new Redactor()), new Redactor(), new Configuration()];
    const selection = new ServiceSelection(
      configuration,
      new ClientRegistrations(context.secrets, configuration, redactor),
    );
    const connections = new Connections({
      selection,
      sessions,
      preferences: context.globalState,
      log,
      loadClientFactory: () => Promise.resolve(new ClientFactory(log, redactor)),
    });
    const restarted = serviceAt('http://127.0.0.1:10');
    const ready = () => {
      selection.useLocal(restarted);
      return Promise.resolve();
    };
    selection.useLocal({ ...serviceAt(url), ready });
    await signIn('ann', 'token-for-the-former-address');
    assert.deepEqual(await connections.current(), { kind: 'signedOut', service: restarted });
    connections.dispose();
    selection.dispose();
    configuration.dispose();
  });
});
