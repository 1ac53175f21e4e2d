import assert from 'node:assert/strict';
import type { AppCalls } from '../../../../src/extension/apps/calls/appCalls.ts';
import type { App } from '../../../../src/extension/apps/model/app.ts';
import type { Builder } from '../../../../src/build-service/builds/builder.ts';
import { askService, serviceFindings, type ServiceQuestion } from '../../../../src/extension/preflight/serviceCheck.ts';
import { type FindingCode, stoppingFindings } from '../../../../src/web-project/index.ts';
import { sentence } from '../../../../src/errors/index.ts';
import { createBuilder } from '../../../support/builds.ts';
import { startInProcess } from '../../../support/inProcessService.ts';
import { oddAnswers, OriginalService } from '../../../support/originalService.ts';
import { addCleanup, cleanUp } from '../../../support/servers.ts';
import { appCallsAt } from '../../../support/testData.ts';
import type { Finding } from '../../../../src/extension/preflight/finding.ts';

/** Facts about an app from its config.xml. */
const facts = (id: string) => ({
  ...{ id, idLocation: undefined, iosId: undefined, startPage: 'index.html', plugins: [] },
  ...{ allowsCleartext: false, allowedPermissions: undefined },
});

describe('the service’s check before an upload', () => {
  let original: OriginalService;
  let calls: AppCalls;

  beforeEach(async () => {
    original = await OriginalService.start();
    calls = appCallsAt(original.url, original.token);
  });

  afterEach(async () => {
    await cleanUp();
    await original.close();
  });

  const appWith = (fields: Readonly<Record<string, unknown>> = {}): Promise<App> =>
    calls.get(original.appUrl(original.addApp({ title: 'Shop', package: 'com.example.shop', ...fields })));
  /** Returns code, verdict, and platform of each finding. */
  const found = async (question: Partial<ServiceQuestion>, id = 'com.example.shop') => {
    const answer = await askService({ calls, app: undefined, requested: undefined, ...question });
    return serviceFindings(answer, facts(id), (key) => key).map(({ code, verdict, platform = '' }) =>
      `${code} ${verdict} ${platform}`.trim(),
    );
  };

  it('reports the app’s keys: missing, locked, selected, default, expiring, expired, and valid', async () => {
    const app = await appWith();
    assert.deepEqual(await found({ app }), ['keyMissing fine android', 'keyMissing fails ios']);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    original.addKey('android', { title: 'Old', default: true, locked: false, expires_at: inDays(-1) });
    original.addKey('ios', { title: 'Soon', default: true, locked: false, expires_at: inDays(3) });
    assert.deepEqual(await found({ app }), ['keyExpired fails android', 'keyExpiresSoon mayFail ios']);
    const id = original.addKey('android', { title: 'Chosen', locked: true, expires_at: inDays(30) });
    original.change(Number(app.url.split('/').at(-1)), {
      keys: { android: { id, title: 'Chosen', link: `/api/v1/keys/android/${id}` }, ios: null },
    });
    const again = await calls.get(app.url);
    assert.deepEqual(await found({ app: again, requested: ['android'] }), ['keyLocked fails android']);
    original.keys.clear();
    original.addKey('android', { title: 'Right', default: true, locked: false, expires_at: inDays(30) });
    assert.deepEqual(await found({ app, requested: ['android'] }), ['key fine android']);
  });

  it('reports a profile for another app, and an ID that the upload changes', async () => {
    const app = await appWith();
    original.addKey('ios', { title: 'Wild', default: true, locked: false, app_id: 'com.example.*' });
    assert.deepEqual(await found({ app, requested: ['ios'] }), ['key fine ios']);
    assert.deepEqual(await found({ app, requested: ['ios'] }, 'org.example.shop'), [
      'keyOfOtherApp mayFail ios',
      'idChanges mayFail',
    ]);
  });

  it('requests each resource once, and the keys only for a platform that needs a key', async () => {
    const app = await appWith();
    original.requests.length = 0;
    await found({ app });
    assert.deepEqual(original.requests.toSorted(), ['GET /api/v1', 'GET /api/v1/current_support', 'GET /api/v1/keys']);
    original.requests.length = 0;
    await found({ app, requested: ['browser'] });
    assert.ok(!original.requests.some((request) => request.includes('/keys')));
  });

  it('reports one finding if the service doesn’t respond, and ignores the keys of another user’s app', async () => {
    const app = await appWith();
    original.answer('GET', /keys|current_support/, oddAnswers.unavailable);
    assert.deepEqual(await found({ app }), ['service mayFail']);
    original.answerNormally();
    original.role = 'dev';
    assert.deepEqual(await found({ app: await appWith() }), []);
  });

  it('reports the platforms and plugins that the local service supports', async () => {
    const ios = 'iOS apps can only be built on macOS.';
    const plugins = [{ name: 'plugin-a', version: '1.0.0', variables: ['API_KEY'] }];
    const builder = createBuilder(() => Promise.reject(new Error('not built')), {
      ios,
      winphone: 'No.',
      browser: 'No.',
    });
    const local = await startInProcess({ builder: { ...builder, plugins } });
    addCleanup(() => local.stop());
    const at = appCallsAt(local.baseUrl, local.authToken);
    const created = await askService({ calls: at, app: undefined, requested: undefined });
    assert.deepEqual(created.platforms, ['android']);
    assert.deepEqual(created.support?.plugins, [{ name: 'plugin-a', variables: ['API_KEY'] }]);
    const [app] = await at.list();
    const answer = await askService({ calls: at, app, requested: undefined });
    const location = { path: 'config.xml' };
    const named = [
      { name: 'plugin-a', variables: {}, platform: undefined, location },
      { name: 'plugin-b', variables: {}, platform: 'ios', location },
      { name: 'plugin-c', variables: {}, platform: 'android', location },
    ];
    const findings = serviceFindings(answer, facts(app?.packageId ?? ''), (key) => key, {
      named,
      uses: new Map(),
      areSent: true,
      installed: new Set(),
    });
    const args = (code: string) => findings.filter((each) => each.code === code).map(({ message }) => message.args);
    // The other platforms weren't requested, so they aren't built.
    assert.deepEqual(args('platformUnavailable'), [[['Android']]]);
    assert.deepEqual(args('pluginVariable'), [['plugin-a', 'API_KEY']]);
    assert.deepEqual(args('pluginNotSupported'), [['plugin-c']]);
    const asked = await askService({ calls: at, app, requested: ['ios'] });
    assert.ok(
      serviceFindings(asked, undefined, (key) => key).some(
        ({ verdict, platform }) => verdict === 'fails' && platform === 'ios',
      ),
    );
  });
});

describe('the plugins of a service that builds with Cordova', () => {
  const sdk = 'The Android SDK is missing.';
  const location = { path: 'config.xml' };
  const named = ['file', 'contacts', 'unused'].map((name) => ({
    ...{ name: `cordova-plugin-${name}`, variables: {}, platform: undefined, location },
  }));
  const use = { path: 'app.js', line: 1, call: 'x', isTested: false };
  const uses = new Map(named.slice(0, 2).map(({ name }) => [name, use]));
  const plugins = [{ name: 'cordova-plugin-file', version: '1.0.0', variables: [] }];

  afterEach(() => cleanUp());

  const found = async (more: Partial<Builder>) => {
    const none = { ios: 'No.', winphone: 'No.', browser: 'No.' };
    const builder = createBuilder(() => Promise.reject(new Error('not built')), none);
    const local = await startInProcess({ builder: { ...builder, name: 'cordova', plugins, ...more } });
    addCleanup(() => local.stop());
    const answer = await askService({
      ...{ calls: appCallsAt(local.baseUrl, local.authToken), app: undefined, requested: undefined },
    });
    return serviceFindings(answer, facts('com.example.shop'), (key) => key, {
      named,
      uses,
      installed: new Set<string>(),
      areSent: true,
    })
      .filter(({ code, verdict }) => code === 'pluginNotSupported' && verdict === 'fails')
      .map(({ message, next, remedies }) => [message.args[0], next?.args[0], remedies?.[0]]);
  };

  it('offers missing plugins for installation, and notes those that need an SDK while another builder builds the platform', async () => {
    assert.deepEqual(await found({}), [
      ['cordova-plugin-contacts', undefined, 'installEngine'],
      ['cordova-plugin-unused', undefined, 'installEngine'],
    ]);
    const unavailable = plugins.map((plugin) => ({ ...plugin, unavailable: { android: sdk } }));
    assert.deepEqual(await found({ builtBy: { android: 'builtin' }, plugins: unavailable }), [
      ['cordova-plugin-file', sdk, 'removePlugin'],
      ['cordova-plugin-contacts', undefined, 'installEngine'],
    ]);
  });
});

describe('the list of findings that stop a build', () => {
  it('includes every failure, but ignores an unprepared platform if no platforms were requested and another one works', () => {
    for (const [failing, expected, asked] of [
      ['', ''],
      ['nameMissing', 'nameMissing'],
      ['keyMissing:ios', ''],
      ['keyMissing:ios', 'keyMissing', ['ios']],
      ['keyLocked:android', 'keyLocked'],
      ['keyMissing:ios keyLocked:android', 'keyMissing keyLocked'],
    ] as const) {
      const findings = failing.split(' ').flatMap((each): readonly Finding[] => {
        const [code = '', platform] = each.split(':');
        return code === '' ? [] : [{ code: code as FindingCode, verdict: 'fails', message: sentence(code), platform }];
      });
      const stopping = stoppingFindings({ findings, platforms: ['android', 'ios'] }, asked);
      assert.equal(stopping.map(({ code }) => code).join(' '), expected, failing);
    }
  });
});
