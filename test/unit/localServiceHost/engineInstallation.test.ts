import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CancelledError } from '../../../src/api/errors/cancelledError.ts';
import { EngineInstallationError, installEngine } from '../../../src/localServiceHost/engineInstallation.ts';
import { startLocalService } from '../../support/localService.ts';
import { type NpmBehaviour, writeNpmStub } from '../../support/npmStub.ts';
import { repositoryRoot } from '../../support/repository.ts';
import { call, member } from '../../support/serviceRequests.ts';

const program = path.join(repositoryRoot, 'src', 'localService', 'main.ts');

describe('local service host: the build engine', () => {
  let folder: string;
  let data: string;
  const npm = process.env.npm_execpath;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'app-build-engine-'));
    data = path.join(folder, 'data');
  });

  afterEach(async () => {
    setNpm(npm);
    await rm(folder, { recursive: true, force: true });
  });

  function setNpm(file: string | undefined): void {
    if (file === undefined) {
      delete process.env.npm_execpath;
    } else {
      process.env.npm_execpath = file;
    }
  }

  /** Installs with a stub of npm. @param onLine called with each line and what ends the installation. */
  async function install(
    behaviour: NpmBehaviour,
    onLine: (line: string, abort: () => void) => void = () => undefined,
  ): Promise<readonly string[]> {
    setNpm(await writeNpmStub(folder, behaviour));
    const controller = new AbortController();
    const lines: string[] = [];
    const report = (line: string) => {
      lines.push(line);
      onLine(line, () => controller.abort());
    };
    await installEngine(program, data, { signal: controller.signal, report });
    return lines;
  }

  it('is installed by the program of the service, which says each step', async () => {
    const lines = await install('installs');
    assert.match(lines[0] ?? '', /^Installing Cordova 13\.0\.0 into .*engine \(about 50 MB\) …$/);
    assert.equal(lines[1], 'npm warn stub');
    assert.match(lines.at(-1) ?? '', /^Builds use Cordova from now on/);
    assert.deepEqual(await readdir(data), ['engine']);
    assert.match((await install('fails')).join('\n'), /^Cordova 13\.0\.0 is already installed/);
  });

  it('is used at once by the process that serves, whichever window has installed it', async () => {
    const service = await startLocalService({ dataFolder: data });
    try {
      const support = async (): Promise<unknown> =>
        member(
          (await call(service.baseUrl, `/api/v1/current_support?auth_token=${service.authToken}`)).json,
          'builder',
        );
      assert.deepEqual([service.builder, await support()], ['builtin', 'builtin']);
      await install('installs');
      assert.equal(await support(), 'cordova');
    } finally {
      await service.stop();
    }
  });

  it('is not there at all after a failure, which says what to do', async () => {
    await assert.rejects(install('fails'), (error) => {
      assert.ok(error instanceof EngineInstallationError);
      assert.match(
        error.message,
        /^The build engine was not installed\. npm ended with status 1, .* Check the network and the registry/,
      );
      return true;
    });
    assert.deepEqual(await readdir(data), []);
  });

  it('is not there at all when the installation is cancelled', async () => {
    const cancelled = install('hangs', (line, abort) => {
      if (line === 'npm is waiting') {
        abort();
      }
    });
    await assert.rejects(cancelled, CancelledError);
    assert.deepEqual(await readdir(data), []);
  });

  it('needs the program, and somebody who still wants it', async () => {
    const controller = new AbortController();
    const options = { signal: controller.signal, report: () => undefined };
    await assert.rejects(installEngine(path.join(folder, 'nothing.ts'), data, options), EngineInstallationError);
    controller.abort();
    await assert.rejects(installEngine(program, data, options), CancelledError);
  });
});
