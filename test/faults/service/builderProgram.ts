/** A program for `--builder-command` that fails in the way that the title of the app names, or takes the package that is in it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { APP_BUILD_TITLE: fault = '', APP_BUILD_SOURCE: source = '', APP_BUILD_OUTPUT: output = '' } = process.env;
const artifact = join(output, 'app.bin');

switch (fault) {
  case 'killed':
    process.kill(process.pid, 'SIGKILL');
    break;
  case 'never ends':
    // Neither does what it starts, and both hear no request to end.
    process.on('SIGTERM', () => undefined);
    if (process.argv[2] !== 'child') {
      spawn(process.execPath, [process.argv[1] ?? '', 'child'], { stdio: 'inherit' });
    }
    console.log(`pid ${process.pid}`);
    setInterval(() => undefined, 1_000);
    break;
  case '10 GiB of log': {
    const piece = `${'x'.repeat(99)}\n`.repeat(10_000);
    for (let bytes = 0; bytes < 10 * 1024 ** 3; bytes += piece.length) {
      if (!process.stdout.write(piece)) {
        await once(process.stdout, 'drain');
      }
    }
    break;
  }
  case 'artifact empty':
    closeSync(openSync(artifact, 'w'));
    break;
  case 'artifact a link':
    symlinkSync(join(source, 'index.html'), artifact);
    break;
  case 'artifact missing':
    break;
  case 'slow':
    console.log('begun');
    setTimeout(() => writeFileSync(artifact, 'slow'), 60_000);
    break;
  // A package that was uploaded with the app.
  case 'packed':
    copyFileSync(join(source, 'packed.zip'), artifact);
    break;
  default:
    writeFileSync(artifact, `built from ${fault}`);
}
