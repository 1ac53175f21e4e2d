/**
 * VS Code as a server, which npm brings as the `code-server` package: for machines that have no display or cannot download
 * a desktop VS Code.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installPackages } from './install.ts';
import type { VscodeVersion } from './versions.ts';

export interface PackagedVscode {
  /** `lib/vscode` of the code-server package. */
  readonly directory: string;
  /** VS Code's own version, such as `1.139.1`. */
  readonly version: string;
  /** The Node that runs it and its extension host. */
  readonly node: string;
}

/**
 * Native modules that VS Code loads at its start, and complains about when they are missing, with what stands in for them.
 * The oldest VS Code knows the second one without the scope.
 */
const STUBS = {
  '@vscode/spdlog': path.join(import.meta.dirname, 'stubs', 'spdlog.mjs'),
  '@vscode/native-watchdog': path.join(import.meta.dirname, 'stubs', 'nativeWatchdog.mjs'),
  'native-watchdog': path.join(import.meta.dirname, 'stubs', 'nativeWatchdog.mjs'),
};

/** Installs a packaged VS Code, unless it is there. */
export async function findPackagedVscode(version: VscodeVersion): Promise<PackagedVscode> {
  const installation = await installPackages(version, [import.meta.filename, ...Object.values(STUBS)], prepare);
  const directory = vscodeIn(installation);
  const manifest = JSON.parse(await readFile(path.join(directory, 'package.json'), 'utf8')) as { version: string };
  return { directory, version: manifest.version, node: nodeIn(installation) };
}

function vscodeIn(installation: string): string {
  return path.join(installation, 'node_modules', 'code-server', 'lib', 'vscode');
}

/** The Node that the package set brings, where it does and has one for this machine; otherwise the one that runs the tests. */
function nodeIn(installation: string): string {
  const node = path.join(installation, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  return existsSync(node) ? node : process.execPath;
}

async function prepare(installation: string): Promise<void> {
  const vscode = vscodeIn(installation);
  // Paths below vscode.env.appRoot/node_modules, such as @vscode/proxy-agent, must exist as they do in a desktop VS Code.
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
