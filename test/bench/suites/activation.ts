/** Loading and activating in a real VS Code, compared with an empty extension. Each round has a new extension host. */
import { once, EventEmitter } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { bundleTests } from '../../host/bundle.ts';
import { startWorkbench } from '../../host/server.ts';
import { packageExtension } from '../../host/vsix.ts';
import { openBrowser } from '../../host/workbench.ts';
import { repositoryRoot } from '../../support/repository.ts';
import type { Activation } from '../host/index.ts';
import type { Row } from '../rounds.ts';

const OURS = 'app-build.app-build-service';
const EMPTY = 'bench.empty';
/** Activated first, so that neither of the two pays for the host's one-time work. */
const FIRST = 'bench.first';

/** An empty extension needs 5 ms, this one about 10 ms more. */
const MAX_RATIO = 4;

/** Time from opening the window to the end of a round, in ms. */
const ROUND_TIMEOUT_MS = 60_000;

export async function measure(rounds: number): Promise<readonly Row[]> {
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const folder = path.join(temporary, 'workspace');
  await mkdir(folder);
  const out = path.join(repositoryRoot, 'out', 'bench');
  await bundleTests(path.join(import.meta.dirname, '..', 'host'), out);
  const workbench = await startWorkbench({
    folder,
    extensions: [
      await packageExtension(await ownExtension(temporary)),
      await packageExtension(await emptyExtension(temporary, EMPTY)),
    ],
    extensionDevelopmentPath: await emptyExtension(temporary, FIRST),
    extensionTestsPath: path.join(out, 'index.cjs'),
  });
  const window = await openBrowser();
  try {
    const run = new EventEmitter<{ end: [code: number] }>();
    const output: string[] = [];
    await window.context.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) =>
      output.push(args.join(' ')),
    );
    await window.context.exposeFunction('codeAutomationExit', (code: number) => run.emit('end', code));
    const results: Record<string, Activation>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await writeFile(
        path.join(folder, 'order.json'),
        JSON.stringify([FIRST, ...(round % 2 === 0 ? [OURS, EMPTY] : [EMPTY, OURS])]),
      );
      const ended = once(run, 'end', { signal: AbortSignal.timeout(ROUND_TIMEOUT_MS) });
      await window.page.goto(workbench.url);
      const [code] = (await ended) as [number];
      if (code !== 0) {
        throw new Error(`Output of the extension host: ${output.join('\n')}`);
      }
      results.push(
        JSON.parse(await readFile(path.join(folder, 'activations.json'), 'utf8')) as Record<string, Activation>,
      );
    }
    const times = (id: string): readonly number[] => results.map((result) => result[id]?.milliseconds ?? NaN);
    return [
      {
        what: 'Activation: require and activate',
        ours: times(OURS),
        peer: { name: 'an empty extension', times: times(EMPTY) },
        max: MAX_RATIO,
      },
    ];
  } finally {
    await window.close();
    await workbench.stop();
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Creates a copy of this extension that isn't activated at startup. @returns its folder */
async function ownExtension(parent: string): Promise<string> {
  const directory = path.join(parent, 'own');
  for (const name of ['dist', 'media', '.vscodeignore', 'package.nls.json', 'README.md']) {
    await cp(path.join(repositoryRoot, name), path.join(directory, name), { recursive: true });
  }
  const manifest = JSON.parse(await readFile(path.join(repositoryRoot, 'package.json'), 'utf8')) as {
    readonly activationEvents: readonly string[];
  };
  const activationEvents = manifest.activationEvents.filter((event) => event !== 'onStartupFinished');
  await writeFile(path.join(directory, 'package.json'), JSON.stringify({ ...manifest, activationEvents }));
  return directory;
}

/** Creates an empty extension. @returns its folder */
async function emptyExtension(parent: string, id: string): Promise<string> {
  const [publisher, name = ''] = id.split('.');
  const directory = path.join(parent, name);
  await mkdir(directory);
  const manifest = {
    name,
    publisher,
    version: '0.0.1',
    engines: { vscode: '^1.105.0' },
    main: './extension.js',
    activationEvents: [],
  };
  await writeFile(path.join(directory, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(directory, 'README.md'), `# ${name}\n`);
  await writeFile(path.join(directory, 'extension.js'), 'exports.activate = () => undefined;\n');
  return directory;
}
