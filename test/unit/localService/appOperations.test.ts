import assert from 'node:assert/strict';

import { pngStart, samplePackage } from '../../support/appPackages.ts';
import { startGitServer, type GitServer } from '../../support/gitServer.ts';
import { startInProcess, type InProcessService } from '../../support/inProcessService.ts';
import { REQUEST_FORMS, type Credentials, type Operation, type UploadedFile } from '../../support/requestForms.ts';
import { authTokenOf, type Answer } from '../../support/serviceRequests.ts';
import { tableOf } from '../../support/table.ts';

interface Step {
  readonly name: string;
  readonly operation: Operation;
  readonly status: number;
  /** What the answer must have. */
  readonly check?: (json: Record<string, unknown>) => void;
}

describe('local service: every operation in every form that clients send', () => {
  const rows = new Map<string, Record<string, string>>();
  let service: InProcessService;
  let credentials: Credentials;
  let file: UploadedFile;
  let repository: GitServer;

  before(async () => {
    repository = await startGitServer();
    await repository.commit({ 'www/index.html': '<!doctype html>' });
    await repository.git('tag', 'v1');
    service = await startInProcess();
    credentials = { ...service, authToken: await authTokenOf(service) };
    file = { name: 'www.zip', content: await samplePackage() };
  });
  after(async () => {
    await service.stop();
    await repository.stop();
    console.log(tableOf([...rows.values()]));
  });

  for (const [form, send] of Object.entries(REQUEST_FORMS)) {
    const take = async ({ name, operation, status, check }: Step): Promise<Answer> => {
      const answer = await send(credentials, operation);
      const row = rows.get(name) ?? { operation: name };
      rows.set(name, { ...row, [form]: String(answer.status) });
      assert.equal(answer.status, status, `${name}: ${answer.text}`);
      check?.(answer.json as Record<string, unknown>);
      return answer;
    };

    it(`takes them as ${form}`, async () => {
      const created = await take({
        name: 'POST /apps (file)',
        operation: { method: 'POST', path: '/api/v1/apps', fields: { create_method: 'file' }, files: { file } },
        status: 201,
        check: has({ title: 'Sample', package: 'org.example.sample', version: '1.2.3', build_count: 1 }),
      });
      const { id, collaborators } = created.json as { id: number; collaborators: { active: { id: number }[] } };
      const path = `/api/v1/apps/${id}`;
      for (const step of appSteps(path, file)) {
        await take(step);
      }
      const fromRepository = await take({
        name: 'POST /apps (repository)',
        operation: { method: 'POST', path: '/api/v1/apps', fields: { repo: repository.url, tag: 'v1' } },
        status: 201,
        check: has({ title: 'app', repo: repository.url, tag: 'v1', completed: false }),
      });
      await take({
        name: 'PUT /apps/:id (pull)',
        operation: {
          method: 'PUT',
          path: `/api/v1/apps/${(fromRepository.json as { id: number }).id}`,
          fields: { pull: 'true' },
        },
        status: 200,
        check: has({ tag: 'v1', build_count: 2 }),
      });
      for (const step of await keySteps(take)) {
        await take(step);
      }
      const added = await take({
        name: 'POST …/collaborators (known)',
        operation: {
          method: 'POST',
          path: `${path}/collaborators`,
          fields: { email: 'OCTO-demo@example.com', role: 'dev' },
        },
        status: 201,
      });
      const active = (added.json as { collaborators: { active: { id: number; role: string }[] } }).collaborators.active;
      assert.deepEqual(
        active.map(({ role }) => role),
        ['admin', 'developer'],
      );
      const collaborator = `${path}/collaborators/${active[1]?.id ?? 0}`;
      await take({
        name: 'POST …/collaborators (unknown)',
        operation: { method: 'POST', path: `${path}/collaborators`, fields: { email: 'foo@bar.com', role: 'tester' } },
        status: 202,
      });
      await take({
        name: 'PUT …/collaborators/:id',
        operation: { method: 'PUT', path: collaborator, fields: { role: 'tester' } },
        status: 200,
      });
      await take({
        name: 'DELETE …/collaborators/:id',
        operation: { method: 'DELETE', path: collaborator },
        status: 202,
        check: (json) => assert.deepEqual(json, { success: `octo-demo@example.com removed from app ${id}` }),
      });
      await take({
        name: 'DELETE /apps/:id',
        operation: { method: 'DELETE', path },
        status: 202,
        check: (json) => assert.deepEqual(json, { success: `app ${id} deleted` }),
      });
      await take({
        name: 'DELETE /apps/:id (again)',
        operation: { method: 'DELETE', path },
        status: 404,
        check: (json) => assert.deepEqual(json, { error: `app #${id} not available` }),
      });
      assert.equal(collaborators.active.length, 1);
    });
  }
});

/** What is done with an app between creating and deleting it. */
function appSteps(path: string, file: UploadedFile): readonly Step[] {
  const pendingEverywhere = { android: 'pending', ios: 'pending', winphone: 'pending' };
  return [
    {
      name: 'POST /apps (nothing)',
      operation: { method: 'POST', path: '/api/v1/apps', fields: { title: 'Nothing' } },
      status: 400,
      check: (json) => assert.deepEqual(json, { error: 'no create_method specified: file or remote_repo' }),
    },
    { name: 'GET /apps/:id', operation: { method: 'GET', path }, status: 200, check: has({ title: 'Sample' }) },
    {
      name: 'PUT /apps/:id (fields)',
      operation: {
        method: 'PUT',
        path,
        fields: {
          title: 'Renamed – 珈琲',
          debug: true,
          private: false,
          keys: { android: 1 },
          phonegap_version: 'cli-9.0.0',
        },
      },
      status: 200,
      check: (json) => {
        has({ title: 'Renamed – 珈琲', debug: true, private: false, status: pendingEverywhere, build_count: 2 })(json);
        assert.equal((json.keys as { android: { id: number } }).android.id, 1);
      },
    },
    {
      name: 'PUT /apps/:id (file)',
      operation: { method: 'PUT', path, files: { file } },
      status: 200,
      check: has({ title: 'Renamed – 珈琲', debug: true, build_count: 3 }),
    },
    {
      name: 'PUT /apps/:id (fields, file)',
      operation: { method: 'PUT', path, fields: { title: 'Again', keys: { android: null } }, files: { file } },
      status: 200,
      check: has({ title: 'Again', keys: { android: null, ios: null, winphone: null }, build_count: 4 }),
    },
    {
      name: 'PUT /apps/:id (pull, no repository)',
      operation: { method: 'PUT', path, fields: { pull: 'true' } },
      status: 400,
      check: (json) => assert.match(String(json.error), /^app #\d+ is not repo backed$/),
    },
    {
      name: 'POST …/icon',
      operation: { method: 'POST', path: `${path}/icon`, files: { icon: icon() } },
      status: 201,
      check: has({ icon: { filename: 'icon.png', link: `${path}/icon` } }),
    },
    { name: 'GET …/icon', operation: { method: 'GET', path: `${path}/icon` }, status: 302 },
    {
      name: 'POST …/build',
      operation: { method: 'POST', path: `${path}/build` },
      status: 202,
      check: has({ status: pendingEverywhere }),
    },
    {
      name: 'POST …/build (platforms)',
      operation: { method: 'POST', path: `${path}/build`, fields: { platforms: ['android', 'wp8'] } },
      status: 202,
    },
    { name: 'POST …/build/:platform', operation: { method: 'POST', path: `${path}/build/ios` }, status: 202 },
    { name: 'GET …/build', operation: { method: 'GET', path: `${path}/build` }, status: 200 },
    { name: 'GET …/status', operation: { method: 'GET', path: `${path}/status` }, status: 200 },
    { name: 'GET …/logs/:platform/build', operation: { method: 'GET', path: `${path}/logs/ios/build` }, status: 200 },
    { name: 'GET …/www', operation: { method: 'GET', path: `${path}/www` }, status: 200 },
    {
      name: 'GET …/plugins',
      operation: { method: 'GET', path: `${path}/plugins` },
      status: 200,
      check: ({ plugins }) => assert.deepEqual(plugins, [{ name: 'cordova-plugin-device', version: '^2.0.0' }]),
    },
    { name: 'GET /current_support', operation: { method: 'GET', path: '/api/v1/current_support' }, status: 200 },
  ];
}

/** Adds a key. @returns what is done with it then */
async function keySteps(take: (step: Step) => Promise<Answer>): Promise<readonly Step[]> {
  const keystore = { name: 'release.keystore', content: Buffer.from('a keystore') };
  const added = await take({
    name: 'POST /keys/:platform',
    operation: {
      method: 'POST',
      path: '/api/v1/keys/android',
      fields: { title: 'Release', alias: 'release' },
      files: { keystore },
    },
    status: 201,
    check: has({ title: 'Release', locked: true }),
  });
  const { id } = added.json as { id: number };
  const path = `/api/v1/keys/android/${id}`;
  return [
    {
      name: 'PUT /keys/:platform/:id (unlock)',
      operation: { method: 'PUT', path, fields: { key_pw: 'one', keystore_pw: 'two' } },
      status: 200,
      check: has({ id, locked: false }),
    },
    {
      name: 'PUT /keys/:platform/:id (lock)',
      operation: { method: 'PUT', path, fields: { lock: true } },
      status: 200,
      check: has({ id, locked: true }),
    },
    {
      name: 'PUT /keys/:platform/:id (edit)',
      operation: { method: 'PUT', path, fields: { title: 'Other', default: 'true' } },
      status: 200,
      check: has({ id, title: 'Other', default: true }),
    },
    {
      name: 'DELETE /keys/:platform/:id',
      operation: { method: 'DELETE', path },
      status: 202,
      check: (json) => assert.deepEqual(json, { success: `android key ${id} deleted` }),
    },
  ];
}

function icon(): UploadedFile {
  return { name: 'icon.png', content: pngStart(), type: 'image/png' };
}

function has(expected: Readonly<Record<string, unknown>>): (json: Record<string, unknown>) => void {
  return (json) =>
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, json[name]])), expected);
}
