import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { activated, until } from './support/extension.ts';

const SYNTAX_AND_PREFERENCE = `<widget id="com.example.app" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">
  <name>App</name>
  <feature name="A"><nothing/></feature>
  <preference name="Orientaton" value="portrait"/>
`;

describe('a config.xml that an XML extension reads, too', () => {
  let folder: string;

  before(async () => {
    await activated();
    assert.ok(vscode.extensions.getExtension('redhat.vscode-xml'), 'the stand-in is installed');
    folder = await mkdtemp(path.join(os.tmpdir(), 'app-build-xml-'));
    await mkdir(path.join(folder, 'www'));
    await writeFile(path.join(folder, 'www', 'index.html'), '');
  });

  after(async () => {
    await validation(undefined);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  it('has its mistakes of syntax told by that, unless it is told not to, and the rest by this one', async () => {
    await validation(true);
    const file = path.join(folder, 'config.xml');
    await writeFile(file, SYNTAX_AND_PREFERENCE);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    await diagnosed(document, ['unknownElement', 'unknownPreference']);
    await validation(false);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(document.lineCount, 0), '\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await diagnosed(document, ['notClosed', 'unknownElement', 'unknownPreference']);
  });
});

/** Waits until a document has problems with these codes, and no other. */
async function diagnosed({ uri }: vscode.TextDocument, codes: readonly string[]): Promise<void> {
  const isAsExpected = (): boolean =>
    vscode.languages
      .getDiagnostics(uri)
      .map(({ code }) => (typeof code === 'object' ? code.value : code))
      .sort()
      .join() === codes.join();
  await until(vscode.languages.onDidChangeDiagnostics, isAsExpected);
}

async function validation(isEnabled: boolean | undefined): Promise<void> {
  const settings = vscode.workspace.getConfiguration('xml.validation');
  await settings.update('enabled', isEnabled, vscode.ConfigurationTarget.Global);
}
