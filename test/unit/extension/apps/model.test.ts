import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  findApps,
  isApp,
  isAppAddress,
  readApp,
  startedBuilds,
  getAppState,
  type BuildState,
} from '../../../../src/extension/apps/model/app.ts';
import { readBuilds, readBuildStatus, readLogPart } from '../../../../src/extension/apps/model/build.ts';
import { readBuilderSupport } from '../../../../src/extension/apps/model/readBuilderSupport.ts';
import { readCollaborators } from '../../../../src/extension/apps/model/collaborator.ts';
import { plainMessage } from '../../../../src/extension/apps/model/members.ts';
import { findOperation } from '../../../../src/extension/apps/model/operation.ts';
import { isSigningKey, readSigningKey, readSigningKeys } from '../../../../src/extension/apps/model/signingKey.ts';
import { APP_URL, appJson, createApp, keyJson, createResource } from '../../../support/testData.ts';
import { getBuilder } from '../../../../src/web-project/index.ts';

const url = APP_URL;
const app = appJson({ status: { android: 'complete' } });

function createBuild(members: object, platform = 'android') {
  return createApp({ status: { android: 'complete' }, ...members }).builds.find((build) => build.platform === platform);
}

describe('reading an app', () => {
  it('reads its fields, including numbers sent as text and times in any format', () => {
    const read = readApp(
      createResource({
        ...app,
        ...{ version: 2, package: 'com.example', role: 'admin', repo: 'https://code.example/a/b.git' },
        ...{ build_count: '37', completed: 'false', last_build: 1_700_000_000 },
      }),
      'https://build.example/elsewhere',
    );
    assert.deepEqual(
      [read.url, read.version, read.packageId, read.repository, read.buildCount, read.completed],
      [url, '2', 'com.example', 'https://code.example/a/b.git', 37, false],
    );
    assert.equal(read.lastBuild?.getUTCFullYear(), 2023);
    const empty = readApp(
      createResource({ title: 'Notes', repo: 'git@code.example:a/b.git', last_build: 'soon' }),
      url,
    );
    assert.deepEqual(
      [empty.url, empty.repository, empty.builds, empty.completed, empty.lastBuild, empty.buildCount],
      [url, 'git@code.example:a/b.git', [], undefined, undefined, undefined],
    );
  });

  it('recognizes the states of a build, and shows any unknown state verbatim', () => {
    const words: readonly (readonly [string | null, BuildState])[] = [
      ['pending', 'building'],
      ['complete', 'complete'],
      ['error', 'failed'],
      ['skip', 'skipped'],
      [null, 'none'],
      ['compiling webos project', 'other'],
    ];
    for (const [status, state] of words) {
      const build = createBuild({ status: { blackberry: status } }, 'blackberry');
      assert.deepEqual([build?.state, build?.status], [state, status]);
    }
    assert.equal(getAppState([{ state: 'failed' }, { state: 'waiting' }, { state: 'complete' }]), 'waiting');
    assert.equal(getAppState([{ state: 'complete' }, { state: 'failed' }]), 'failed');
    assert.equal(getAppState([]), 'none');
  });

  it('lists a platform for every status, error, and download, in the service’s order', () => {
    const { builds } = readApp(
      createResource({
        ...app,
        status: { ios: null, android: 'complete' },
        error: { webos: 'No.' },
        download: { symbian: '/api/v1/s' },
      }),
      url,
    );
    assert.deepEqual(
      builds.map(({ platform, state }) => [platform, state]),
      [
        ['ios', 'none'],
        ['android', 'complete'],
        ['webos', 'failed'],
        ['symbian', 'complete'],
      ],
    );
  });

  it('treats running and changed builds as started, but not an old failure', () => {
    const old = { status: { android: 'complete', ios: 'error' }, error: { ios: 'No Mac.' }, build_count: 2 };
    const [first, second] = ['2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.002Z'];
    const started = (before: object | undefined, after: object) =>
      startedBuilds(before && createApp({ ...old, ...before }), createApp({ ...old, ...after }));
    const pending = { android: 'pending', ios: 'error' };
    assert.deepEqual(started({}, { status: pending, build_count: 3 }), ['android']);
    assert.deepEqual(started(undefined, {}), ['android', 'ios']);
    assert.deepEqual(started({}, {}), []);
    // Two fast builds with the same result differ at most by their times.
    const times = { queued_at: { android: first, ios: first } };
    assert.deepEqual(started(times, { queued_at: { android: second, ios: first }, build_count: 3 }), ['android']);
    assert.deepEqual(started({}, { build_count: 3 }), ['android', 'ios']);
    assert.deepEqual(started({ error: {} }, { build_count: 3 }), ['ios'], 'an immediate second failure');
  });

  it('uses the state of the latest request if the service reports times', () => {
    const stateAt = (first: BuildState, second: BuildState) =>
      getAppState([
        { state: first, queuedAt: 1 },
        { state: second, queuedAt: 2 },
      ]);
    assert.equal(stateAt('failed', 'complete'), 'complete');
    assert.equal(stateAt('complete', 'failed'), 'failed');
    assert.equal(stateAt('building', 'complete'), 'building');
  });

  it('reads a download link given as a path or as an address on any origin, and ignores other values', () => {
    for (const [download, expected] of [
      [{ android: '/api/v1/apps/7/android' }, `${url}/android`],
      ['/api/v1/apps/7/android', `${url}/android`],
      [{ android: '/files/x.apk?auth_token=secret' }, 'https://build.example/files/x.apk'],
      [{ android: `${url}/android?auth_token=secret` }, `${url}/android`],
      [{ android: 'https://cdn.example/x.apk' }, 'https://cdn.example/x.apk'],
    ] as const) {
      assert.equal(createBuild({ download })?.downloadUrl, expected);
    }
    for (const nothing of [{}, null, '', [], { android: null }, { android: 'javascript:alert(1)' }, { android: 7 }]) {
      assert.equal(createBuild({ download: nothing })?.downloadUrl, undefined);
    }
  });

  it('reads an error given as an object, as a string for the failed platform, or as HTML', () => {
    const failed = { android: 'error', ios: 'complete' };
    assert.equal(
      createBuild({ status: failed, error: { android: 'No key &quot;x&quot; &amp; no <widget>' } })?.error,
      'No key "x" & no <widget>',
    );
    assert.equal(createBuild({ status: failed, error: 'Malformed' })?.error, 'Malformed');
    assert.equal(createBuild({ status: failed, error: 'Malformed' }, 'ios')?.error, undefined);
    assert.equal(createBuild({ status: failed, error: { android: { message: 'Inside' } } })?.error, 'Inside');
    assert.equal(
      plainMessage('<!DOCTYPE html><html><head><title>x</title></head><body><h1>We&#39;re<br>sorry</h1></body></html>'),
      "We're sorry",
    );
    assert.equal(plainMessage('<p></p>'), undefined);
    assert.equal(plainMessage('a\u0000b\u202ec')?.length, 5);
  });

  it('finds the log at the link in the response, or at the original service’s path', () => {
    assert.equal(createBuild({ logs: { android: '/api/v1/l' } })?.logUrl, 'https://build.example/api/v1/l');
    assert.equal(createBuild({ logs: {} })?.logUrl, undefined);
    assert.equal(createBuild({})?.logUrl, `${url}/logs/android/build`);
    assert.equal(createBuild({ status: { android: null } })?.logUrl, undefined);
  });

  it('distinguishes an app from other resources', () => {
    const apps = [app, { title: 'x', link: '/api/v1/apps/1' }, { title: 'x', status: {}, download: {} }];
    const others = [
      { status: { phase: 'Running' }, metadata: {} },
      { title: 'x', status: 'open' },
      { id: 7, status: { android: 'pending' }, error: {}, completed: false, link: '/api/v1/apps/7/status' },
      { title: 'x', link: '/api/v1/apps/1/share/2' },
      [],
      'x',
    ];
    assert.deepEqual(
      [...others, ...apps].filter((value) => isApp(createResource(value))),
      apps,
    );
  });
});

describe('reading the resources of an app', () => {
  it('reports a queued build as waiting until it starts', () => {
    const build = (members: object) => ({ platform: 'android', status: 'pending', ...members });
    const queued = { queued_at: '2026-01-01T00:00:00Z', started_at: null };
    const started = { ...queued, started_at: '2026-01-01T00:00:01Z', number: '3', size: '12' };
    const failed = { status: 'error', error: { android: 'No.' } };
    const list = [build(queued), build({ ...started, filename: 'x.apk', builder: 'demo' }), build(failed)];
    const answer = { builds: [...list, { status: 'complete' }], links: { app: '/api/v1/apps/7' } };
    const builds = readBuilds(createResource(answer), `${url}/build`);
    assert.deepEqual(
      builds.map(({ state }) => state),
      ['waiting', 'building', 'failed'],
    );
    assert.deepEqual([builds[1]?.fileName, builds[1]?.builder], ['x.apk', 'demo']);
    assert.equal(builds[2]?.error, 'No.');
  });

  it('treats a status without “completed” as complete when no build is running', () => {
    const completed = (value: object): boolean => readBuildStatus(createResource(value), `${url}/status`).completed;
    assert.equal(completed({ status: { android: 'pending' } }), false);
    assert.equal(completed({ status: { android: 'error' } }), true);
    assert.equal(completed({ status: { android: 'thinking' }, completed: false }), false);
    assert.equal(completed({}), true);
  });

  it('reads a log given as a string, lines, or nothing', () => {
    const part = { text: ' a\nb ', nextOffset: 4, completed: false };
    assert.deepEqual(readLogPart(createResource({ log: ' a\nb ', next_offset: 4, completed: false })), part);
    const lines = { text: 'a\nb', nextOffset: undefined, completed: undefined };
    assert.deepEqual(readLogPart(createResource({ log: ['a', 'b'] })), lines);
    assert.equal(readLogPart(createResource({ log: null })).text, '');
    assert.equal(readLogPart(createResource({})).text, '');
  });

  it('reads collaborators from lists of active and invited users, or from one list', () => {
    const people = (value: unknown) =>
      readCollaborators(createResource(value)).map(({ person, role, pending, url: link }) => [
        person,
        role,
        pending,
        link !== undefined,
      ]);
    const active = [{ person: 'a', role: 'admin', link: '/api/v1/apps/7/collaborators/1' }];
    const pending = [{ person: 'b', role: 'tester' }];
    const expected = [
      ['a', 'admin', false, true],
      ['b', 'tester', true, false],
    ];
    assert.deepEqual(people({ collaborators: { link: '/x', active, pending } }), expected);
    assert.deepEqual(people({ active, pending }), expected);
    assert.deepEqual(people({ collaborators: [...pending, ...active] }), [
      ['b', 'tester', false, false],
      ['a', 'admin', false, true],
    ]);
    assert.deepEqual(people({ collaborators: null }), []);
  });

  it('reads keys from lists by platform, including one whose locked state is a string', () => {
    const key = keyJson('ios', 3, { title: 'Release', default: true, locked: 'true' });
    const [read, ...others] = readSigningKeys(
      createResource({ keys: { ios: { link: '/api/v1/keys/ios', all: [key] }, link: '/x' } }),
      url,
    );
    assert.deepEqual(
      [read?.platform, read?.id, read?.title, read?.isDefault, read?.locked, others],
      ['ios', '3', 'Release', true, true, []],
    );
    assert.equal(readSigningKey(createResource({ title: 'x' }), url, 'android').platform, 'android');
    assert.equal(isSigningKey(createResource({ ...app })), false);
  });

  it('reads the supported platforms and plugins in the format of the local service or of the original service', () => {
    const support = (value: unknown) => readBuilderSupport(createResource(value));
    assert.deepEqual(support({ builder: 'demo', unavailable: { android: null, browser: 'No.' } }), {
      builder: 'demo',
      platforms: [
        { platform: 'android', unavailable: undefined },
        { platform: 'browser', unavailable: 'No.' },
      ],
      plugins: undefined,
    });
    const plugins = [
      { name: 'plugin-a', version: '1.0.0', variables: ['API_KEY', 'SENDER'] },
      { name: 'plugin-b', version: '1.0.0', variables: [] },
    ];
    assert.deepEqual(support({ builder: 'cordova', plugins }).plugins, [
      { name: 'plugin-a', variables: ['API_KEY', 'SENDER'] },
      { name: 'plugin-b', variables: [] },
    ]);
    assert.deepEqual(support({ builder: 'cordova', plugins: [] }).plugins, []);
    assert.deepEqual(support({ default: 'b', by_phonegap: { a: { android: '1' }, b: { ios: '1' } } }).platforms, [
      { platform: 'ios', unavailable: undefined },
    ]);
    assert.deepEqual(support([]), { builder: undefined, platforms: [], plugins: undefined });
    const mixed = support({ builder: 'cordova', built_by: { android: 'builtin' } });
    assert.deepEqual([getBuilder(mixed, 'android'), getBuilder(mixed, 'ios')], ['builtin', 'cordova']);
    assert.equal(getBuilder(support([]), 'android'), undefined);
  });

  it('never fails, whatever a service sends', () => {
    const names =
      'status error download logs title link links apps keys all collaborators active platform builds log actions unavailable'
        .split(' ')
        .concat('by_phonegap', 'completed', 'last_build', 'id', 'android');
    const texts = ['/api/v1/apps/7', 'https://x.example/', 'pending', '<b>', '', '1', 'http://[', '/api/v1/keys/%ff/1'];
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(...texts),
        fc.constantFrom(null, true, Infinity, -1, 2 ** 60),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
      ),
    }));
    const operations = ['build', 'upload', 'delete', 'add-key', 'cancel', 'pull', 'change-role'] as const;
    fc.assert(
      fc.property(value, (json) => {
        const read = createResource(json);
        const { builds } = readApp(read, url);
        assert.ok(builds.every(({ downloadUrl }) => downloadUrl === undefined || /^https?:/.test(downloadUrl)));
        isApp(read);
        readBuilds(read, url);
        readBuildStatus(read, url);
        readLogPart(read);
        readCollaborators(read);
        readSigningKeys(read, url);
        readSigningKey(read, url);
        readBuilderSupport(read);
        for (const name of operations) {
          const operation = findOperation(read, name, undefined, url);
          assert.ok(operation === undefined || new URL(operation.url).origin === 'https://build.example');
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('finding an app by name', () => {
  const apps = ['Shop com.example.shop', 'Notes com.example.notes', 'Shop org.shop'].map((text, index) => {
    const [title, packageId] = text.split(' ');
    return readApp(createResource({ title, package: packageId }), `https://build.example.com/api/v1/apps/${index + 1}`);
  });
  const getNumbers = (name: string) => findApps(name, apps).map(({ url }) => url.at(-1));

  it('accepts a title, package, or number, returns every app with the same title, and distinguishes names from addresses', () => {
    assert.deepEqual(['Notes', 'com.example.notes', '2'].map(getNumbers), [['2'], ['2'], ['2']]);
    assert.deepEqual(['notes', '', '22', 'com.example'].map(getNumbers), [[], [], [], []]);
    assert.deepEqual(getNumbers('Shop'), ['1', '3']);
    const names = ['/api/v1/apps/1', 'HTTPS://a.example/1', 'Shop', 'httpd', 'a/b'];
    assert.deepEqual(names.filter(isAppAddress), names.slice(0, 2));
  });
});
