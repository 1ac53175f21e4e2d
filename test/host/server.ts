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
  /** Default: newest. */
  readonly version?: VscodeVersion;
  /** Absolute path of the folder that the window shows. */
  readonly folder: string;
  /** VSIX files, installed offline as a user would have them. */
  readonly extensions?: readonly string[];
  /**
   * Absolute path of an extension's folder, loaded as under development. VS Code takes it only together with its smoke-test
   * driver, and then shows no notification toasts: what a person should see needs `extensions`.
   */
  readonly extensionDevelopmentPath?: string;
  /** Absolute path of a module that exports `run()`. Modal dialogs are refused while it is set. */
  readonly extensionTestsPath?: string;
  /** Settings for the window, on top of WINDOW_SETTINGS. Those of scope *application* are not taken from here. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Asks whether a folder is trusted, as VS Code does unless it is told otherwise. Default: every folder is. */
  readonly workspaceTrust?: boolean;
  /** Where settings, state and logs live. It is kept; without it there is a temporary one that `stop()` removes. */
  readonly dataDirectory?: string;
  /** Where extensions are installed. Default: `extensions` in the data directory. */
  readonly extensionsDirectory?: string;
  /** The port to listen on. Browser storage, and with it the secrets, belongs to a port. Default: a free one. */
  readonly port?: number;
  /** Of the person, such as `de`. VS Code's own texts stay English: its translations are not on this machine. */
  readonly language?: string;
  /** Added to the environment of VS Code and of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface WorkbenchServer {
  /** Opens the workbench with the folder (and the development paths, where given). */
  readonly url: string;
  readonly port: number;
  readonly version: string;
  /** Of the Node that runs the extension host, such as `22.19.0`. */
  readonly nodeVersion: string;
  /** Adds to the window's settings; an open window takes them at once. */
  changeSettings(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Everything the server has printed. */
  log(): string;
  /** Ends the server with every process it started, and removes what was temporary. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const END_TIMEOUT_MS = 5_000;

/** Tests talk to no marketplace. */
const NO_GALLERY = JSON.stringify({ serviceUrl: '' });

/** A window that shows nothing but what is tested. */
const WINDOW_SETTINGS = {
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.colorTheme': 'Dark Modern',
  'workbench.reduceMotion': 'on',
  'workbench.tips.enabled': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  // VS Code in a browser saves by itself after a second: a test that is slow would find its unsaved text on the disk.
  'files.autoSave': 'off',
  // Lines of text, which tests can read, in place of a picture.
  'terminal.integrated.gpuAcceleration': 'off',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
};

/**
 * Starts the packaged VS Code on 127.0.0.1, for browsers.
 * @throws Error when the server ends or does not listen within START_TIMEOUT_MS; the message has the end of its output.
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
  // Seconds, not hours: what a window sends when it closes can get lost, and its extension host would wait for it to come back.
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

/** What VS Code writes when a language pack is installed; this one translates nothing of VS Code itself. */
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

/** A file's path as it stands in an address: `/C:/folder` on Windows. */
function urlPath(file: string): string {
  return process.platform === 'win32' ? `/${file.replaceAll('\\', '/')}` : file;
}

/** A process group of its own: the extension host, the terminals and their children end with it. */
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

/** The server's half of the key for the workbench's secrets. It stays with the data, so that a restart can read them. */
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

/** Asks the whole group to end, and kills it after END_TIMEOUT_MS. */
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

/** @returns whether a process of the group is left. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) {
    return false;
  }
  if (process.platform === 'win32') {
    // There are no process groups: the tree below the process is what there is, and it ends at once.
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
