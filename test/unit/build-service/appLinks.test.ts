import assert from 'node:assert/strict';

import { createAuthToken } from '../../../src/build-service/store/tokens.ts';
import type { AppAction } from '../../../src/build-service/routes/appActions.ts';
import { pngStart, samplePackage } from '../../support/appPackages.ts';
import { useService } from '../../support/hooks.ts';
import { openInProcess } from '../../support/inProcessService.ts';
import { perform as performOperation } from '../../support/operation.ts';
import { readAnswer, call, type Answer } from '../../support/serviceRequests.ts';

/** Action as clients receive it. Siren lets type and fields be absent. */
type OfferedAction = Pick<AppAction, 'name' | 'method' | 'href'> & Partial<AppAction>;

/** Result of a crawl from the API's home. */
interface Found {
  /** Every address, with the resource that links to it. */
  readonly links: ReadonlyMap<string, string>;
  readonly actions: ReadonlyMap<string, OfferedAction>;
}

describe('local service: links from the API home', () => {
  const service = useService(openInProcess);
  let files: Readonly<Record<string, Buffer>>;

  before(async () => {
    files = { icon: pngStart(), file: await samplePackage() };
  });

  const get = (token: string, path: string): Promise<Answer> =>
    call(service, path, { headers: { Authorization: `token ${token}` } });

  /** Follows every link of every response. */
  const crawl = async (token: string): Promise<Found> => {
    const links = new Map([['/api/v1', '(the start)']]);
    const actions = new Map<string, OfferedAction>();
    for (const [link, origin] of links) {
      const isResource = link.startsWith('/api/');
      const { status, json, text } = isResource ? await get(token, link) : await call(service, link);
      assert.ok(!isResource || (await call(service, link)).status === 401, link);
      // An icon has a link even if the icon is missing.
      const isFine = status === 200 || status === 302 || (status === 404 && link.endsWith('/icon'));
      assert.ok(isFine, `${link}, named by ${origin}: ${status} ${text}`);
      for (const [, address = ''] of JSON.stringify(json ?? null).matchAll(
        /"((?:\/api\/v1|http:\/\/127\.0\.0\.1)[^"]*)"/g,
      )) {
        const path = address.startsWith('/') ? address : address.slice(service.baseUrl.length);
        if (!links.has(path)) {
          links.set(path, link);
        }
      }
      for (const action of actionsIn(json)) {
        actions.set(`${action.method} ${action.href} ${action.name}`, action);
      }
    }
    return { links, actions };
  };

  /** Sends an action with a value for every field that has or requires one. */
  const perform = async (token: string, { method, href, type, fields = [] }: OfferedAction): Promise<Answer> => {
    const filled = fields.filter(({ value, required }) => value !== undefined || required === true);
    const entries = filled.map(({ name, type: kind, value }): [string, string | File] => {
      if (kind === 'file') {
        return [name, new File([new Uint8Array(files[name] ?? [1, 2, 3])], `${name}.bin`)];
      }
      const chosen =
        typeof value === 'object' ? (value.find(({ selected }) => selected === true) ?? value[0])?.value : value;
      return [name, chosen ?? SAMPLES[name] ?? 'sample'];
    });
    const headers = { Authorization: `token ${token}` };
    return readAnswer(
      await service.fetch(new URL(href, service.baseUrl), { method, headers, ...createBody(type, entries) }),
    );
  };

  it('lead the owner of an app to every resource and operation', async () => {
    const token = createAuthToken(service.service.store, 1, 'test').token;
    const created = await perform(token, {
      ...{ name: '', method: 'POST', href: '/api/v1/apps', type: 'multipart/form-data' },
      fields: [{ name: 'file', type: 'file', title: '', required: true }],
    });
    assert.equal(created.status, 201, created.text);
    const { links, actions } = await crawl(token);
    const { id } = created.json as { id: number };
    for (const path of [
      '/api/v1/me',
      '/api/v1/current_support',
      ...['', '/status', '/build', '/build/ios', '/logs/ios/build', '/www', '/plugins', '/collaborators'].map(
        (below) => `/api/v1/apps/${id}${below}`,
      ),
    ]) {
      assert.ok(links.has(path), path);
    }
    const all = [...actions.values()]
      .filter((action) => !isRunningBuildAction(action))
      .sort((one, other) => getOrder(one) - getOrder(other) || other.href.length - one.href.length);
    for (const action of all) {
      const answer = await perform(token, action);
      const isRepository = (action.fields ?? []).some(({ name }) => name === 'repo' || name === 'pull');
      const expected = isRepository ? [400] : [200, 201, 202];
      assert.ok(expected.includes(answer.status), `${action.name} ${action.href}: ${answer.status} ${answer.text}`);
    }
    const names = new Set(all.map(({ name }) => name));
    for (const name of [
      ...['create-from-file', 'create-from-repository', 'update', 'upload', 'pull', 'upload-icon', 'delete'],
      ...['build', 'build-android', 'add-collaborator', 'change-role', 'remove-collaborator'],
    ]) {
      assert.ok(names.has(name), name);
    }
  });

  it('offer developers and testers only the actions that they’re allowed to use', async () => {
    const { store } = service.service;
    const token = createAuthToken(store, 2, 'test').token;
    const owner = createAuthToken(store, 1, 'test').token;
    const apps = new Map<string, number>();
    for (const role of ['dev', 'tester']) {
      const file = { name: 'a.zip', content: files.file ?? Buffer.alloc(0) };
      const created = await performOperation(service, { method: 'POST', path: '/api/v1/apps', files: { file } }, owner);
      const { id } = created.json as { id: number };
      apps.set(role, id);
      const fields = { email: 'octo-demo@example.com', role };
      await performOperation(service, { method: 'POST', path: `/api/v1/apps/${id}/collaborators`, fields }, owner);
    }
    const { actions } = await crawl(token);
    const offered = (role: string): readonly OfferedAction[] => {
      const link = `/api/v1/apps/${apps.get(role) ?? 0}`;
      const others = [...actions.values()].filter((each) => !isRunningBuildAction(each));
      return others.filter(({ href }) => href === link || href.startsWith(`${link}/`));
    };
    assert.deepEqual(
      offered('tester').map(({ name }) => name),
      ['leave'],
    );
    assert.deepEqual(
      new Set(offered('dev').map(({ name }) => name)),
      new Set([...['update', 'upload', 'build', 'build-android', 'build-ios'], ...['upload-icon', 'leave']]),
    );
    for (const action of [...offered('dev').filter(({ name }) => name !== 'leave'), ...offered('tester')]) {
      const answer = await perform(token, action);
      assert.ok(answer.status < 300, `${action.name}: ${answer.text}`);
    }
  });
});

/**
 * Reports whether an action belongs to a running build. Such a build may end in the meantime. `builds/cancelBuild.test.ts`
 * tests builds that don't.
 */
function isRunningBuildAction({ name }: OfferedAction): boolean {
  return name.startsWith('cancel-');
}

/** Returns the sort order of an action. Deletions come last, nested resources first. */
function getOrder({ method }: OfferedAction): number {
  return method === 'DELETE' ? 1 : 0;
}

/** Values for fields without a value that don't accept arbitrary text. */
const SAMPLES: Readonly<Record<string, string>> = {
  email: 'somebody@example.com',
  repo: 'http://127.0.0.1:1/app.git',
  publisher_id: '12345678-1234-1234-1234-123456789012',
};

function createBody(type: OfferedAction['type'], entries: [string, string | File][]): RequestInit {
  if (entries.length === 0) {
    return {};
  }
  if (type === 'multipart/form-data') {
    const form = new FormData();
    entries.forEach(([name, value]) => form.set(name, value));
    return { body: form };
  }
  return {
    body: new URLSearchParams(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
  };
}

/** Collects the actions anywhere in a response. */
function actionsIn(json: unknown): readonly OfferedAction[] {
  if (typeof json !== 'object' || json === null) {
    return [];
  }
  return Object.entries(json as Record<string, unknown>).flatMap(([name, value]) =>
    name === 'actions' ? (value as OfferedAction[]) : actionsIn(value),
  );
}
