import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activated, next } from './support/extension.ts';
import { deleteFiles, openFolder, writeFiles } from './support/webProject.ts';

const PAGES = { 'app/www/index.html': '<p>Hello</p>' };
const WIDGET = '<widget id="com.example.app" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">';

/** A config.xml with nothing wrong but what is in `lines`. */
const config = (...lines: readonly string[]) =>
  ['<?xml version="1.0" encoding="utf-8"?>', WIDGET, '  <name>App</name>', ...lines, '</widget>', ''].join('\n');

describe('config.xml in the editor', () => {
  before(activated);

  beforeEach(() => writeFiles(PAGES));

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await deleteFiles('app', 'folders');
  });

  it('has problems where they are, and a link to the rule', async () => {
    const document = await open('app/config.xml', config());
    assert.deepEqual(problems(document), []);
    const expected = {
      '  «<access allow="*" />»': 'missingAttribute',
      '  <access «allow»="*" />': 'unknownAttribute',
      '  <«preferense» name="Orientation" value="portrait" />': 'unknownElement',
      '  <preference name="«Orientaton»" value="portrait" />': 'unknownPreference',
      '  <preference name="Orientation" value="«sideways»" />': 'badValue',
      '  <icon src="«res/no.png»" />': 'fileMissing',
      '  <content src="«no.html»" />': 'startPageMissing',
      '  <«cdv:icon» src="www/index.html" />': 'undeclaredPrefix',
    };
    for (const [marked, code] of Object.entries(expected)) {
      await change(document, config(marked.replace(/[«»]/g, '')));
      await checked(document, () => document.save());
      assert.ok(
        marked.includes('') && problems(document).some((problem) => problem === `${code} ${markedText(marked)}`),
        `${marked}: ${problems(document).join('; ')}`,
      );
    }
    for (const { code } of vscode.languages.getDiagnostics(document.uri)) {
      assert.match(typeof code === 'object' ? String(code.target) : '', /^https:/);
    }
  });
});

function markedText(marked: string): string {
  return /«(.*)»/.exec(marked)?.[1] ?? '';
}

/** Writes a file, opens it, and waits until it has been checked. */
async function open(name: string, text: string): Promise<vscode.TextDocument> {
  await writeFiles({ [name]: text });
  const uri = vscode.Uri.joinPath(openFolder().uri, name);
  const shown = diagnosed(uri);
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  await shown;
  return document;
}

/** Code and marked text of each problem. */
function problems(document: vscode.TextDocument): string[] {
  return vscode.languages
    .getDiagnostics(document.uri)
    .map(({ code, range }) => `${String(typeof code === 'object' ? code.value : code)} ${document.getText(range)}`);
}

async function change(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** Resolves when a document has been checked after `run`. */
async function checked(document: vscode.TextDocument, run: () => Thenable<unknown>): Promise<void> {
  const shown = diagnosed(document.uri);
  await run();
  await shown;
}

function diagnosed(uri: vscode.Uri): Promise<unknown> {
  return next(vscode.languages.onDidChangeDiagnostics, ({ uris }) => uris.some((each) => String(each) === String(uri)));
}
