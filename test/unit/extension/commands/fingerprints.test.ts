import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { InvalidInputError } from '../../../../src/errors/index.ts';
import { AppCalls } from '../../../../src/extension/apps/calls/appCalls.ts';
import type { CommandDependencies } from '../../../../src/extension/commands/dependencies.ts';
import { copyFingerprint } from '../../../../src/extension/commands/key.ts';
import { describeFailure } from '../../../../src/extension/workbench/notifications.ts';
import { ask } from '../../../support/builds.ts';
import { startInProcess, type InProcessService } from '../../../support/inProcessService.ts';
import { createClient, captureFailure } from '../../../support/servers.ts';
import { keyFile, multipart, type KeyFileName } from '../../../support/signingKeys.ts';

const SHA1 = '57:64:05:22:E6:B7:48:D6:5A:A2:70:BF:B3:99:3B:49:9D:0A:E2:F7';
const SHA256 = '47:96:39:32:A9:76:40:9D:63:F7:FF:DD:B3:59:EF:D0:4A:F3:E0:2B:5A:E9:C2:02:4B:35:17:65:E2:7A:6D:93';

describe('copying a signing key’s fingerprint', () => {
  let service: InProcessService;
  let dependencies: CommandDependencies;
  const told: string[] = [];
  let offered: readonly string[];

  before(async () => {
    service = await startInProcess();
    const credentials = { type: 'authToken', authToken: service.authToken } as const;
    const client = createClient({ url: service.baseUrl }, { credentials });
    const connection = { client, service: { url: new URL(service.baseUrl) } };
    const tell = (text: string, ...buttons: readonly { readonly title: string }[]) =>
      told.push([text, ...buttons.map(({ title }) => `[${title}]`)].join(' '));
    dependencies = {
      connections: { requireSignedIn: () => Promise.resolve(connection) },
      apps: { createCalls: () => new AppCalls(client) },
      input: {
        pick: (items: readonly { readonly label: string }[]) => {
          offered = items.map(({ label }) => label);
          return Promise.resolve(items.find(({ label }) => label === 'Store'));
        },
      },
      notifications: { done: tell, information: tell },
    } as unknown as CommandDependencies;
  });
  beforeEach(async () => {
    told.length = 0;
    await vscode.env.clipboard.writeText('');
  });
  after(() => service.stop());

  /**
   * Adds a key.
   * @returns its path at the service
   */
  async function add(title: string, file: KeyFileName, passwords: object = {}): Promise<string> {
    const data = JSON.stringify({ title, alias: 'release', ...passwords });
    const body = multipart({ data }, { keystore: keyFile(file) });
    const answer = await ask(service, '/keys/android', { method: 'POST', body });
    return (answer as { readonly link: string }).link;
  }
  const copied = () => vscode.env.clipboard.readText();

  it('uses Java’s format, even for a locked key if its file reveals the certificate', async () => {
    const url = await add('Store', 'release.jks');
    await copyFingerprint(dependencies, { url }, 'sha1');
    assert.equal(await copied(), SHA1);
    await copyFingerprint(dependencies, undefined, 'sha256');
    assert.equal(await copied(), SHA256);
    assert.deepEqual(offered, ['Internal testing', 'Store'], 'a key without fingerprints isn’t offered');
    assert.deepEqual(told, [
      'The SHA-1 fingerprint of “Store” was copied.',
      'The SHA-256 fingerprint of “Store” was copied.',
    ]);
  });

  it('offers to unlock a locked key with an unknown certificate, and suggests checking the password of an unlocked key', async () => {
    await copyFingerprint(dependencies, { url: await add('Closed', 'release.p12') }, 'sha1');
    assert.deepEqual(told, [
      '“Closed” is locked, and its fingerprints aren’t known yet. Unlock it to copy them. [Unlock…]',
    ]);
    const url = await add('Mistaken', 'release.p12', { key_pw: 'wrong', keystore_pw: 'wrong' });
    const error = await captureFailure(InvalidInputError, copyFingerprint(dependencies, { url }, 'sha1'));
    assert.match(
      describeFailure(error),
      /^The service doesn’t have the certificate of “Mistaken”\. Check the key’s alias and password\. If the service doesn’t report fingerprints, run “keytool /,
    );
    assert.equal(await copied(), '');
  });
});
