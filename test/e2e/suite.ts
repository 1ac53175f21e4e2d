/** What the end-to-end tests share: one VS Code with the extension installed, and a window of its own for each file. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startWorkbench, type WorkbenchServer } from '../host/server.ts';
import { buildExtension, extensionDirectory, packageExtension } from '../host/vsix.ts';
import { writeReadmeExample } from '../support/readmeExample.ts';
import { repositoryRoot } from '../support/repository.ts';
import type { OddService } from '../support/oddService.ts';
import { WorkbenchPage } from './workbenchPage.ts';

let directory: string | undefined;
let server: WorkbenchServer | undefined;
let latestWindow: WorkbenchPage | undefined;

// mocha loads this module with the first test file that imports it: the hooks are those of the root suite.
before('start VS Code', async () => {
  await buildExtension();
  directory = await mkdtemp(path.join(os.tmpdir(), 'app-build-e2e-'));
  // Another run beside this one packages, too.
  const vsix = await packageExtension(extensionDirectory, directory);
  const consumer = await packageExtension(
    path.join(repositoryRoot, 'test', 'fixtures', 'consumerExtension'),
    directory,
  );
  const example = await packageExtension(await writeReadmeExample(path.join(directory, 'example')), directory);
  const folder = path.join(directory, 'workspace');
  await mkdir(folder);
  server = await startWorkbench({ folder, extensions: [vsix, consumer, example], dataDirectory: directory });
});

after('end VS Code', async () => {
  await server?.stop();
  if (directory !== undefined) {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
});

afterEach('keep a picture of what failed', async function () {
  if (this.currentTest?.state === 'failed' && latestWindow?.page.isClosed() === false) {
    await latestWindow.screenshot(`failed-${this.currentTest.title.replaceAll(/\W+/g, '-')}`);
  }
});

/**
 * A window as on the first day: no sessions and cookies, for they are in a browser profile of its own.
 *
 * @param settings of the person. Default: none.
 */
export async function openWindow(settings?: object): Promise<WorkbenchPage> {
  if (server === undefined) {
    throw new Error('VS Code is not started yet: open windows in a hook or a test.');
  }
  await rm(inUserData('settings.json'), { force: true });
  if (settings !== undefined) {
    await writeFile(inUserData('settings.json'), JSON.stringify(settings));
  }
  latestWindow = await WorkbenchPage.open(server);
  return latestWindow;
}

/**
 * A window of a VS Code of its own, which trusts no folder unless a person does.
 *
 * @param workspace path of the `.code-workspace` file that it shows.
 * @param settings of the person.
 */
export async function openUntrustedWindow(workspace: string, settings: object): Promise<WorkbenchPage> {
  const dataDirectory = await mkdtemp(path.join(directory ?? '', 'untrusted-'));
  const own = await startWorkbench({
    folder: path.dirname(workspace),
    dataDirectory,
    extensionsDirectory: path.join(directory ?? '', 'extensions'),
    workspaceTrust: true,
  });
  after('end the VS Code that asks for trust', () => own.stop());
  const userSettings = path.join(dataDirectory, 'userData', 'User', 'settings.json');
  await mkdir(path.dirname(userSettings), { recursive: true });
  await writeFile(userSettings, JSON.stringify({ 'security.workspace.trust.startupPrompt': 'never', ...settings }));
  const parameters = new URLSearchParams({ workspace });
  latestWindow = await WorkbenchPage.open({ ...own, url: `http://127.0.0.1:${own.port}/?${parameters.toString()}` });
  return latestWindow;
}

/** A window as on the first day, of a VS Code of its own in this language. */
export async function openWindowIn(language: string): Promise<WorkbenchPage> {
  const dataDirectory = await mkdtemp(path.join(directory ?? '', `${language}-`));
  const folder = path.join(dataDirectory, 'shop');
  await mkdir(folder);
  const own = await startWorkbench({
    folder,
    dataDirectory,
    extensionsDirectory: path.join(directory ?? '', 'extensions'),
    language,
  });
  after('end the VS Code of another language', () => own.stop());
  latestWindow = await WorkbenchPage.open(own);
  return latestWindow;
}

/** A window as on the first day, in which the local service has been started from the welcome view. */
export async function openWindowWithLocalService(): Promise<WorkbenchPage> {
  const workbench = await openWindow();
  await workbench.openViewContainer('App Build');
  await workbench.clickWelcome('Start Local Service');
  await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
  await workbench.clearNotifications();
  return workbench;
}

const ODD_ACCOUNT = { username: 'odd', password: 'anything', email: 'odd@example.com' };

/** A window as on the first day, signed in to a service of a test by user name and password. */
export async function openWindowSignedInAt(
  service: Pick<OddService, 'url'>,
  account = ODD_ACCOUNT,
): Promise<WorkbenchPage> {
  const workbench = await openWindow();
  await signInAt(workbench, service, account);
  return workbench;
}

/** Connects a window to a service of a test, and signs in by user name and password. */
export async function signInAt(
  workbench: WorkbenchPage,
  { url }: Pick<OddService, 'url'>,
  { username, password, email } = ODD_ACCOUNT,
): Promise<void> {
  await workbench.openViewContainer('App Build');
  await workbench.welcome.getByText('Start Local Service').waitFor();
  await workbench.runCommand('App Build: Connect to a Service…');
  await workbench.answerInput('Connect to a Service (1/4)', url);
  for (const step of ['2/4', '3/4']) {
    await workbench.question(`Connect to a Service (${step})`).waitFor();
    await workbench.quickInput.press('Enter');
  }
  await workbench.notification('Connected to').waitFor();
  await workbench.clickWelcome('Sign In');
  await workbench.answerInput('Your user name at the service.', username);
  await workbench.answerInput('Used once to get a token', password);
  await workbench.treeRow(email).waitFor();
  await workbench.clearNotifications();
}

/** A path in the folder of VS Code's user data. */
export function inUserData(...names: readonly string[]): string {
  return path.join(directory ?? '', 'userData', 'User', ...names);
}

/** A path in the folder that the windows show. */
export function inWorkspace(...names: readonly string[]): string {
  return path.join(directory ?? '', 'workspace', ...names);
}
