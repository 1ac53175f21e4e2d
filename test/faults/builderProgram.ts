/** A program for `createProgramBuilder` whose action is selected by the app's title. */
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

const [title = '', source = '', output = ''] = process.argv.slice(2);

/** Logs endlessly. */
async function flood(): Promise<never> {
  const piece = `${'x'.repeat(99)}\n`.repeat(10_000);
  for (;;) {
    if (!process.stdout.write(piece)) {
      await once(process.stdout, 'drain');
    }
  }
}

if (title === 'a log without end') {
  await flood();
}
// A package that was uploaded with the app.
copyFileSync(join(source, 'packed.zip'), output);
