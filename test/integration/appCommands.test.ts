import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../src/errors/index.ts';
import type { SignedInConnection } from '../../src/extension/auth/connection.ts';
import { BackError, Input } from '../../src/extension/workbench/input.ts';
import { WEB_PROJECT } from '../support/appPackages.ts';
import { startInProcess, type InProcessService } from '../support/inProcessService.ts';
import { oddAnswers } from '../support/originalService.ts';
import { getTestApps, getTestExtension } from './support/extension.ts';
import { useOriginalService } from './support/useOriginalService.ts';
import { AS_PROPOSED, useRecordingUser } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';
import { deleteFiles, openFolder, writeFiles } from './support/webProject.ts';

describe('commands about apps', () => {
  const access = getTestExtension();
  const apps = getTestApps();
  const person = useRecordingUser();
  let connection: SignedInConnection;
  let files: string;

  before(async () => {
    files = await mkdtemp(path.join(tmpdir(), 'app-build-commands-'));
    await writeFile(path.join(files, 'index.html'), '<!doctype html><title>Tide</title>');
    await writeFile(
      path.join(files, 'icon.png'),
      Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex'),
    );
  });

  after(() => rm(files, { recursive: true }));

  /** Runs a command and answers its lists, input boxes, and file dialogs in turn. The command must use all answers. */
  const run = async (
    command: string,
    argument: unknown,
    { lists = [], typed = [], chosenFiles = [] }: { lists?: string[][]; typed?: string[]; chosenFiles?: string[] } = {},
  ): Promise<void> => {
    const given = chosenFiles.map((name) => vscode.Uri.file(path.join(files, name)));
    person.answers = { ...person.answers, typed, lists, files: given };
    await vscode.commands.executeCommand(`appBuild.${command}`, argument);
    assert.deepEqual([lists, typed, given], [[], [], []], said());
  };
  const said = () => [...person.notifications, ...person.questions].join('\n');

  describe('at the simulated original service', () => {
    const service = useOriginalService();
    let id: number;
    let url: string;

    beforeEach(async () => {
      id = service.addApp({ title: 'Tide', description: 'Tides', private: true, debug: false });
      url = service.appUrl(id);
      connection = await signInAtService(access, service);
    });

    const writes = () => service.requests.filter((line) => !line.startsWith('GET '));

    it('creates an app from a package without unnecessary questions', async () => {
      await run('createApp', undefined, {
        lists: [['A Zip File…'], ['Public']],
        chosenFiles: ['index.html'],
        typed: ['Moon'],
      });
      const created = [...service.apps.keys()].find((each) => each !== id) ?? 0;
      const { title, private: isPrivate } = service.app(created).fields;
      assert.deepEqual([title, String(isPrivate)], ['Moon', 'false']);
      assert.deepEqual(writes(), ['POST /api/v1/apps'], 'the upload builds: nothing is asked twice');
      assert.equal(service.uploads[0]?.fileName, 'index.html');
      assert.ok(apps.watcher.get(service.appUrl(created)));
    });

    it('suggests the folder’s Git remote, and shows the service’s own refusal', async () => {
      const refusal = 'Private repository URLs not supported - try removing &quot;ann@&quot;';
      service.answer('POST', /\/apps$/, { status: 400, body: JSON.stringify({ error: refusal }) }, 1);
      service.answer('POST', /\/apps$/, oddAnswers.refusedWithSuccess, 1);
      const fork = { name: 'fork', fetchUrl: 'https://code.example.com/eve/tide.git' };
      const origin = { name: 'origin', fetchUrl: 'git@code.example.com:ann/tide.git' };
      const repository = { state: { HEAD: { name: 'main' }, remotes: [fork, origin] } };
      const restore = standInForGit(() => repository);
      try {
        const answers = () => ({
          lists: [['A Git Repository…'], ['Private']],
          typed: [AS_PROPOSED, 'v1', AS_PROPOSED],
        });
        await run('createApp', undefined, answers());
        assert.match(said(), /Private repository URLs not supported - try removing "ann@"/);
        await run('createApp', undefined, answers());
        assert.match(said(), /Private app limit reached/);
        await run('createApp', undefined, answers());
      } finally {
        restore();
      }
      const [, created] = [...service.apps.values()];
      assert.deepEqual([created?.fields.repo, created?.fields.tag], ['https://code.example.com/ann/tide.git', 'v1']);
    });

    it('creates an app from the open folder the way a build does, and keeps the folder’s link unless the user agrees', async () => {
      const folder = openFolder().uri;
      const link = { url, title: 'Tide', project: '' };
      await writeFiles(WEB_PROJECT);
      try {
        await apps.folders.set(folder, connection, link);
        person.answers.press = () => undefined;
        await run('createApp', undefined, { lists: [['This Folder']] });
        assert.match(said(), /is already linked to “Tide”\./);
        person.answers.press = (_, [first]) => first;
        await run('createApp', undefined, { lists: [['This Folder'], []] });
        assert.deepEqual(apps.folders.get(folder, connection), link, 'who decides otherwise keeps the link');
        await run('createApp', undefined, { lists: [['This Folder'], ['Create an App']] });
        const created = [...service.apps.keys()].at(-1) ?? 0;
        assert.equal(apps.folders.get(folder, connection)?.url, service.appUrl(created));
      } finally {
        await apps.folders.set(folder, connection, undefined);
        await deleteFiles(...Object.keys(WEB_PROJECT), 'www');
      }
    });

    it('changes details in any order, and sends only the changes', async () => {
      await run('updateApp', url, {
        lists: [['Details…'], ['Debug'], ['Title'], ['Description'], ['Private'], ['Private'], ['Save']],
        typed: ['Tides', AS_PROPOSED],
      });
      const { title, description, debug, private: isPrivate } = service.app(id).fields;
      assert.deepEqual([title, description, String(debug), String(isPrivate)], ['Tides', 'Tides', 'true', 'true']);
      assert.deepEqual(writes(), [`PUT /api/v1/apps/${id}`]);
      assert.match(said(), /Was: no/);
      await run('updateApp', { url }, { lists: [['Upload a Zip File…']], chosenFiles: ['index.html'] });
      assert.deepEqual(writes(), [`PUT /api/v1/apps/${id}`, `PUT /api/v1/apps/${id}`]);
      assert.ok(apps.watcher.get(url));
    });

    it('pulls from a repository if the app has one', async () => {
      await run('pullApp', url);
      assert.match(said(), /“Tide” isn’t built from a repository\./);
      assert.deepEqual(writes(), []);
      service.app(id).fields.repo = 'https://code.example.com/ann/tide.git';
      await run('pullApp', url);
      assert.deepEqual(writes(), [`PUT /api/v1/apps/${id}`]);
    });

    it('deletes an app and the folders’ links to it only if the user agrees', async () => {
      const folder = openFolder().uri;
      await apps.folders.set(folder, connection, { url, title: 'Tide', project: '' });
      person.answers.press = () => undefined;
      await run('deleteApp', url);
      assert.match(said(), /Delete “Tide”\?/);
      assert.ok(said().includes(folder.fsPath));
      assert.ok(service.apps.has(id));
      person.answers.press = (_, [first]) => first;
      await run('deleteApp', url);
      assert.ok(!service.apps.has(id));
      assert.equal(apps.folders.get(folder, connection), undefined);
      service.role = 'developer';
      await run('deleteApp', service.appUrl(service.addApp({ title: 'Other' })));
      assert.match(said(), /The service doesn’t offer this for Other\./);
    });

    it('shows progress while a slow service responds, and can be canceled before the first question', async () => {
      service.addKey('ios', { title: 'Ann' });
      const key = `${service.url}/api/v1/keys/ios/${[...service.keys.keys()].at(-1)}`;
      service.answer('GET', /\/(apps|keys)\b/, { dripMs: 60_000 });
      for (const [command, argument] of [
        ['buildApp', url],
        ['deleteApp', undefined],
        ['showBuildLog', { app: 'Tide' }],
        ['unlockKey', key],
        ['deleteKey', undefined],
        ['addKey', undefined],
      ] as const) {
        person.progress.length = 0;
        const ended = run(command, argument);
        await person.untilProgress(`Connecting to ${new URL(service.url).host}`);
        person.cancelProgress();
        await ended;
      }
      assert.equal(said(), '');
      assert.deepEqual(writes(), []);
    });

    it('sends only PNG files as icons', async () => {
      await run('setAppIcon', url, { chosenFiles: ['index.html'] });
      assert.match(said(), /index\.html isn’t a PNG file\./);
      assert.deepEqual(writes(), []);
      await run('setAppIcon', url, { chosenFiles: ['icon.png'] });
      assert.equal(service.uploads[0]?.field, 'icon');
    });

    it('builds the chosen platforms with the chosen key, and builds again without a question', async () => {
      service.addKey('android', { title: 'Store', default: true, locked: false });
      const testing = service.addKey('android', { title: 'Testing', default: false, locked: false });
      const unavailable = { android: null, ios: 'No Xcode is here', winphone: null };
      service.answer('GET', /current_support$/, { status: 200, body: JSON.stringify({ unavailable }) });
      await run('buildApp', url, { lists: [['Android', 'iOS'], ['Testing']] });
      assert.match(said(), /Can’t be built here: No Xcode is here/);
      assert.match(JSON.stringify(service.app(id).keys), new RegExp(`"android":.*${testing}`));
      assert.deepEqual(
        writes(),
        [`PUT /api/v1/apps/${id}`, `POST /api/v1/apps/${id}/build`],
        'what the change of the key builds is not built twice, only the platform that it left out',
      );
      service.finishAll();
      await run('buildAgain', { appUrl: url });
      assert.deepEqual(writes().slice(2), [`POST /api/v1/apps/${id}/build`]);
      assert.deepEqual(
        apps.watcher.get(url)?.builds.map(({ platform }) => platform),
        ['android', 'ios'],
      );
    });

    it('reports that a build can’t be canceled, and offers to stop watching', async () => {
      await run('cancelBuild', url);
      assert.match(said(), /“Tide” isn’t building\./);
      await run('buildApp', { app: 'Tide', platform: 'android' });
      const ended = apps.watcher.waitForEnd(url);
      person.answers.press = (_, buttons) => buttons.find((each) => each === 'Stop Watching');
      await run('cancelBuild', { appUrl: url, platform: 'android' });
      assert.match(said(), /The service can’t cancel the build of “Tide”/);
      assert.equal((await ended).kind, 'stopped');
      assert.equal(service.app(id).status.android, 'pending');
    });

    it('cancels a running build if the service offers it', async () => {
      await run('buildApp', { app: 'Tide', platform: 'android' });
      const href = `/api/v1/apps/${id}/build/android`;
      service.change(id, { actions: [{ name: 'cancel-android', method: 'DELETE', href }] });
      service.answer('DELETE', /build\/android$/, { status: 202, body: '{"success":"cancelled"}' });
      await run('cancelBuild', { url });
      assert.deepEqual(writes().slice(1), [`DELETE ${href}`]);
    });
  });

  describe('at the local service', () => {
    let service: InProcessService;
    const appUrl = (id: number) => `${service.baseUrl}/api/v1/apps/${id}`;
    const read = async (link: string) =>
      (await (await fetch(`${link}?auth_token=${service.authToken}`)).json()) as Record<string, unknown>;

    before(async () => {
      service = await startInProcess();
    });

    beforeEach(() => signInAtService(access, service));

    after(() => service.stop());

    it('creates an app, changes it with the service’s form, and deletes it', async () => {
      await run('createApp', undefined, {
        lists: [['A Zip File…'], ['Private']],
        chosenFiles: ['index.html'],
        typed: ['Moon'],
      });
      const { appUrl: created, builds } = apps.watcher.all.find(({ title }) => title === 'Moon') ?? assert.fail(said());
      assert.ok(builds.some(({ platform }) => platform === 'android'));
      await run(
        'updateApp',
        { url: created },
        {
          lists: [['Details…'], ['Hydrates'], ['Version of PhoneGap'], ['cli-9.0.0'], ['Title'], ['Save']],
          typed: ['New Moon'],
        },
      );
      const { title, hydrates } = await read(created);
      assert.deepEqual([title, hydrates], ['New Moon', true]);
      await run('deleteApp', created);
      assert.match(String((await read(created)).error), /not available/);
    });

    it('unlocks the key in place, builds with it once, and builds again with the same key', async () => {
      const url = appUrl(1001);
      const { build_count: before } = await read(url);
      await run('buildApp', url, {
        lists: [['Android'], ['Internal testing'], ['Use It Once']],
        typed: ['a-key-password', 'a-store-password'],
      });
      assert.match(said(), /Locked: enter its password next/);
      const { keys, build_count: after } = await read(url);
      assert.equal((keys as { android: { id: number } }).android.id, 3);
      assert.equal((after as number) - (before as number), 1, 'the change of the key builds');
      assert.equal((await apps.watcher.waitForEnd(url)).kind, 'ended');
      await run('buildAgain', url);
      await run('buildApp', url, { lists: [['Android'], ['Default Key']] });
      assert.equal(((await read(url)).keys as { android: unknown }).android, null);
      assert.ok(!said().includes('a-key-password'));
    });
  });
});

describe('a list in a series of questions, in VS Code', () => {
  const input = new Input();
  const items = [{ label: 'one' }, { label: 'two' }, { label: 'three' }];
  const question = { title: 'Series', placeholder: 'Which?', step: 2, totalSteps: 3 };
  /** Presses a key until the question is answered, because a list ignores keys until it's rendered. */
  const answered = async <T>(asked: Promise<T>, command: string): Promise<T> => {
    const pending = Symbol('pending');
    const failed = asked.catch(() => undefined);
    while ((await Promise.race([failed, Promise.resolve(pending)])) === pending) {
      await vscode.commands.executeCommand(command);
    }
    return asked;
  };
  const accept = 'workbench.action.acceptSelectedQuickOpenItem';

  it('starts at the last chosen entry, has a Back button, and closes without a message', async () => {
    assert.equal(await answered(input.pick(items, { ...question, active: items[1] }), accept), items[1]);
    await assert.rejects(answered(input.pick(items, question), 'workbench.action.quickInputBack'), BackError);
    const closed = answered(input.pick(items, question), 'workbench.action.closeQuickOpen');
    await assert.rejects(closed, (error) => error instanceof CancelledError && !(error instanceof BackError));
  });

  it('returns several entries in the order of the list, once the selection is valid', async () => {
    const selected = [items[2], items[0]].filter((item) => item !== undefined);
    const several = await answered(input.pickSeveral(items, { ...question, selected }), accept);
    assert.deepEqual(several, [items[0], items[2]]);
    let refusals = 0;
    const validate = () => (refusals++ < 2 ? 'Choose another.' : undefined);
    assert.deepEqual(await answered(input.pickSeveral(items, { ...question, selected: [], validate }), accept), []);
    assert.equal(refusals, 3);
  });
});

/** Replaces the Git extension with one that has a repository. @returns a function that restores VS Code's */
function standInForGit(getRepository: (uri: vscode.Uri) => object): () => void {
  const before = Object.getOwnPropertyDescriptor(vscode.extensions, 'getExtension');
  const value = () => ({ isActive: true, exports: { getAPI: () => ({ getRepository }) } });
  Object.defineProperty(vscode.extensions, 'getExtension', { configurable: true, value });
  return () => Object.defineProperty(vscode.extensions, 'getExtension', before ?? {});
}
