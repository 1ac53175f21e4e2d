import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { CancelledError } from '../../../src/api/errors/cancelledError.ts';
import { installEngine } from '../../../src/localServiceHost/serviceProgram.ts';
import { folderOfEachTest } from '../../support/hooks.ts';
import { type NpmBehaviour, writeNpmStub } from '../../support/npmStub.ts';
import { repositoryRoot } from '../../support/repository.ts';

const program = path.join(repositoryRoot, 'src', 'localService', 'main.ts');

describe('local service host: the build engine', () => {
  let folder: string;
  let data: string;
  const npm = process.env.npm_execpath ?? '';

  folderOfEachTest((made) => {
    folder = made;
    data = path.join(folder, 'data');
  });

  afterEach(() => {
    process.env.npm_execpath = npm;
  });

  /** Installs with a stub of npm. */
  async function install(behaviour: NpmBehaviour): Promise<readonly string[]> {
    process.env.npm_execpath = await writeNpmStub(folder, behaviour);
    const lines: string[] = [];
    const report = (line: string) => void lines.push(line);
    await installEngine(program, data, { signal: new AbortController().signal, report });
    return lines;
  }

  it('is installed by the program of the service, which reports each step', async () => {
    const lines = await install('installs');
    assert.match(lines[0] ?? '', /^Installing Cordova 13\.0\.0 into .*engine \(about 50 MB\) …$/);
    assert.equal(lines[1], 'npm warn stub');
    assert.match(lines.at(-1) ?? '', /^Builds use Cordova from now on/);
    assert.deepEqual(await readdir(data), ['engine']);
    assert.match((await install('fails')).join('\n'), /^Cordova 13\.0\.0 is already installed/);
  });

  it('needs the program, and a user who still wants it', async () => {
    const controller = new AbortController();
    const options = { signal: controller.signal, report: () => undefined };
    await assert.rejects(installEngine(path.join(folder, 'nothing.ts'), data, options), { kind: 'engineInstallation' });
    controller.abort();
    await assert.rejects(installEngine(program, data, options), CancelledError);
  });
});
