import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { AppCalls } from '../../../../src/extension/apps/calls/appCalls.ts';
import { DiskTree, ProjectFolder } from '../../../../src/web-project/projectFolder.ts';
import {
  type BuilderSupport,
  checkProjectConfig,
  getFindingCodes,
  packageFindings,
  packingFailure,
  planFor,
  type ProjectFinding,
  scanPages,
  supportFindings,
  writePackage,
} from '../../../../src/web-project/index.ts';
import type { CordovaEngine } from '../../../../src/build-service/builds/cordova/engine.ts';
import { createProject } from '../../../../src/build-service/builds/cordova/platformBuild.ts';
import { testJob } from '../../../support/buildJob.ts';
import { FAILING_FOLDERS, type FailingFolder } from '../../../support/failingFolders.ts';
import { startInProcess, type InProcessService } from '../../../support/inProcessService.ts';
import { formatSentence } from '../../../../src/errors/index.ts';
import { createFolder, plan } from '../../../support/packing.ts';
import { cleanUp } from '../../../support/servers.ts';
import { appCallsAt } from '../../../support/testData.ts';
import { waitUntil } from '../../../support/waitUntil.ts';
import { createBuiltinBuilder } from '../../../../src/build-service/builds/builtinBuilder.ts';

const PLUGINS = [{ name: 'plugin-a', version: '1.0.0', variables: [] }];

/** Capabilities of the Cordova builder in these tests. */
const SUPPORT: BuilderSupport = {
  builder: 'cordova',
  platforms: [{ platform: 'android', unavailable: undefined }],
  plugins: [{ name: 'plugin-a', variables: ['API_KEY'] }],
};

describe('the check before an upload, compared with the builders’ failures', () => {
  let service: InProcessService;
  let calls: AppCalls;
  let temporary: string;

  before(async () => {
    temporary = await mkdtemp(path.join(tmpdir(), 'failing-'));
    service = await startInProcess({ builder: createBuiltinBuilder(undefined) });
    calls = appCallsAt(service.baseUrl, service.authToken);
  });

  after(async () => {
    await cleanUp();
    await service.stop();
    await rm(temporary, { recursive: true });
  });

  /** Returns all findings about the folder for Android, except positive ones. */
  async function check(folder: string, support: BuilderSupport): Promise<readonly ProjectFinding[]> {
    const sent = await plan(folder).catch((error: unknown) => packingFailure(error));
    if (!('files' in sent)) {
      return [sent];
    }
    const project = new ProjectFolder(new DiskTree(folder), '');
    const { findings, facts } = await checkProjectConfig({
      folder: project,
      plan: sent,
      unsavedText: () => undefined,
    });
    const all = [
      ...findings,
      ...packageFindings(planFor(sent, support.builder), () => false, true),
      ...supportFindings(['android'], support, (await scanPages(project, sent, facts)).plugins),
    ];
    return all.filter(({ verdict }) => verdict !== 'fine');
  }

  /**
   * Uploads the folder as the extension does.
   * @returns the failure of its Android build or of the planning
   */
  async function builtinFailure(folder: string): Promise<string | undefined> {
    const planned = await plan(folder).catch((error: unknown) => formatSentence(packingFailure(error).message));
    if (typeof planned === 'string') {
      return planned;
    }
    const packed = await writePackage(planned);
    try {
      const app = await calls.createFromFile(packed.file, { title: 'Checked' });
      const ended = await waitUntil(async () => {
        const status = await calls.status(app);
        return status.completed && status;
      });
      await calls.delete(app);
      return ended.builds.find(({ platform }) => platform === 'android')?.error;
    } finally {
      await packed.dispose();
    }
  }

  /** Returns the Cordova builder's error about the files before it runs Cordova. */
  async function cordovaFailure({ files }: FailingFolder): Promise<string | undefined> {
    const sent = Object.fromEntries(Object.entries(files).filter(([name]) => !ignored(files).includes(name)));
    const engine: CordovaEngine = {
      folder: path.join(temporary, 'engine'),
      version: '13.0.0',
      platforms: { android: '15.1.0' },
      plugins: PLUGINS,
    };
    await mkdir(path.join(engine.folder, 'node_modules'), { recursive: true });
    try {
      const job = await testJob(temporary, {}, sent);
      await createProject(job, engine, () => undefined, new AbortController().signal);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  for (const row of FAILING_FOLDERS) {
    it(`predicts the result: ${row.what}`, async () => {
      const { folder, remove } = await createFolder(row.files);
      try {
        const found = await check(folder, SUPPORT);
        const codes = found.map(({ code, verdict }) => [code, verdict]);
        const { finds } = row;
        if (finds === undefined) {
          assert.deepEqual(codes, []);
        } else {
          assert.ok(
            codes.some(([code, verdict]) => code === finds[0] && verdict === finds[1]),
            JSON.stringify(found),
          );
        }
        const fails = found.filter(({ verdict }) => verdict === 'fails');
        assert.ok(fails.length === 0 || row.finds?.[1] === 'fails', JSON.stringify(fails));
        const foundForBuiltin = await check(folder, (await calls.support()) ?? SUPPORT);
        for (const [message, expected, findings] of [
          [await builtinFailure(folder), row.builtin, foundForBuiltin],
          [await cordovaFailure(row), row.cordova, found],
        ] as const) {
          assert.ok(expected === undefined ? message === undefined : expected.test(message ?? ''), message);
          if (message !== undefined) {
            const about = getFindingCodes(message);
            assert.ok(
              findings.some(({ code, verdict }) => about.includes(code) && verdict === 'fails'),
              `${message}: ${about.join()}`,
            );
          }
        }
      } finally {
        await remove();
      }
    });
  }
});

/** Returns the names that the folder's `.appbuildignore` leaves out. */
function ignored(files: FailingFolder['files']): readonly string[] {
  const rules = String(files['.appbuildignore'] ?? '')
    .split('\n')
    .filter(Boolean);
  return Object.keys(files).filter((name) => rules.some((rule) => name.endsWith(`/${rule}`)));
}
