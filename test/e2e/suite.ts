/**
 * Shared by the end-to-end tests: a browser, and VS Code with the extension installed. Each file has a fresh window: `openWindow` closes
 * the last one and deletes its data.
 */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { startWorkbench, type WorkbenchOptions, type WorkbenchServer } from '../host/server.ts';
import { buildExtension, extensionDirectory, packageExtension } from '../host/vsix.ts';
import { openBrowser, type BrowserWindow } from '../host/workbench.ts';
import { repositoryRoot } from '../support/repository.ts';
import type { OddService } from '../support/oddService.ts';
import { untilLocalServices } from './localService.ts';
import { PIXEL_RATIO } from './pictures.ts';
import { inUserData, useUserData } from './userData.ts';
import { WorkbenchPage } from './workbenchPage.ts';

/** Content of a window when it opens. */
interface FirstDay {
  /** The user's settings. */
  readonly settings?: object;
  /** Files in the open folder, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** One of these `files` to open instead of the folder: a `.code-workspace` file. */
  readonly workspace?: string;
}

/** Options that need a separate VS Code. */
type Kind = Pick<WorkbenchOptions, 'language' | 'workspaceTrust'>;

interface VsCode {
  readonly server: WorkbenchServer;
  readonly userData: string;
}

let directory = '';
let browser: BrowserWindow | undefined;
let extensions: Promise<readonly string[]> | undefined;
const started = new Map<string, VsCode>();
let latestWindow: WorkbenchPage | undefined;

// mocha loads this module with the first test file that imports it, so these hooks belong to the root suite.
before('make a folder for everything', async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'app-build-e2e-'));
});

after('end the browser and VS Code', async () => {
  await closeWindow();
  await browser?.close();
  await Promise.all([...started.values()].map(({ server }) => server.stop()));
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
});

afterEach('keep a picture and the text of what failed', async function () {
  if (this.currentTest?.state === 'failed' && latestWindow?.page.isClosed() === false) {
    console.log(
      `      The window shows: ${(await latestWindow.page.innerText('body')).replaceAll(/\s*\n\s*/g, ' | ')}`,
    );
    await latestWindow.screenshot(`failed-${this.currentTest.title.replaceAll(/\W+/g, '-')}`);
  }
});

/**
 * Makes each test in the suite continue from the previous one: after a failure, the rest are skipped. Other files still
 * run.
 */
export function inSteps(suite: Mocha.Suite): void {
  suite.afterEach('requires the last test to pass', function () {
    assert.notEqual(this.currentTest?.state, 'failed', 'the tests that go on from here are left out');
  });
}

/** Opens a fresh window without data from earlier ones. */
export async function openWindow(firstDay: FirstDay = {}, kind: Kind = {}): Promise<WorkbenchPage> {
  await closeWindow();
  const page = await openTab();
  const { server, userData } = await vsCode(kind);
  useUserData(userData);
  const { origin } = new URL(server.url);
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
  await rm(userData, { recursive: true, force: true, maxRetries: 3 });
  await rm(inWorkspace(), { recursive: true, force: true, maxRetries: 3 });
  await mkdir(userData, { recursive: true });
  await mkdir(inWorkspace());
  await writeFile(inUserData('settings.json'), JSON.stringify(firstDay.settings ?? {}));
  for (const [name, text] of Object.entries(firstDay.files ?? {})) {
    await mkdir(path.dirname(inWorkspace(name)), { recursive: true });
    await writeFile(inWorkspace(name), text);
  }
  const shown =
    firstDay.workspace === undefined ? { folder: inWorkspace() } : { workspace: inWorkspace(firstDay.workspace) };
  latestWindow = new WorkbenchPage(server, page);
  await latestWindow.goTo(`/?${new URLSearchParams(shown).toString()}`);
  await latestWindow.writeClipboard('');
  return latestWindow;
}

/** Opens a browser tab without any sign-in. */
export async function openTab(): Promise<Page> {
  browser ??= await openBrowser(PIXEL_RATIO);
  await browser.context.clearCookies();
  return browser.context.newPage();
}

/** Closes all pages, and waits until the local service that was started there has exited. */
async function closeWindow(): Promise<void> {
  for (const page of browser?.context.pages() ?? []) {
    if (page !== browser?.page) {
      // Closes the tab as a user would. If a page is just killed, the extension host keeps waiting.
      await page.goto('about:blank');
      await page.close();
    }
  }
  if (started.size > 0) {
    await untilLocalServices(0);
  }
}

/** Starts this kind of VS Code for the first window that needs it. */
async function vsCode(kind: Kind): Promise<VsCode> {
  const name = `vscode${JSON.stringify(kind).replaceAll(/\W+/g, '-')}`;
  const running = started.get(name);
  if (running !== undefined) {
    return running;
  }
  const isFirst = extensions === undefined;
  extensions ??= packExtensions();
  const dataDirectory = path.join(directory, name);
  await mkdir(inWorkspace(), { recursive: true });
  // VS Code saves downloads in this folder instead of the home folder of the user who runs the tests.
  const home = path.join(directory, 'home');
  await mkdir(home, { recursive: true });
  const server = await startWorkbench({
    ...kind,
    env: { HOME: home, USERPROFILE: home },
    folder: inWorkspace(),
    dataDirectory,
    extensionsDirectory: path.join(directory, 'extensions'),
    extensions: isFirst ? await extensions : [],
  });
  const made = { server, userData: path.join(dataDirectory, 'userData', 'User') };
  started.set(name, made);
  return made;
}

/** Packages this extension and one that requests its sessions. */
async function packExtensions(): Promise<readonly string[]> {
  await buildExtension();
  const consumer = path.join(repositoryRoot, 'test', 'fixtures', 'consumerExtension');
  return Promise.all([extensionDirectory, consumer].map((each) => packageExtension(each, directory)));
}

/** Starts the local service with demo data, and signs its owner out, because the test signs in itself. */
export async function startDemo(workbench: WorkbenchPage): Promise<void> {
  await workbench.runCommand('App Build: Try with Demo Data');
  await workbench.notification('The local service is running at').waitFor();
  await workbench.treeRow('demo@example.com').waitFor();
  await workbench.runCommand('App Build: Sign Out');
  await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
}

const ODD_ACCOUNT = { username: 'odd', password: 'anything', email: 'odd@example.com' };

/** Opens a fresh window that is signed in to a test's service with a user name and password. */
export async function openWindowSignedInAt(
  { url }: Pick<OddService, 'url'>,
  { username, password, email } = ODD_ACCOUNT,
  { settings, ...firstDay }: FirstDay = {},
  kind?: Kind,
): Promise<WorkbenchPage> {
  const workbench = await openWindow({ ...firstDay, settings: { ...settings, 'appBuild.serviceUrl': url } }, kind);
  await workbench.openViewContainer('App Build');
  await workbench.clickWelcome('Sign In');
  await workbench.answerInput('Your user name at the service.', username);
  await workbench.answerInput('Used once to get a token', password);
  await workbench.treeRow(email).waitFor();
  return workbench;
}

/** Returns a path in the folder that the windows open. */
export function inWorkspace(...names: readonly string[]): string {
  return path.join(directory, 'workspace', ...names);
}
