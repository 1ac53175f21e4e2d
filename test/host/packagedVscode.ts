/** VS Code as a server, from the npm package `code-server`, for computers that have no display or can't download a desktop VS Code. */
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installPackages } from './install.ts';
import type { VscodeVersion } from './versions.ts';

export interface PackagedVscode {
  /** `lib/vscode` in the code-server package. */
  readonly directory: string;
  /** Version of VS Code, such as `1.139.1`. */
  readonly version: string;
  /** The Node that runs VS Code and its extension host. */
  readonly node: string;
}

/**
 * Native modules that VS Code loads at startup and complains about if they're missing, with their replacements. The oldest VS Code uses the
 * second one without its scope.
 */
const STUBS = {
  '@vscode/spdlog': path.join(import.meta.dirname, 'stubs', 'spdlog.mjs'),
  '@vscode/native-watchdog': path.join(import.meta.dirname, 'stubs', 'nativeWatchdog.mjs'),
  'native-watchdog': path.join(import.meta.dirname, 'stubs', 'nativeWatchdog.mjs'),
};

/** Installs a packaged VS Code if it isn't installed. */
export async function findPackagedVscode(version: VscodeVersion): Promise<PackagedVscode> {
  const installation = await installPackages(version, [import.meta.filename, ...Object.values(STUBS)], prepare);
  const directory = vscodeIn(installation);
  const manifest = JSON.parse(await readFile(path.join(directory, 'package.json'), 'utf8')) as { version: string };
  return { directory, version: manifest.version, node: nodeIn(installation) };
}

function vscodeIn(installation: string): string {
  return path.join(installation, 'node_modules', 'code-server', 'lib', 'vscode');
}

/** Returns the Node in the package set if it has one for this computer. Otherwise returns the Node that runs the tests. */
function nodeIn(installation: string): string {
  const node = path.join(installation, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  return existsSync(node) ? node : process.execPath;
}

async function prepare(installation: string): Promise<void> {
  const vscode = vscodeIn(installation);
  // Paths in vscode.env.appRoot/node_modules, such as @vscode/proxy-agent, must exist as in a desktop VS Code.
  await symlink(path.join('..', '..', '..'), path.join(vscode, 'node_modules'), 'dir');
  for (const [name, stub] of Object.entries(STUBS)) {
    const directory = path.join(installation, 'node_modules', name);
    await mkdir(directory, { recursive: true });
    await writeFile(
      path.join(directory, 'package.json'),
      JSON.stringify({ name, version: '0.0.0', main: 'index.mjs' }),
    );
    await cp(stub, path.join(directory, 'index.mjs'));
  }
}
