import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { Redactor } from '../../src/service-client/index.ts';
import { absentFiles, filesBelow } from '../../src/extension/config-editor/configFolder.ts';
import { OpenConfigFiles } from '../../src/extension/config-editor/openConfigFiles.ts';
import { Log } from '../../src/extension/workbench/log.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { activated, next } from './support/extension.ts';
import { MemoryFiles } from './support/memoryFiles.ts';
import { deleteFiles, openFolder, writeFiles } from './support/webProject.ts';

const WIDGET = '<widget id="com.example.app" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">';

/** Returns a config.xml whose only problems are in `lines`. */
const config = (...lines: readonly string[]) =>
  ['<?xml version="1.0" encoding="utf-8"?>', WIDGET, '  <name>App</name>', ...lines, '</widget>', ''].join('\n');

const WRONG = config('  <icon src="res/no.png" />');

describe('config.xml in the editor', () => {
  before(async () => {
    await activated();
    // VS Code watches a new folder with a delay, and never reports a folder that was created in it before that.
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(openFolder(), 'site/*.txt'));
    let isWatched = false;
    watcher.onDidCreate(() => (isWatched = true));
    let files = 0;
    await waitUntil(async () => {
      await writeFiles({ [`site/${(files += 1)}.txt`]: '' });
      return isWatched;
    });
    watcher.dispose();
  });

  after(() => deleteFiles('site'));

  let tests = 0;
  /** Folder of the current test. Every test has a new one, because VS Code caches a file's content for a while. */
  let app: string;

  beforeEach(async () => {
    app = `app${(tests += 1)}`;
    await writeFiles({ [`${app}/www/index.html`]: '<p>Hello</p>' });
  });

  afterEach(() => deleteFiles(app, 'other'));

  it('loads the editor code again with the next file if the first attempt fails', async () => {
    // This log writes to the extension's own channel, so the test doesn't dispose it.
    const log = new Log(new Redactor());
    const opened: string[] = [];
    const gone = new Error('The extension was updated.');
    let loads = 0;
    const files = new OpenConfigFiles(() => {
      loads += 1;
      return loads === 1 ? Promise.reject(gone) : Promise.resolve(({ uri }) => void opened.push(uri.path));
    }, log);
    try {
      await open(`${app}/config.xml`, config());
      await waitUntil(() => log.recentFailures.length > 0);
      await open(`${app}/www/config.xml`, config());
      await waitUntil(() => opened.some((name) => name.endsWith(`${app}/www/config.xml`)));
      assert.deepEqual(
        log.recentFailures.map(({ error }) => error),
        [gone],
      );
      assert.equal(loads, 2);
    } finally {
      files.dispose();
    }
  });

  it('shows each problem at its position, with a link to its rule', async () => {
    const document = await open(`${app}/config.xml`, config());
    assert.deepEqual(problems(document), []);
    const expected = {
      '  <access «allow»="*" />': 'unknownAttribute',
      '  <content «src="no.html"» />': 'startPageMissing',
      '  <«cdv»:icon src="www/index.html" />': 'undeclaredPrefix',
    };
    for (const [marked, code] of Object.entries(expected)) {
      const problem = `${code}: ${/«(.*)»/.exec(marked)?.[1] ?? ''}`;
      // A check that began before the change may report its end after it.
      await diagnosed(
        document,
        () => change(document, config(marked.replace(/[«»]/g, ''))),
        () => problems(document).includes(problem),
      );
      for (const { code, source } of vscode.languages.getDiagnostics(document.uri)) {
        assert.match(typeof code === 'object' ? String(code.target) : String(code), /^https:|^undeclaredPrefix$/);
        assert.equal(source, 'App Build');
      }
    }
    // The warning refers to the element that counts, and fades the other one.
    const content = '  <content src="index.html" />';
    await diagnosed(
      document,
      () => change(document, config(content, content)),
      () => problems(document).join() === 'repeatedElement: content',
    );
    const [repeated] = vscode.languages.getDiagnostics(document.uri);
    assert.equal(repeated?.severity, vscode.DiagnosticSeverity.Warning);
    assert.deepEqual(repeated.tags, [vscode.DiagnosticTag.Unnecessary]);
    assert.equal(repeated.relatedInformation?.[0]?.location.range.start.line, repeated.range.start.line - 1);
  });

  it('offers a quick fix', async () => {
    const document = await open(`${app}/config.xml`, config('  <access allow="*" />'));
    const [problem] = vscode.languages.getDiagnostics(document.uri);
    assert.ok(problem);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      problem.range,
    );
    const fix = actions.find(({ isPreferred }) => isPreferred);
    assert.ok(fix?.edit, actions.map(({ title }) => title).join());
    assert.match(fix.title, /origin/);
    assert.equal(fix.kind?.value, 'quickfix');
    const { edit } = fix;
    await diagnosed(
      document,
      () => vscode.workspace.applyEdit(edit),
      () => problems(document).length === 0,
    );
    assert.match(document.getText(), /<access origin="\*" \/>/);
  });

  it('is checked again when a file that it refers to is created or deleted', async () => {
    const document = await open(`${app}/config.xml`, WRONG);
    assert.deepEqual(problems(document), ['fileMissing: src="res/no.png"']);
    const folder = path.dirname(document.uri.fsPath);
    await mkdir(path.join(folder, 'res'));
    await diagnosed(
      document,
      () => writeFile(path.join(folder, 'res', 'no.png'), ''),
      () => problems(document).length === 0,
    );
    await diagnosed(
      document,
      () => rm(path.join(folder, 'res'), { recursive: true }),
      () => problems(document).length === 1,
    );
    // Devices distinguish uppercase and lowercase letters, so this folder doesn't fix the problem.
    await mkdir(path.join(folder, 'Res'));
    await writeFile(path.join(folder, 'Res', 'no.png'), '');
    await change(document, `${WRONG}\n`);
    await diagnosed(document, () => document.save());
    assert.deepEqual(problems(document), ['fileMissing: src="res/no.png"']);
  });

  it('has no error while its pages aren’t built, and points to the script in package.json', async () => {
    await deleteFiles(`${app}/www`);
    await writeFiles({ [`${app}/package.json`]: '{"scripts":{"build":"ng build"}}' });
    const document = await open(`${app}/config.xml`, config());
    const told = () =>
      vscode.languages.getDiagnostics(document.uri).map(({ severity, message }) => [severity, message]);
    const absent = [
      vscode.DiagnosticSeverity.Information,
      'The web files haven’t been built yet: index.html doesn’t exist. Build the web files first: run “npm run build”.',
    ];
    assert.deepEqual(told(), [absent]);
    // A folder with other files belongs to the user, unless Git ignores it.
    await diagnosed(
      document,
      () => writeFiles({ [`${app}/www/app.js`]: '' }),
      () => told()[0]?.[0] === vscode.DiagnosticSeverity.Error,
    );
    await writeFiles({ [`${app}/.gitignore`]: '/www\n' });
    await change(document, `${config()}\n`);
    await diagnosed(
      document,
      () => document.save(),
      () => told()[0]?.[0] === vscode.DiagnosticSeverity.Information,
    );
    assert.deepEqual(told(), [absent]);
  });

  it('has no problems after it’s closed or deleted', async () => {
    await writeFiles({ [`${app}/config.xml`]: WRONG });
    const uri = vscode.Uri.joinPath(openFolder().uri, app, 'config.xml');
    const count = () => vscode.languages.getDiagnostics(uri).length;
    const show = () => vscode.commands.executeCommand('vscode.open', uri);
    const close = () => vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    // VS Code keeps a document for a while if an extension has opened it, but not if a user has.
    for (const [run, expected] of [
      [show, 1],
      [close, 0],
      [show, 1],
      [() => rm(uri.fsPath), 0],
    ] as const) {
      await diagnosed({ uri }, run, () => count() === expected);
    }
  });

  it('is checked if its root or the files next to it show that it belongs to an app', async () => {
    await writeFiles({
      'other/page/index.html': '',
      'other/page/early/index.html': '',
      'other/package/package.json': '{"cordova":{"platforms":["ios"]}}',
      'other/capacitor/ios/App/App/capacitor.config.json': '{"webDir":"dist"}',
      'other/capacitor/package.json': '{"dependencies":{"@capacitor/core":"7.0.0"}}',
      'other/tizen/index.html': '',
      'other/app/platforms/browser/www/index.html': '',
      'other/app/plugins/a/www/a.js': '',
      'other/app/node_modules/a/www/a.js': '',
    });
    const ours = ['other/page/config.xml', 'other/package/config.xml'];
    for (const name of ours) {
      assert.notDeepEqual(problems(await openUnseen(name, WRONG)), [], name);
    }
    const early = await openUnseen('other/page/early/config.xml', `<access origin="*" />\n${WIDGET}</widget>`);
    assert.deepEqual(problems(early), ['wrongRoot: access']);
    const others = {
      [`${app}/config.xml`]: '<project><actions/></project>',
      'other/tizen/config.xml': WRONG.replace('<widget', '<widget xmlns:tizen="http://tizen.org/ns/widgets"').replace(
        '</name>',
        '</name><tizen:application id="a.b" package="a" required_version="2.3"/>',
      ),
      'other/config.xml': WRONG,
      'other/capacitor/config.xml': WRONG,
      'other/capacitor/android/app/src/main/res/xml/config.xml': WRONG,
      'other/capacitor/ios/App/App/config.xml': WRONG,
      'other/app/platforms/browser/www/config.xml': WRONG,
      'other/app/plugins/a/config.xml': WRONG,
      'other/app/node_modules/a/config.xml': WRONG,
      [`${app}/notconfig.xml`]: WRONG,
    };
    for (const [name, text] of Object.entries(others)) {
      const document = await (name.endsWith('/config.xml') ? openUnseen(name, text) : show(name, text));
      assert.deepEqual(problems(document), [], name);
      assert.deepEqual(await completions(document, WIDGET.length + 45), [], name);
      assert.deepEqual(await hover(document, text.indexOf('widget') + 1), [], name);
    }
  });

  it('is checked as soon as its folder becomes an app’s folder', async () => {
    const document = await open('site/config.xml', WRONG);
    assert.deepEqual(problems(document), []);
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(openFolder(), 'site/{www,www/index.html}'),
    );
    // VS Code reports a deletion only if it has reported the creation. For a file in a new folder, it may report only the folder.
    const told = next(watcher.onDidCreate);
    await diagnosed(
      document,
      () => writeFiles({ 'site/www/index.html': '' }),
      () => problems(document).length === 1,
    );
    await told;
    watcher.dispose();
    await diagnosed(
      document,
      () => deleteFiles('site/www'),
      () => problems(document).length === 0,
    );
  });

  it('is completed at the cursor, even in a malformed text', async () => {
    await writeFiles({ [`${app}/res/icon.png`]: '', [`${app}/www/js/a.js`]: '' });
    const document = await open(`${app}/config.xml`, config());
    const before = config().replace('</widget>\n', '');
    for (const [line, expected] of [
      ['  <preference name="Ori', 'Orientation'],
      ['  <content src="', 'index.html'],
      ['  <icon src="res/', 'icon.png'],
    ] as const) {
      await change(document, `${before}${line}\n  <icon src="res/icon.png" />\n</widget>\n`);
      const offered = await completions(document, before.length + line.length);
      assert.ok(offered.includes(expected), offered.join());
    }
  });

  it('is explained on hover', async () => {
    const lines = ['  <preference name="Orientation" value="portrait" />', '  <access origin="*" />'];
    const document = await open(`${app}/config.xml`, config(...lines));
    const text = document.getText();
    for (const [word, expected] of [
      ['preference', /^\n?```xml\n<preference name="…"/],
      ['Orientation', /^\n?```xml\n<preference name="Orientation" value="default" \/>[^]*\[Documentation\]\(https:/],
      ['origin', /^\n?```xml\norigin="…"/],
    ] as const) {
      const [shown = ''] = await hover(document, text.indexOf(word) + 1);
      assert.match(shown, expected);
    }
    assert.deepEqual(await hover(document, text.indexOf('App') + 1), []);
  });

  it('completes the builder’s plugins with descriptions, and describes other plugins', async () => {
    const document = await open(`${app}/config.xml`, config('  <plugin name="" />', '  <plugin name="a-b" />'));
    const at = document.getText().indexOf('name=""') + 'name="'.length;
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      document.positionAt(at),
    );
    const camera = items.find(({ label }) => label === 'cordova-plugin-camera');
    assert.equal(camera?.kind, vscode.CompletionItemKind.Module);
    assert.match((camera.documentation as vscode.MarkdownString).value, /photos[^]*Supported[^]*npmjs/);
    const [shown = ''] = await hover(document, document.getText().indexOf('a-b') + 1);
    assert.match(shown, /Not available in the built\\-in builder/);
  });

  it('leaves syntax errors to an XML extension, unless its validation is turned off', async () => {
    assert.ok(vscode.extensions.getExtension('redhat.vscode-xml'), 'the stand-in is installed');
    const settings = vscode.workspace.getConfiguration('xml.validation');
    const validate = (isOn: boolean | undefined) => settings.update('enabled', isOn, vscode.ConfigurationTarget.Global);
    const wrong = '  <feature name="A"><nothing/></feature>\n  <preference name="Orientaton" value="portrait"/>';
    try {
      await validate(true);
      const document = await open(`${app}/config.xml`, config(wrong).replace('</widget>', ''));
      assert.deepEqual(problems(document), ['unknownElement: nothing', 'unknownPreference: Orientaton']);
      await validate(false);
      await diagnosed(document, () => change(document, `${document.getText()}\n`));
      assert.deepEqual(problems(document), [
        'notClosed: <widget',
        'unknownElement: nothing',
        'unknownPreference: Orientaton',
      ]);
    } finally {
      await validate(undefined);
    }
  });

  it('is also checked in a virtual folder', async () => {
    const files = new MemoryFiles({ '/app/config.xml': WRONG, '/app/www/Index.html': '', '/app/www/js/a.js': '' });
    const scheme = 'virtual-config';
    const registered = vscode.workspace.registerFileSystemProvider(scheme, files, { isReadonly: true });
    const folder = vscode.Uri.from({ scheme, path: '/app' });
    const uri = vscode.Uri.joinPath(folder, 'config.xml');
    try {
      const named = ['index.html', 'js/a.js', 'js/a.js/b'].map((name) => ({
        path: name,
        candidates: [`www/${name}`, name],
      }));
      assert.deepEqual([...(await absentFiles(folder, named, undefined)).keys()], ['index.html', 'js/a.js/b']);
      assert.deepEqual(await filesBelow(uri, 'page', 'j'), [
        { name: 'Index.html', isFolder: false },
        { name: 'js', isFolder: true },
      ]);
      assert.deepEqual(await filesBelow(uri, 'page', '../../'), []);
    } finally {
      registered.dispose();
    }
  });
});

/** Writes a file, opens it, and waits until it has been checked. */
async function open(name: string, text: string): Promise<vscode.TextDocument> {
  return diagnosed({ uri: vscode.Uri.joinPath(openFolder().uri, name) }, () => show(name, text));
}

/** Like {@link open}, but without an editor. */
async function openUnseen(name: string, text: string): Promise<vscode.TextDocument> {
  await writeFiles({ [name]: text });
  const uri = vscode.Uri.joinPath(openFolder().uri, name);
  return diagnosed({ uri }, () => vscode.workspace.openTextDocument(uri));
}

async function show(name: string, text: string): Promise<vscode.TextDocument> {
  await writeFiles({ [name]: text });
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(openFolder().uri, name));
  const editor = await vscode.window.showTextDocument(document);
  const end = document.lineAt(2).range.end;
  editor.selection = new vscode.Selection(end, end);
  return document;
}

/** Returns the code and the marked text of each problem. */
function problems(document: vscode.TextDocument): string[] {
  return vscode.languages
    .getDiagnostics(document.uri)
    .map((each) => `${getCode(each)}: ${document.getText(each.range)}`);
}

function getCode({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : code);
}

async function completions(document: vscode.TextDocument, offset: number): Promise<string[]> {
  const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
    'vscode.executeCompletionItemProvider',
    document.uri,
    document.positionAt(offset),
  );
  return items
    .filter(({ kind }) => kind !== vscode.CompletionItemKind.Text)
    .map(({ label }) => (typeof label === 'string' ? label : label.label));
}

/** Returns the text of a hover. */
async function hover(document: vscode.TextDocument, offset: number): Promise<string[]> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    document.positionAt(offset),
  );
  return hovers.flatMap(({ contents }) => (contents as vscode.MarkdownString[]).map(({ value }) => value));
}

async function change(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** Resolves with the result of `run` when a file has been checked after it and has the expected problems. */
async function diagnosed<T>(
  { uri }: { readonly uri: vscode.Uri },
  run: () => Thenable<T>,
  isDone: () => boolean = () => true,
): Promise<T> {
  const shown = next(
    vscode.languages.onDidChangeDiagnostics,
    ({ uris }) => uris.some((each) => each.toString() === uri.toString()) && isDone(),
  );
  const result = await run();
  await shown;
  return result;
}
