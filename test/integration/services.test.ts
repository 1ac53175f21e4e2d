import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { cleanUp, json, serve } from '../support/servers.ts';
import { configure, getTestExtension, signOutEverywhere } from './support/extension.ts';
import { AS_PROPOSED, useRecordingUser } from './support/recordingUser.ts';

const LOCAL = 'Local Service';
const DEMO = 'Demo Data';
const IN_USE = ' | In use';
const CONNECT = 'Connect to a Service…';

describe('the command Services…', () => {
  const access = getTestExtension();
  const user = useRecordingUser();
  /** Addresses of two services and their hosts. */
  let first: string;
  let second: string;
  let hosts: readonly string[];

  beforeEach(async () => {
    await forget();
    const start = () => serve((_request, response) => json(response, { error: 'Missing authentication.' }, 401));
    [first, second] = [(await start()).url, (await start()).url];
    hosts = [first, second].map((url) => new URL(url).host);
  });

  afterEach(async () => {
    await access.localService.stop();
    for (const url of [first, second]) {
      await access.context.secrets.delete(`clientSecret/${url}`);
    }
    await forget();
    await cleanUp();
  });

  async function forget(): Promise<void> {
    await signOutEverywhere(access);
    await access.globalState.update('services', undefined);
  }

  /** Opens the list and chooses an entry. Without a label, closes the list. @returns the rows */
  async function services(label?: string): Promise<readonly string[]> {
    const rows: string[] = [];
    user.answers = {
      typed: [],
      pick: (item) => {
        rows.push([item.label, item.description].filter((text) => text !== undefined).join(' | '));
        return item.label === label;
      },
    };
    await vscode.commands.executeCommand('appBuild.services');
    return rows;
  }

  async function connect(...typed: readonly string[]): Promise<void> {
    user.answers = { typed: [...typed], press: () => undefined };
    await vscode.commands.executeCommand('appBuild.connect');
  }

  const registered = async () => {
    const connection = await access.connections.current();
    assert.ok(connection.kind === 'signedOut');
    return { url: connection.service.url.href, ...(await connection.service.registration()) };
  };

  it('lists the services that the user has connected to, with the current one marked, and the local service', async () => {
    assert.deepEqual(await services(), [LOCAL, DEMO, CONNECT]);
    await connect(first, AS_PROPOSED, '');
    assert.deepEqual(await services(), [LOCAL, `${hosts[0]}${IN_USE}`, DEMO, CONNECT]);
    await connect(second, AS_PROPOSED, '');
    assert.deepEqual(await services(), [LOCAL, `${hosts[1]}${IN_USE}`, hosts[0], DEMO, CONNECT]);
    await connect(first, AS_PROPOSED, '');
    assert.deepEqual(await services(), [LOCAL, `${hosts[0]}${IN_USE}`, hosts[1], DEMO, CONNECT], 'each once');
  });

  it('uses a service again with its own registration, without a question', async () => {
    const callbackUrl = 'http://127.0.0.1:8321/callback';
    await connect(first, callbackUrl, 'first-client', 'first-secret');
    await connect(second, AS_PROPOSED, '');
    assert.deepEqual(await registered(), { url: second });
    user.questions.length = 0;
    await services(hosts[0]);
    assert.equal(user.questions.length, 1);
    const registration = { clientId: 'first-client', clientSecret: 'first-secret', callbackUrl };
    assert.deepEqual(await registered(), { url: first, ...registration });
    assert.doesNotMatch(JSON.stringify(access.globalState.get('services')), /first-secret/);
    await services(hosts[1]);
    assert.deepEqual(await registered(), { url: second });
  });

  it('switches to the local service in one click, signed in as its owner, and back', async () => {
    await connect(first, AS_PROPOSED, '');
    await services(LOCAL);
    const { service } = await access.connections.requireSignedIn();
    assert.deepEqual([service.local, service.demo ?? false], [true, false]);
    assert.deepEqual(user.pages, []);
    assert.deepEqual(await services(DEMO), [`${LOCAL}${IN_USE}`, hosts[0], DEMO, CONNECT]);
    assert.equal((await access.connections.requireSignedIn()).username, 'demo');
    assert.deepEqual(await services(hosts[0]), [LOCAL, hosts[0], `${DEMO}${IN_USE}`, CONNECT]);
    assert.equal((await registered()).url, first);
    assert.equal(access.localService.isRunning, false);
  });

  it('opens without an error if the address in the settings is invalid', async () => {
    await configure({ serviceUrl: 'build example' });
    assert.deepEqual(await services(), [LOCAL, DEMO, CONNECT]);
    assert.deepEqual(user.notifications, []);
  });
});
