import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AppCalls } from '../../src/extension/apps/calls/appCalls.ts';
import { readCollaborators } from '../../src/extension/apps/model/collaborator.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { OriginalService } from '../support/originalService.ts';
import { getTestExtension } from './support/extension.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';

describe('collaborators', () => {
  const access = getTestExtension();
  let local: LocalService;
  let original: OriginalService;
  const person = useRecordingUser();
  let calls: AppCalls;
  let appUrl: string;

  before(async () => {
    [local, original] = await Promise.all([startLocalService(), OriginalService.start()]);
  });

  after(() => Promise.all([local.stop(), original.close()]));

  const run = async (name: string, argument?: unknown): Promise<string> => {
    const from = person.notifications.length;
    await vscode.commands.executeCommand(`appBuild.${name}`, argument);
    return person.notifications.slice(from).join('\n');
  };
  const people = async () =>
    readCollaborators((await calls.get(appUrl)).resource).map(({ person: email, role, pending, url }) => ({
      email,
      role,
      pending,
      url,
    }));
  const find = async (email: string) => (await people()).find((each) => each.email === email);

  for (const where of ['local', 'original'] as const) {
    describe(`at ${where === 'local' ? 'the local service' : 'the simulated original service'}`, () => {
      before(() => {
        appUrl =
          where === 'local' ? `${local.baseUrl}/api/v1/apps/1004` : original.appUrl(original.addApp({ title: 'Shop' }));
      });

      beforeEach(async () => {
        const connection = await signInAtService(access, where === 'local' ? local : original);
        calls = (await access.loadBuildServices()).createCalls(connection);
      });

      it('adds collaborators by email address and role', async () => {
        person.answers = {
          typed: ['not an address', 'nobody@example.com'],
          retype: true,
          pick: ({ label }) => label === 'Developer',
        };
        await run('addCollaborator', { url: appUrl });
        assert.match(person.questions.join('\n'), /Enter an email address\./);
        const added = await find('nobody@example.com');
        assert.deepEqual([added?.role, added?.pending], ['developer', true]);
      });

      it('distinguishes collaborators from invited users', async () => {
        const known = where === 'local' ? 'octo-demo@example.com' : original.knownPerson;
        for (const email of [known, 'stranger@example.com']) {
          person.answers = { typed: [email], pick: ({ label }) => label === 'Tester' };
          await run('addCollaborator', { url: `${appUrl}/collaborators`, appUrl });
        }
        assert.match(person.done[0] ?? '', / works on /);
        assert.match(person.done[1] ?? '', /stranger@example\.com was invited to /);
      });

      it('changes a collaborator’s role, and removes a collaborator after the user confirms the name', async () => {
        const known = where === 'local' ? 'octo-demo@example.com' : original.knownPerson;
        const { url } = (await find(known)) ?? assert.fail('was not added');
        person.answers = { typed: [], pick: ({ label }) => label === 'Developer' };
        await run('changeCollaboratorRole', { url, appUrl });
        assert.equal((await find(known))?.role, 'developer');
        person.answers = { typed: [], press: () => undefined };
        assert.match(await run('removeCollaborator', { url, appUrl }), new RegExp(`^Remove ${known} from `));
        assert.ok(await find(known), 'the person said no');
        person.answers = { typed: [], press: () => 'Remove' };
        await run('removeCollaborator', { url, appUrl });
        assert.equal(await find(known), undefined);
      });

      it('rejects a change that the service doesn’t offer, and an argument that isn’t an app', async () => {
        person.answers = { typed: [], pick: ({ label }) => label === 'stranger@example.com' };
        const said = await run('changeCollaboratorRole', { url: appUrl });
        if (where === 'original') {
          assert.match(said, /The service doesn’t offer this for stranger@example\.com\./);
        }
        assert.match(await run('addCollaborator', 7), /This command needs an app/);
      });
    });
  }
});
