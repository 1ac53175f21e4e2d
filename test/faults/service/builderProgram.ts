/** A program for `--builder-command` that does what the title of the app says. */
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

const { APP_BUILD_TITLE: title = '', APP_BUILD_SOURCE: source = '', APP_BUILD_OUTPUT: output = '' } = process.env;

switch (title) {
  case 'a log without end': {
    const piece = `${'x'.repeat(99)}\n`.repeat(10_000);
    for (;;) {
      if (!process.stdout.write(piece)) {
        await once(process.stdout, 'drain');
      }
    }
  }
  // A package that was uploaded with the app.
  case 'packed':
    copyFileSync(join(source, 'packed.zip'), join(output, 'app.bin'));
    break;
  default:
    process.exitCode = 1;
}
