import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '../support/repository.ts';

/** What npm brought: everything below `directory` is complete, because the directory appears by a rename. */
export interface Host {
  readonly directory: string;
  /** The packaged VS Code server, `lib/vscode` of the code-server package. */
  readonly vscode: string;
  /** VS Code's own version, such as `1.139.1`. */
  readonly version: string;
}

const manifest = import.meta.dirname;
const cache = path.join(repositoryRoot, '.vscode-test', 'host');

/**
 * Brings the packaged VS Code and the npm browser, once per lock file.
 * The folder's name is the hash of the lock and of this file: when either changes it is another folder, and an
 * interrupted installation leaves none.
 * @throws Error when npm fails; its output has been printed.
 */
export async function bringHost(): Promise<Host> {
  const sources = await Promise.all(
    ['package.json', 'package-lock.json', 'install.ts'].map((name) => readFile(path.join(manifest, name))),
  );
  const hash = createHash('sha256').update(Buffer.concat(sources)).digest('hex').slice(0, 16);
  const directory = path.join(cache, hash);
  await prepareDirectory(directory, async (partial) => {
    console.log('Bringing VS Code 1.139.1 (packaged server), once, from npm …');
    const started = performance.now();
    await installInto(partial);
    console.log(`Brought VS Code in ${Math.round((performance.now() - started) / 1000)} s.`);
  });
  await removeOthers(hash);
  const vscode = vscodeIn(directory);
  const { version } = JSON.parse(await readFile(path.join(vscode, 'package.json'), 'utf8')) as { version: string };
  return { directory, vscode, version };
}

/**
 * Makes `directory` exist completely or not at all: `fill` works in a folder beside it, which is then renamed.
 * When several processes do this at once each fills its own folder, and the first rename wins.
 */
export async function prepareDirectory(directory: string, fill: (partial: string) => Promise<void>): Promise<void> {
  if (existsSync(directory)) {
    return;
  }
  const partial = path.join(path.dirname(directory), `partial-${process.pid}-${randomUUID()}`);
  await mkdir(partial, { recursive: true });
  try {
    await fill(partial);
    await rename(partial, directory);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!existsSync(directory)) {
      throw error;
    }
  }
}

function vscodeIn(directory: string): string {
  return path.join(directory, 'node_modules', 'code-server', 'lib', 'vscode');
}

async function installInto(directory: string): Promise<void> {
  for (const name of ['package.json', 'package-lock.json']) {
    await cp(path.join(manifest, name), path.join(directory, name));
  }
  await npmCi(directory);
  // Paths below vscode.env.appRoot/node_modules, such as @vscode/proxy-agent, must exist as they do in a desktop VS Code.
  await symlink(path.join('..', '..', '..'), path.join(vscodeIn(directory), 'node_modules'), 'dir');
  await stubNativeModules(path.join(directory, 'node_modules'));
  await removeGallery(path.join(vscodeIn(directory), 'product.json'));
}

/** --ignore-scripts: the packages' scripts compile native modules, which a test host does not need and a bare machine cannot. */
function npmCi(directory: string): Promise<void> {
  const script = process.env.npm_execpath;
  const [command, first] =
    script !== undefined && path.basename(script) === 'npm-cli.js' ? [process.execPath, [script]] : ['npm', []];
  const args = [...first, 'ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, '--prefix', directory], { cwd: directory, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0) {
        resolve();
      } else {
        reject(
          new Error(
            `npm ci for the test host ended with ${code ?? signal ?? 'no code'}. Check the network and try again.`,
          ),
        );
      }
    });
  });
}

/** Writes VS Code's logs in plain JavaScript: the Output panel shows a log channel by reading its file. */
const logWriter = `
const fs = require('node:fs');
const path = require('node:path');
class Logger {
  constructor(type, name, file) {
    this.file = file;
    this.level = 2;
    this.formatted = true;
    fs.mkdirSync(path.dirname(file), { recursive: true });
  }
  write(level, name, message) {
    if (level < this.level) return;
    const date = new Date().toISOString().replace('T', ' ').replace('Z', '');
    fs.appendFileSync(this.file, this.formatted ? date + ' [' + name + '] ' + message + '\\n' : message);
  }
  trace(message) { this.write(0, 'trace', message); }
  debug(message) { this.write(1, 'debug', message); }
  info(message) { this.write(2, 'info', message); }
  warn(message) { this.write(3, 'warning', message); }
  error(message) { this.write(4, 'error', message); }
  critical(message) { this.write(5, 'critical', message); }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  setPattern() { this.formatted = true; }
  clearFormatters() { this.formatted = false; }
  flush() {}
  drop() {}
}
exports.Logger = Logger;
exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.shutdown = () => {};
exports.createRotatingLogger = async (name, file) => new Logger('rotating', name, file);
exports.createAsyncRotatingLogger = async (name, file) => new Logger('rotating_async', name, file);
`;

/** Two native modules that VS Code loads at start and complains about when they are missing. */
async function stubNativeModules(modules: string): Promise<void> {
  const stubs = {
    '@vscode/spdlog': logWriter,
    '@vscode/native-watchdog': 'exports.start = () => {};\nexports.exit = (code) => process.exit(code);\n',
  };
  for (const [name, source] of Object.entries(stubs)) {
    const directory = path.join(modules, name);
    await mkdir(directory, { recursive: true });
    await writeFile(path.join(directory, 'package.json'), JSON.stringify({ name, version: '0.0.0', main: 'index.js' }));
    await writeFile(path.join(directory, 'index.js'), source);
  }
}

/** Tests talk to no marketplace. */
async function removeGallery(file: string): Promise<void> {
  const product = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  delete product.extensionsGallery;
  await writeFile(file, JSON.stringify(product, null, 2));
}

/** Installations for other locks, and folders that a process which has ended left half filled. */
async function removeOthers(current: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const owner = /^partial-(\d+)-/.exec(name)?.[1];
    if (name !== current && (owner === undefined || !isRunning(Number(owner)))) {
      await rm(path.join(cache, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
