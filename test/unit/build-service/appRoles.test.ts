import assert from 'node:assert/strict';

import { createAuthToken } from '../../../src/build-service/store/tokens.ts';
import { pngStart, samplePackage } from '../../support/appPackages.ts';
import { useService } from '../../support/hooks.ts';
import { openInProcess } from '../../support/inProcessService.ts';
import { perform, type Operation } from '../../support/operation.ts';
import type { Answer } from '../../support/serviceRequests.ts';

/** IDs of the demo data's users, and of one who was added. */
const USER_IDS = { owner: 1, developer: 2, tester: 3, stranger: 4 } as const;
type Role = keyof typeof USER_IDS;
const ROLES = Object.keys(USER_IDS) as readonly Role[];

/** Status by role: owner, developer, tester, stranger. */
type Statuses = readonly [number, number, number, number];

const READ: Statuses = [200, 200, 200, 404];

interface Row extends Omit<Operation, 'path'> {
  /** Path under the app. */
  readonly path: string;
  readonly statuses: Statuses;
  /** Message of a 403 response. */
  readonly refusal?: RegExp;
}

const TESTER = /^A tester can’t change app \d+\. Ask its owner for the developer role\.$/;
const OWNER = /^Only the owner of app \d+ can manage its collaborators\.$/;

describe('local service: permissions of each role in an app', () => {
  const service = useService(openInProcess);
  let tokens: ReadonlyMap<Role, string>;
  let file: { readonly name: string; readonly content: Buffer };

  before(async () => {
    const { store } = service.service;
    for (const name of ['tester', 'stranger'] as const) {
      const createdAt = '2026-03-04T05:06:07Z';
      const user = { id: USER_IDS[name], username: name, email: `${name}@example.com`, password: null };
      store.insert('users', { ...user, createdAt, updatedAt: createdAt });
    }
    tokens = new Map(ROLES.map((role) => [role, createAuthToken(store, USER_IDS[role], 'test').token]));
    file = { name: 'app.zip', content: await samplePackage() };
  });

  const send = (role: Role, operation: Operation): Promise<Answer> => perform(service, operation, tokens.get(role));
  const getCollaborators = (app: unknown): readonly { id: number; person: string; role: string }[] => {
    const { collaborators } = app as { collaborators: Record<'active' | 'pending', []> };
    return [...collaborators.active, ...collaborators.pending];
  };
  /** Creates an app with one collaborator of each role, and one who was invited. */
  const createApp = async (): Promise<{ readonly path: string; readonly ids: Readonly<Record<string, number>> }> => {
    const created = await send('owner', { method: 'POST', path: '/api/v1/apps', files: { file } });
    const path = `/api/v1/apps/${(created.json as { id: number }).id}`;
    let app = created.json;
    for (const [email, role] of [
      ['octo-demo@example.com', 'dev'],
      ['tester@example.com', 'tester'],
      ['invited@example.com', 'tester'],
    ] as const) {
      app = (await send('owner', { method: 'POST', path: `${path}/collaborators`, fields: { email, role } })).json;
    }
    return { path, ids: Object.fromEntries(getCollaborators(app).map(({ person, id }) => [person, id])) };
  };

  it('allows or denies reading and changing by role', async () => {
    const { path, ids } = await createApp();
    const invited = `/collaborators/${ids['invited@example.com'] ?? 0}`;
    const table: readonly Row[] = [
      { method: 'GET', path: '', statuses: READ },
      { method: 'GET', path: '/status', statuses: READ },
      { method: 'GET', path: '/build', statuses: READ },
      { method: 'GET', path: '/build/android', statuses: READ },
      { method: 'GET', path: '/logs/android/build', statuses: READ },
      { method: 'GET', path: '/www', statuses: READ },
      { method: 'GET', path: '/plugins', statuses: READ },
      { method: 'GET', path: '/collaborators', statuses: READ },
      { method: 'GET', path: invited, statuses: READ },
      { method: 'PUT', path: '', fields: { title: 'A' }, statuses: [200, 200, 403, 404], refusal: TESTER },
      { method: 'PUT', path: '', files: { file }, statuses: [200, 200, 403, 404], refusal: TESTER },
      {
        ...{ method: 'PUT', path: '', fields: { keys: { android: 1 } }, statuses: [200, 403, 403, 404] },
        refusal: /^(Only the owner of an app can choose its signing keys\.|A tester can’t change .*)$/,
      },
      {
        ...{ method: 'POST', path: '/icon', files: { icon: { name: 'i.png', content: pngStart() } } },
        ...{ statuses: [201, 201, 403, 404], refusal: TESTER },
      },
      { method: 'POST', path: '/build', statuses: [202, 202, 403, 404], refusal: TESTER },
      { method: 'POST', path: '/build/ios', statuses: [202, 202, 403, 404], refusal: TESTER },
      {
        ...{ method: 'POST', path: '/collaborators', fields: { email: 'x@example.com', role: 'dev' } },
        ...{ statuses: [202, 403, 403, 404], refusal: OWNER },
      },
      { method: 'PUT', path: invited, fields: { role: 'dev' }, statuses: [200, 403, 403, 404], refusal: OWNER },
    ];
    for (const { statuses, refusal, ...operation } of table) {
      for (const [index, role] of ROLES.entries()) {
        const answer = await send(role, { ...operation, path: path + operation.path });
        assert.equal(
          answer.status,
          statuses[index],
          `${operation.method} ${operation.path} as ${role}: ${answer.text}`,
        );
        if (answer.status === 403) {
          assert.match((answer.json as { error: string }).error, refusal ?? /never/);
        }
        if (answer.status === 404) {
          assert.deepEqual(answer.json, { error: `app #${path.split('/').at(-1) ?? ''} not available` });
        }
      }
    }
  });

  it('allows or denies deleting, removing, and leaving by role', async () => {
    const deletions: readonly (readonly [string, string, Statuses, RegExp])[] = [
      ['DELETE …', '', [202, 403, 403, 404], /^Only the owner of app \d+ can delete it\.$/],
      ['DELETE …/collaborators/<invited>', 'invited@example.com', [202, 403, 403, 404], OWNER],
      ['DELETE …/collaborators/<developer>', 'octo-demo@example.com', [202, 202, 403, 404], OWNER],
      ['DELETE …/collaborators/<owner>', 'demo@example.com', [403, 403, 403, 404], /owner/],
    ];
    for (const [operation, person, statuses, refusal] of deletions) {
      for (const [index, role] of ROLES.entries()) {
        const { path, ids } = await createApp();
        const target = person === '' ? path : `${path}/collaborators/${ids[person] ?? 0}`;
        const answer = await send(role, { method: 'DELETE', path: target });
        assert.equal(answer.status, statuses[index], `${operation} as ${role}: ${answer.text}`);
        if (answer.status === 403) {
          assert.match((answer.json as { error: string }).error, refusal);
        }
        const remaining = await send('owner', { method: 'GET', path: target });
        assert.equal(remaining.status, answer.status === 202 ? 404 : 200);
      }
    }
  });

  it('shows the app to a user who was added, with their role, until the user is removed', async () => {
    const { path, ids } = await createApp();
    const seen = async (): Promise<unknown> => {
      const { apps } = (await send('tester', { method: 'GET', path: '/api/v1/me' })).json as {
        apps: { all: { link: string; role: string }[] };
      };
      const list = (await send('tester', { method: 'GET', path: '/api/v1/apps' })).json as { apps: typeof apps.all };
      return [apps.all, list.apps].map((all) => all.find(({ link }) => link === path)?.role);
    };
    assert.deepEqual(await seen(), ['tester', 'tester']);
    const target = `${path}/collaborators/${ids['tester@example.com'] ?? 0}`;
    await send('owner', { method: 'PUT', path: target, fields: { role: 'developer' } });
    assert.deepEqual(await seen(), ['developer', 'developer']);
    await send('tester', { method: 'DELETE', path: target });
    assert.deepEqual(await seen(), [undefined, undefined]);
  });

  it('accepts one collaborator per email address, regardless of case', async () => {
    const { path } = await createApp();
    const add = (email: string): Promise<Answer> =>
      send('owner', { method: 'POST', path: `${path}/collaborators`, fields: { email, role: 'tester' } });
    for (const email of ['OCTO-DEMO@EXAMPLE.COM', 'Invited@Example.com', 'demo@example.com']) {
      const answer = await add(email);
      assert.equal(answer.status, 409, email);
      assert.match(answer.text, /is already a collaborator of app \d+/);
    }
    service.service.store.run("UPDATE users SET email = 'invited@example.com' WHERE id = ?", USER_IDS.stranger);
    const answer = await add('INVITED@example.com');
    assert.equal(answer.status, 201);
    assert.deepEqual(
      getCollaborators(answer.json).map(({ person, role }) => `${person} ${role}`),
      [
        'demo@example.com admin',
        'octo-demo@example.com developer',
        'tester@example.com tester',
        'invited@example.com tester',
      ],
    );
    service.service.store.run("UPDATE users SET email = 'stranger@example.com' WHERE id = ?", USER_IDS.stranger);
  });
});
