import { join } from 'node:path';

import type { Builder } from '../../src/build-service/builds/builder.ts';
import { inheritedEnvironment, runProgram } from '../../src/build-service/builds/runProgram.ts';
import { createBuilder } from './builds.ts';

/** Creates a builder whose builds are processes: it runs a Node script with the title, the folder of the app, and the output file. */
export function createProgramBuilder(script: readonly string[]): Builder {
  return createBuilder(async ({ app, source, workFolder }, log, signal) => {
    const path = join(workFolder, 'app.bin');
    const args = [...script, app.title, source.folder, path];
    await runProgram({
      command: process.execPath,
      args,
      cwd: workFolder,
      env: inheritedEnvironment(['PATH']),
      log,
      signal,
    });
    return { path, fileName: 'app.bin' };
  });
}
