/** Routes of the original service. */
import type { OutgoingHttpHeaders } from 'node:http';

import { isCompleted, PLATFORMS, type OriginalApp, type OriginalData } from './originalData.ts';

/** A request in any form that the original service accepted: JSON in `data`, `data[x]`, or flat fields, with files. */
export interface OriginalRequest {
  readonly values: Readonly<Record<string, unknown>>;
  readonly files: readonly { readonly field: string; readonly fileName: string; readonly bytes: Buffer }[];
}

export type Answer = readonly [status: number, body: object | string, headers?: OutgoingHttpHeaders];

/** Responds to a signed-in user's request. @param path path without a trailing slash */
export function createAnswer(data: OriginalData, method: string, path: string, received: OriginalRequest): Answer {
  const [, resource = '', id = '', ...rest] = /^\/api\/v1(?:\/([^/]+))?(?:\/([^/]+))?(?:\/(.+))?$/.exec(path) ?? [];
  const below = rest[0] ?? '';
  switch (path.startsWith('/api/v1') ? resource : 'page') {
    case '':
    case 'me':
      return [200, data.user()];
    case 'current_support':
      return [200, { default: 'cli-9.0.0', by_phonegap: { 'cli-9.0.0': { android: '8.0.0', ios: '5.0.1' } } }];
    case 'apps':
      return id === '' ? answerApps(data, method, received) : answerApp(data, method, id, below, received);
    case 'keys':
      return answerKeys(data, method, id, below, received);
    default:
      return [404, '<!DOCTYPE html><title>Page Not Found (404)</title><h1>Page Not Found</h1>'];
  }
}

function answerApps(data: OriginalData, method: string, { values, files }: OriginalRequest): Answer {
  if (method !== 'POST') {
    return [200, { apps: [...data.apps.values()].map((app) => data.summary(app)), link: '/api/v1/apps' }];
  }
  const hasFile = files.some(({ field }) => field === 'file');
  if (!hasFile && values.repo === undefined) {
    return [400, { error: 'no create_method specified: file or remote_repo' }];
  }
  if (String(values.repo).includes('@')) {
    return [400, { error: 'Private repository URLs not supported - try removing &quot;alunny@&quot;' }];
  }
  const app = data.app(data.addApp(without(values, 'create_method')));
  data.build(app, PLATFORMS);
  return [201, data.changed(app)];
}

function answerApp(
  data: OriginalData,
  method: string,
  id: string,
  below: string,
  { values, files }: OriginalRequest,
): Answer {
  const app = data.apps.get(Number(id));
  if (app === undefined) {
    return [404, { error: `app #${id} not available` }];
  }
  const [first = '', second = ''] = below.split('/');
  switch (`${method} ${first}`) {
    case 'GET ':
      return [200, data.details(app)];
    case 'GET status':
      return [200, { id: app.id, status: app.status, error: app.error, completed: isCompleted(app), ...app.odd }];
    case 'GET logs':
      return app.logs.has(second) || typeof app.status[second] === 'string'
        ? [200, { log: app.logs.get(second) ?? `Building for ${second}\n` }]
        : [404, { error: `app #${id} has no log for ${second}` }];
    case 'PUT ': {
      Object.assign(app.keys, values.keys);
      Object.assign(app.fields, without(values, 'pull', 'keys'));
      if (files.length > 0 || values.pull !== undefined) {
        data.build(app, PLATFORMS);
      }
      return [200, data.changed(app)];
    }
    case 'DELETE ':
      data.apps.delete(app.id);
      return [202, { success: `app ${id} deleted` }];
    case 'POST build': {
      const wanted: unknown = values.platforms;
      const names =
        second !== '' ? [second] : Array.isArray(wanted) && wanted.length > 0 ? wanted.map(String) : PLATFORMS;
      data.build(app, names);
      return [202, data.changed(app)];
    }
    case 'POST icon':
      app.fields.icon = 'icon.png';
      return [201, data.changed(app)];
    case 'POST collaborators':
      app.people.set(data.nextId(), {
        person: String(values.email),
        role: getRole(values),
        pending: values.email !== data.knownPerson,
      });
      return [values.email === data.knownPerson ? 201 : 202, data.changed(app)];
    case 'PUT collaborators': {
      const person = app.people.get(Number(second));
      if (person !== undefined) {
        app.people.set(Number(second), { ...person, role: getRole(values) });
      }
      return [200, data.changed(app)];
    }
    case 'DELETE collaborators':
      app.people.delete(Number(second));
      return [202, { success: `removed from app ${id}` }];
    default:
      return method === 'GET' ? download(data, app, first) : [404, '<!DOCTYPE html><title>Not Found</title>'];
  }
}

function download(data: OriginalData, { id, status }: OriginalApp, platform: string): Answer {
  if (status[platform] !== 'complete') {
    return [404, { error: `app #${id} download unavailable for ${platform}` }];
  }
  const location = `${data.storageUrl}/slice/${id}/${platform}?signature=1`;
  return [302, { location }, { location }];
}

function answerKeys(
  data: OriginalData,
  method: string,
  platform: string,
  id: string,
  { values }: OriginalRequest,
): Answer {
  if (platform === '') {
    return [200, { keys: data.keyLists(), link: '/api/v1/keys' }];
  }
  if (id === '' && method === 'POST') {
    const { key_pw, keystore_pw, password, ...fields } = values;
    const isLocked = (key_pw ?? keystore_pw ?? password) === undefined;
    return [201, data.key(data.addKey(platform, { ...fields, locked: isLocked }))];
  }
  if (id === '') {
    const keys = [...data.keys.values()].filter((key) => key.platform === platform).map((key) => data.key(key.id));
    return [200, { keys, link: `/api/v1/keys/${platform}` }];
  }
  const key = data.keys.get(Number(id));
  if (key === undefined) {
    return [404, { error: `could not find ${platform} key #${id}` }];
  }
  if (method === 'DELETE') {
    data.keys.delete(key.id);
    return [202, { success: `${platform} key ${id} deleted` }];
  }
  const { key_pw, keystore_pw, password, lock, ...fields } = values;
  const isUnlocked = (key_pw ?? keystore_pw ?? password) !== undefined;
  Object.assign(key.fields, fields, isUnlocked ? { locked: false } : lock === undefined ? {} : { locked: true });
  return [200, data.key(key.id)];
}

function getRole({ role }: Readonly<Record<string, unknown>>): string {
  return role === 'dev' ? 'developer' : String(role);
}

function without(values: Readonly<Record<string, unknown>>, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}
