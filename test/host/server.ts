import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { findPackagedVscode, type PackagedVscode } from './packagedVscode.ts';
import type { VscodeVersion } from './versions.ts';

export interface WorkbenchOptions {
  /** Version of VS Code. Defaults to `newest`. */
  readonly version?: VscodeVersion;
  /** Absolute path of the folder to open. */
  readonly folder: string;
  /** VSIX files, installed offline as a user would install them. */
  readonly extensions?: readonly string[];
  /**
   * Absolute path of an extension folder to load in development mode. VS Code then requires its smoke-test driver, which hides notification
   * toasts. Use `extensions` to test what the user sees.
   */
  readonly extensionDevelopmentPath?: string;
  /** Absolute path of a module that exports `run()`. VS Code rejects modal dialogs while it's set. */
  readonly extensionTestsPath?: string;
  /** Window settings that override WINDOW_SETTINGS. Settings with the scope *application* are ignored here. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** True to ask whether the folder is trusted, which is VS Code's default. If omitted, every folder is trusted. */
  readonly workspaceTrust?: boolean;
  /** Folder for settings, state, and logs, which is kept. Defaults to a temporary folder that `stop()` removes. */
  readonly dataDirectory?: string;
  /** Folder for extensions. Defaults to `extensions` in the data directory. */
  readonly extensionsDirectory?: string;
  /** Port to listen on. Browser storage, including the secrets, belongs to a port. Defaults to a free port. */
  readonly port?: number;
  /** Display language, such as `de`. VS Code's own UI stays in English, because its translations aren't installed. */
  readonly language?: string;
  /** Environment variables to add for VS Code and the extension host. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface WorkbenchServer {
  /** Opens the workbench with the folder and any development paths. */
  readonly url: string;
  readonly port: number;
  readonly version: string;
  /** Version of the Node that runs the extension host, such as `22.19.0`. */
  readonly nodeVersion: string;
  /** Adds window settings. An open window applies them immediately. */
  changeSettings(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Returns the server's output. */
  log(): string;
  /** Stops the server and all its processes, and removes temporary folders. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const END_TIMEOUT_MS = 5_000;

/** Tests don't use a marketplace. */
const NO_GALLERY = JSON.stringify({ serviceUrl: '' });

/** Settings that hide everything that isn't tested. */
const WINDOW_SETTINGS = {
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.colorTheme': 'Dark Modern',
  'workbench.reduceMotion': 'on',
  'workbench.tips.enabled': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  // VS Code in a browser saves automatically after a second, so a slow test would find its unsaved text on disk.
  'files.autoSave': 'off',
  // Renders lines of text that tests can read, instead of a picture.
  'terminal.integrated.gpuAcceleration': 'off',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
};

/**
 * Starts the packaged VS Code on 127.0.0.1 for browsers.
 * @throws Error with the end of the server's output if it exits or doesn't listen within START_TIMEOUT_MS
 */
export async function startWorkbench(options: WorkbenchOptions): Promise<WorkbenchServer> {
  const vscode = await findPackagedVscode(options.version ?? 'newest');
  const temporary =
    options.dataDirectory === undefined ? await mkdtemp(path.join(os.tmpdir(), 'app-build-host-')) : undefined;
  const data = options.dataDirectory ?? temporary ?? os.tmpdir();
  const extensions = options.extensionsDirectory ?? path.join(data, 'extensions');
  const userData = path.join(data, 'userData');
  await mkdir(path.join(userData, 'Machine'), { recursive: true });
  await mkdir(extensions, { recursive: true });
  let settings: Readonly<Record<string, unknown>> = WINDOW_SETTINGS;
  const changeSettings = async (changes: Readonly<Record<string, unknown>> = {}): Promise<void> => {
    settings = { ...settings, ...changes };
    await writeFile(path.join(userData, 'Machine', 'settings.json'), JSON.stringify(settings, null, 2));
  };
  const workspaceTrust = options.workspaceTrust === true;
  await changeSettings({ ...options.settings, 'security.workspace.trust.enabled': workspaceTrust });
  const directories = [
    '--server-data-dir',
    path.join(data, 'server'),
    '--user-data-dir',
    userData,
    '--extensions-dir',
    extensions,
  ];
  const installs = (options.extensions ?? []).flatMap((vsix) => ['--install-extension', vsix]);
  if (installs.length > 0) {
    await runServer(vscode, [...installs, '--force', '--accept-server-license-terms', ...directories]);
  }
  const locale = options.language === undefined ? [] : ['--locale', options.language];
  if (options.language !== undefined) {
    await installLanguage(userData, options.language);
  }
  const driver = options.extensionDevelopmentPath === undefined ? [] : ['--enable-smoke-test-driver'];
  const trust = workspaceTrust ? [] : ['--disable-workspace-trust'];
  const args = [...SERVER_FLAGS, ...trust, ...driver, ...locale, '--port', String(options.port ?? 0), ...directories];
  const child = spawnServer(vscode, args, {
    APP_BUILD_SECRET_KEY: await secretKey(data),
    ...options.env,
  });
  const output = collect(child);
  const end = (): void => {
    killGroup(child, 'SIGKILL');
    if (temporary !== undefined) {
      rmSync(temporary, { recursive: true, force: true });
    }
  };
  process.once('exit', end);
  const stop = async (): Promise<void> => {
    await endGroup(child);
    process.off('exit', end);
    if (temporary !== undefined) {
      await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
    }
  };
  try {
    const port = await listeningPort(child, output);
    return {
      url: urlFor(port, options),
      port,
      version: vscode.version,
      nodeVersion: await nodeVersion(vscode),
      changeSettings,
      log: output,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const SERVER_FLAGS = [
  '--host',
  '127.0.0.1',
  '--without-connection-token',
  '--accept-server-license-terms',
  '--disable-telemetry',
  '--skip-welcome',
  // Seconds instead of hours: a closing window's message can get lost, and its extension host would wait for a reconnection.
  '--reconnection-grace-time',
  '5',
];

function urlFor(port: number, { folder, extensionDevelopmentPath, extensionTestsPath }: WorkbenchOptions): string {
  const url = new URL(`http://127.0.0.1:${port}/`);
  url.searchParams.set('folder', urlPath(folder));
  const payload = Object.entries({ extensionDevelopmentPath, extensionTestsPath }).flatMap(([name, file]) =>
    file === undefined ? [] : [[name, `vscode-remote://127.0.0.1:${port}${urlPath(file)}`]],
  );
  if (payload.length > 0) {
    url.searchParams.set('payload', JSON.stringify(payload));
  }
  return url.href;
}

/**
 * Writes the file that VS Code writes after a language pack is installed. This language pack doesn't translate VS Code
 * itself.
 */
async function installLanguage(userData: string, language: string): Promise<void> {
  const translations = path.join(userData, 'translations.json');
  await writeFile(translations, JSON.stringify({ '': [''], version: '1.0.0', contents: {} }));
  const extensionIdentifier = { id: `tests.language-${language}` };
  const pack = {
    hash: language,
    label: language,
    extensions: [{ extensionIdentifier, version: '1.0.0' }],
    translations: { vscode: translations },
  };
  await writeFile(path.join(userData, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}

/** Returns a file's path in the form of a URL path: `/C:/folder` on Windows. */
function urlPath(file: string): string {
  return process.platform === 'win32' ? `/${file.replaceAll('\\', '/')}` : file;
}

/**
 * Starts the server in its own process group, so that the extension host, the terminals, and their children end with
 * it.
 */
function spawnServer(
  vscode: PackagedVscode,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const preload = pathToFileURL(path.join(import.meta.dirname, 'serverPreload.ts')).href;
  const main = path.join(vscode.directory, 'out', 'server-main.js');
  return spawn(vscode.node, ['--import', preload, main, ...args], {
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, EXTENSIONS_GALLERY: NO_GALLERY, ...env },
  });
}

/** Returns the server's half of the key for the workbench's secrets. It's stored with the data, so a restart can read them. */
async function secretKey(data: string): Promise<string> {
  const file = path.join(data, 'secretKey');
  try {
    await writeFile(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  }
  return readFile(file, 'utf8');
}

function collect(child: ChildProcess): () => string {
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8');
    stream?.on('data', (chunk: string) => chunks.push(chunk));
  }
  return () => chunks.join('');
}

function runServer(vscode: PackagedVscode, args: readonly string[]): Promise<void> {
  const child = spawnServer(vscode, args);
  const output = collect(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) {
        resolve();
      } else {
        reject(new Error(`VS Code ended with ${code ?? 'a signal'}:\n${tail(output())}`));
      }
    });
  });
}

function listeningPort(child: ChildProcess, output: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => fail(`did not listen within ${START_TIMEOUT_MS / 1000} s`), START_TIMEOUT_MS);
    const fail = (what: string): void => {
      clearTimeout(timeout);
      reject(new Error(`The packaged VS Code ${what}:\n${tail(output())}`));
    };
    child.once('error', (error) => fail(`did not start: ${error.message}`));
    child.once('exit', (code, signal) => fail(`ended with ${code ?? signal ?? 'no code'}`));
    child.stdout?.on('data', () => {
      const port = /Extension host agent listening on (\d+)/.exec(output())?.[1];
      if (port !== undefined) {
        clearTimeout(timeout);
        resolve(Number(port));
      }
    });
  });
}

function tail(text: string): string {
  return text.split('\n').slice(-30).join('\n');
}

/** Asks the group to exit, and kills it after END_TIMEOUT_MS. */
async function endGroup(child: ChildProcess): Promise<void> {
  const deadline = Date.now() + END_TIMEOUT_MS;
  for (
    let signal: NodeJS.Signals | 0 = 'SIGTERM';
    killGroup(child, signal);
    signal = Date.now() > deadline ? 'SIGKILL' : 0
  ) {
    await delay(50);
  }
}

async function nodeVersion({ node }: PackagedVscode): Promise<string> {
  const { stdout } = await promisify(execFile)(node, ['--version']);
  return stdout.trim().replace(/^v/, '');
}

/** Signals a process group. @returns whether a process of the group is still running */
function killGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) {
    return false;
  }
  if (process.platform === 'win32') {
    // Windows has no process groups. This kills the process tree immediately.
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    return false;
  }
  try {
    process.kill(-child.pid, signal);
    return true;
  } catch {
    return false;
  }
}
