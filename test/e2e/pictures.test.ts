/** The pictures in README.md, each with the text in it. The animated one has the text of its scenes. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatSentence } from '../../src/errors/sentence.ts';
import { writeSampleProject, type SampleKind } from '../../src/extension/commands/sampleFiles.ts';
import { startLocalService } from '../support/localService.ts';
import { makeOwnData, renameOwner } from './localService.ts';
import { Loop } from './loop.ts';
import { pointAtNothing, prepareWindow, windowPicture } from './pictures.ts';
import { inWorkspace, openTab, openWindow } from './suite.ts';
import { tryAgain, type WorkbenchPage } from './workbenchPage.ts';

/** Encoding the animated picture takes a long time, because it's done pixel by pixel. */
const TAKING_TIMEOUT_MS = 300_000;

/** Size of the phone in the pictures. */
const PHONE = { width: 320, height: 640 };

/** Contains two misspelled words, and a plugin that the builder doesn't have. */
const CONFIG = `<?xml version="1.0" encoding="UTF-8"?>
<widget id="com.example.hello" version="1.0.0"
    xmlns="http://www.w3.org/ns/widgets">
  <name>Hello</name>
  <content src="index.html" />
  <preference name="Orientation" value="portait" />
  <plugin name="cordova-plugin-camera" />
  <plugin name="cordova-plugin-ble-central" />
  <platform name="android">
    <icon src="icon.png" density="xxhpdi" />
  </platform>
</widget>
`;

/** Settings that hide everything around the subjects of the pictures. */
const SETTINGS = {
  'appBuild.notify': 'always',
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.wordWrap': 'on',
  'window.menuBarVisibility': 'hidden',
  'workbench.layoutControl.enabled': false,
};

/**
 * Opens a window with a sample project and the user's own data at the local service. @param files project files that replace the sample's
 */
async function openSample(kind: SampleKind, files: Readonly<Record<string, string>> = {}): Promise<WorkbenchPage> {
  const workbench = await openWindow({ settings: SETTINGS });
  await makeOwnData('ann');
  const { folder } = await writeSampleProject(inWorkspace(), kind, { language: 'en', toText: formatSentence });
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(folder, name), text);
  }
  await workbench.goTo(`/?${new URLSearchParams({ folder }).toString()}`);
  await prepareWindow(workbench);
  return workbench;
}

describe('the pictures', () => {
  it('show the way from a folder to a phone', async () => {
    const workbench = await openSample('pwa');
    const { page } = workbench;
    await workbench.openViewContainer('App Build');
    await workbench.runCommand('App Build: Start Local Service');
    await workbench.treeRow('ann').waitFor();
    await workbench.treeRow('ann').locator('.monaco-tl-twistie').click();
    await workbench.treeRow('list-app').click();
    // The question whether to share on the network is asked only once.
    await workbench.runCommand('App Build: Preview');
    await workbench.webview.getByRole('button', { name: 'Open on a Phone…' }).click();
    await workbench.answerDialog('Share');
    const code = workbench.webview;
    await code.getByRole('link', { name: 'Stop Sharing' }).click();
    await workbench.runCommand('View: Close All Editors');
    await workbench.clearNotifications();
    await page.locator('.statusbar').getByText('is no longer shared').waitFor({ state: 'hidden' });
    const loop = new Loop(workbench);
    await loop.hold(300);
    const row = workbench.treeRow('list-app');
    await loop.click(row.locator('.action-label[aria-label="Build App"]'), row);
    await loop.until(
      Promise.all([
        workbench.notification('Shopping List 1.0.0 for Android is ready').waitFor(),
        workbench.treeRow(/^Shopping List.*✓/).waitFor(),
      ]),
    );
    await loop.hold(500);
    await loop.readTexts('built');
    await loop.click(workbench.notification('is ready').locator('.monaco-button', { hasText: 'Install' }));
    await code.getByText('Waiting for a phone…').waitFor();
    await pointAtNothing(page);
    await workbench.notification('Downloading').waitFor({ state: 'hidden' });
    await loop.hold(700);
    await loop.readTexts('the code');
    const phone = await openTab();
    await phone.setViewportSize(PHONE);
    await phone.emulateMedia({ colorScheme: 'dark' });
    await phone.goto(await code.locator('code').innerText());
    await page.bringToFront();
    await code.getByText('A phone opened the page').waitFor();
    await loop.holdPhone(phone, 1_500);
    await phone.close();
    await loop.keepInStep('loop');
  }).timeout(TAKING_TIMEOUT_MS);

  it('show the mistakes in config.xml and a quick fix', async () => {
    const workbench = await openSample('cordova', {
      'config.xml': CONFIG,
      'www/js/app.js': 'ble.scan([], 5, console.log);\n',
    });
    const { page } = workbench;
    await workbench.treeRow('config.xml').dblclick();
    await workbench.tab('config.xml').waitFor();
    await workbench.openViewContainer('App Build');
    await workbench.runCommand('App Build: Start Local Service');
    await workbench.treeRow('ann').waitFor();
    await workbench.runCommand('App Build: Check');
    await page.locator('.squiggly-error').first().waitFor();
    await workbench.clearNotifications();
    await workbench.expandTreeRow('Would fail');
    await workbench.treeRow('ble-central').waitFor();
    await page.locator('.activitybar .progress-badge').waitFor({ state: 'hidden' });
    await page.locator('.view-line', { hasText: 'portait' }).click({ position: { x: 400, y: 9 } });
    await tryAgain(page, async (timeout) => {
      await page.keyboard.press('ControlOrMeta+.');
      await page.locator('.action-widget', { hasText: 'Change to' }).waitFor({ timeout });
    });
    await windowPicture('config', workbench);
  });

  it('show the app beside its code', async () => {
    const workbench = await openSample('pwa');
    // The browser's own color scheme would override the panel's.
    await workbench.page.emulateMedia({ colorScheme: null });
    await workbench.treeRow('style.css').dblclick();
    await workbench.tab('style.css').waitFor();
    await workbench.runCommand('View: Close Primary Side Bar');
    await workbench.runCommand('App Build: Preview');
    const app = workbench.previewedApp;
    for (const item of ['Bread', 'Tomatoes', 'Olive oil', 'Coffee']) {
      await app.getByLabel('What do you need?').fill(item);
      await app.getByRole('button', { name: 'Add' }).click();
    }
    await app.getByRole('checkbox').nth(1).check();
    await workbench.page.locator('.colorpicker-color-decoration').first().waitFor();
    await windowPicture('preview', workbench);
  });

  it('show a build with its log and the next steps', async () => {
    const workbench = await openSample('pwa');
    await workbench.openViewContainer('App Build');
    await workbench.clickWelcome('Build App');
    await workbench.notification('is ready').waitFor();
    await workbench.runCommand('App Build: Show Log');
    await workbench.page.locator('.editor-group-container').getByText('Built Shopping').first().waitFor();
    await workbench.clearNotifications();
    await workbench.runCommand('App Build: Build App');
    await workbench.notification('is ready').waitFor();
    await workbench.treeRow(/^Shopping List.*✓/).hover();
    await windowPicture('build', workbench);
  });

  it('show how to sign in to a team’s service', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'app-build-service-'));
    const service = await startLocalService({ dataFolder: directory, demo: false });
    try {
      renameOwner(directory, 'ann');
      const workbench = await openSample('pwa');
      await workbench.runCommand('App Build: Connect to a Service…');
      await workbench.question('Address of the application build service').waitFor();
      await workbench.quickInput.fill('build.example.com');
      const page = await openTab();
      await page.setViewportSize({ width: 460, height: 400 });
      await page.goto(`${service.baseUrl}/authorize?client_id=${service.clientId}`);
      await page.getByLabel('User name').fill('ann');
      await page.getByLabel('Password').fill(service.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Allow' }).waitFor();
      await windowPicture('sign-in', workbench, page);
      await page.close();
    } finally {
      await service.stop();
      await rm(directory, { recursive: true, maxRetries: 3 });
    }
  });
});
