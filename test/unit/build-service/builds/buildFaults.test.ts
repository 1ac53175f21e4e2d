import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { FAULTS, FULL_DISK, type FaultyBuild } from '../../../support/faultyBuilds.ts';
import { repositoryRoot } from '../../../support/repository.ts';

const run = promisify(execFile);
const program = path.join(repositoryRoot, 'test', 'support', 'faultyBuilds.ts');

describe('local service: a faulty build', () => {
  for (const fault of FAULTS) {
    it(`doesn’t affect the next build: ${fault}`, async () => {
      const { stdout } = await run(process.execPath, [program, fault]);
      const { error, next, reports } = JSON.parse(stdout) as FaultyBuild;
      const inside =
        fault === FULL_DISK
          ? 'The service doesn’t have enough disk space for the build.'
          : 'The build failed inside the service.';
      assert.equal(error, fault.endsWith('after its end') ? undefined : inside);
      assert.equal(next, 'complete');
      assert.equal(reports.length, 1);
      assert.match(reports[0] ?? '', /^The build of app #\d+ for android: .*\bError: /s);
    });
  }

  it('doesn’t stop the service if a promise outside of builds is rejected', async () => {
    const { href } = pathToFileURL(path.join(repositoryRoot, 'src', 'build-service', 'builds', 'buildFaults.ts'));
    const code = `
      import { handleLateFaults } from '${href}';
      handleLateFaults(console.log);
      Promise.reject(new Error('rejected'));
      setImmediate(() => console.log('still running'));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code]);
    assert.match(stdout, /^The service continues after an error: Error: rejected\n.*\nstill running\n$/s);
  });
});
