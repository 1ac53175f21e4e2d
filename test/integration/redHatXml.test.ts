import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseXml } from '@rgrove/parse-xml';
import * as vscode from 'vscode';
import { RedHatXml } from '../../src/configXml/editor/redHatXml.ts';
import { xsd } from '../../src/configXml/schema/xsd.ts';
import { activated, until } from './support/extension.ts';

/** What the stand-in of test/fixtures/xmlExtension exports. */
interface Handed {
  readonly catalogs: readonly string[];
  readonly associations: readonly { readonly systemId: string; readonly pattern: string }[];
}

const NAMESPACE = ' xmlns="http://www.w3.org/ns/widgets"';

describe('an XML extension and the schema of config.xml', () => {
  let directory: string;
  let storage: vscode.Uri;
  let xmlExtension: vscode.Extension<Handed>;
  let redHat: RedHatXml;

  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'app-build-xml-'));
    const found = vscode.extensions.getExtension<Handed>('redhat.vscode-xml');
    assert.ok(found, 'the stand-in is installed');
    xmlExtension = found;
  });

  beforeEach(async () => {
    storage = vscode.Uri.file(await mkdtemp(path.join(directory, 'storage-')));
    redHat = new RedHatXml(storage);
    await validation('enabled', true);
  });

  afterEach(async () => {
    await validation('enabled', undefined);
    await validation('schema.enabled', undefined);
  });

  after(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));

  it('gets a catalog for the namespace, which leads to the schema', async () => {
    assert.equal(await redHat.handOver(await opened('named', `<widget${NAMESPACE}/>`)), true);
    const catalogFile = path.join(storage.fsPath, 'configXml', 'catalog.xml');
    assert.ok(handed().catalogs.includes(catalogFile));
    const [entry] =
      parseXml(await readFile(catalogFile, 'utf8')).root?.children.filter((child) => 'attributes' in child) ?? [];
    assert.equal(entry?.attributes.name, 'http://www.w3.org/ns/widgets');
    const schema = await readFile(path.join(path.dirname(catalogFile), entry.attributes.uri ?? ''), 'utf8');
    assert.equal(schema, xsd(true));
    assert.deepEqual(handed().associations, []);
  });

  it('gets the other schema for the one file that has no namespace, until it has one', async () => {
    const document = await opened('odd [name] {a}', '<widget id="com.example.app"/>');
    assert.equal(await redHat.handOver(document), true);
    assert.equal(await redHat.handOver(document), true);
    const [association] = handed().associations;
    assert.equal(handed().associations.length, 1);
    assert.equal(association?.pattern.replace(/\\(.)/g, '$1'), document.uri.fsPath.replaceAll('\\', '/'));
    assert.match(association.pattern, /\\\[name\\\] \\\{a\\\}\/config\.xml$/);
    assert.equal(await readFile(fileURLToPath(association.systemId), 'utf8'), xsd(false));

    await replace(document, `<widget\n  xmlns = 'http://www.w3.org/ns/widgets'`);
    assert.equal(await redHat.handOver(document), true);
    assert.deepEqual(handed().associations, []);
  });

  it('keeps files that are as they should be', async () => {
    const document = await opened('kept', `<widget${NAMESPACE}/>`);
    await redHat.handOver(document);
    const folder = path.join(storage.fsPath, 'configXml');
    const times = async (): Promise<readonly number[]> =>
      Promise.all((await readdir(folder)).sort().map(async (name) => (await stat(path.join(folder, name))).mtimeMs));
    await writeFile(path.join(folder, 'config.xsd'), 'of an earlier version');
    const before = await times();
    await new RedHatXml(storage).handOver(document);
    const after = await times();
    assert.equal(await readFile(path.join(folder, 'config.xsd'), 'utf8'), xsd(true));
    assert.deepEqual([after[0], after[2]], [before[0], before[2]]);
    assert.equal(after.length, 3);
  });

  it('gets nothing where it would not check the file', async () => {
    const document = await opened('unchecked', `<widget${NAMESPACE}/>`);
    await validation('schema.enabled', 'never');
    assert.equal(await redHat.handOver(document), false);
    await validation('schema.enabled', undefined);
    await validation('enabled', false);
    assert.equal(await redHat.handOver(document), false);
    await validation('enabled', true);
    assert.equal(await redHat.handOver(await opened('other', '<widget xmlns="http://example.com/ns"/>')), false);
    const untitled = await vscode.workspace.openTextDocument({ language: 'xml', content: '<widget/>' });
    assert.equal(await redHat.handOver(untitled), false);
    const plain = await vscode.languages.setTextDocumentLanguage(document, 'plaintext');
    assert.equal(await redHat.handOver(plain), false);
    await assert.rejects(readdir(path.join(storage.fsPath, 'configXml')));
  });

  it('is handed nothing when the schema cannot be written, and again when it can', async () => {
    const document = await opened('blocked', `<widget${NAMESPACE}/>`);
    const folder = path.join(storage.fsPath, 'configXml');
    await writeFile(folder, 'a file in place of the folder');
    assert.equal(await redHat.handOver(document), false);
    await rm(folder);
    assert.equal(await redHat.handOver(document), true);
  });

  it('says what the schema says, and this extension the rest', async () => {
    await activated();
    await mkdir(path.join(directory, 'app', 'www'), { recursive: true });
    await writeFile(path.join(directory, 'app', 'www', 'index.html'), '');
    const text = `<widget id="com.example.app" version="1.0.0"${NAMESPACE}>
  <name>App</name>
  <feature name="A"><nothing/></feature>
  <preference name="Orientaton" value="portrait"/>
</widget>`;
    const document = await opened('app', text);
    await diagnosed(document, ['unknownPreference']);
    await validation('enabled', false);
    await replace(document, `${text}\n`);
    await diagnosed(document, ['unknownElement', 'unknownPreference']);
    await validation('enabled', true);
    await replace(document, text.replace('<nothing/>', '').replace('</widget>', ''));
    await diagnosed(document, ['unknownPreference']);
  });

  function handed(): Handed {
    return xmlExtension.exports;
  }

  /** Writes a config.xml into a folder of that name, and opens it. */
  async function opened(folder: string, text: string): Promise<vscode.TextDocument> {
    const file = path.join(directory, folder, 'config.xml');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return vscode.workspace.openTextDocument(vscode.Uri.file(file));
  }
});

/** Waits until a document has problems with these codes, and no other. */
async function diagnosed({ uri }: vscode.TextDocument, codes: readonly string[]): Promise<void> {
  const isAsExpected = (): boolean =>
    vscode.languages
      .getDiagnostics(uri)
      .map(({ code }) => (typeof code === 'object' ? code.value : code))
      .join() === codes.join();
  await until(vscode.languages.onDidChangeDiagnostics, isAsExpected);
}

async function validation(key: string, value: boolean | string | undefined): Promise<void> {
  const settings = vscode.workspace.getConfiguration('xml.validation');
  await settings.update(key, value, vscode.ConfigurationTarget.Global);
}

async function replace(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}
