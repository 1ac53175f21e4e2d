import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { repositoryRoot } from '../support/repository.ts';

const SYNTAX = 'no-restricted-syntax';
const WALLS = 'no-restricted-imports';

const configFile = pathToFileURL(path.join(repositoryRoot, 'eslint.config.mjs')).href;
const { default: config } = (await import(configFile)) as { readonly default: readonly Linter.Config[] };

/** Returns the messages that a rule reports about source code in a file. The default is the syntax rule. */
function complaints(
  source: string,
  file = 'src/extension/commands/accountCommands.ts',
  name = SYNTAX,
): readonly string[] {
  const rules = config
    .filter((entry) => entry.rules?.[name] !== undefined)
    .map(({ files, rules: { [name]: rule } = {} }) => ({ ...(files && { files }), rules: { [name]: rule ?? 'off' } }));
  const typescript = { files: ['**/*.ts'], languageOptions: { parser } };
  return new Linter({ configType: 'flat' }).verify(source, [typescript, ...rules], file).map(({ message }) => message);
}

describe('the lint rules', () => {
  it('forbid imports from another room, except from its index.ts', () => {
    const walls = (file: string, ...imports: readonly string[]) =>
      imports.map((from) => complaints(`import { a } from '${from}';`, file, WALLS).length);
    const face = '../../android-package/index.ts';
    const inside = '../../android-package/png.ts';
    assert.deepEqual(walls('src/build-service/routes/appRoutes.ts', face, inside, 'vscode'), [0, 1, 1]);
    assert.deepEqual(walls('src/config-xml/checks/files.ts', face, inside, '../../extension/later.ts'), [0, 1, 1]);
    assert.deepEqual(
      walls('src/web-project/projectLayout.ts', '../config-xml/index.ts', './limits.ts', 'vscode'),
      [0, 0, 1],
    );
    assert.deepEqual(
      walls('src/extension/commands/appCommands.ts', face.replace('..', '../..'), '../apps/appErrors.ts'),
      [0, 0],
    );
    assert.deepEqual(walls('src/extension/apps/rows/appNode.ts', `../${inside}`, '../builds/names.ts'), [1, 1]);
    assert.deepEqual(
      walls('src/extension/apps/builds/names.ts', '../appErrors.ts', '../../devices/devices.ts'),
      [0, 1],
    );
    assert.deepEqual(walls('src/extension/workbench/log.ts', '../auth/session.ts', '../../extension.ts'), [1, 1]);
    assert.deepEqual(
      walls('src/extension/service-host/localService.ts', '../../build-service/index.ts', '../../errors/index.ts'),
      [1, 0],
    );
    assert.deepEqual(walls('src/extension/resources/tree/treeNode.ts', '../../apps/appErrors.ts', 'vscode'), [1, 0]);
    assert.deepEqual(walls('src/extension.ts', './android-package/png.ts', './extension/later.ts'), [1, 0]);
  });

  for (const source of [
    'vscode.window.createQuickPick();',
    'const show = vscode.window.showErrorMessage;',
    'vscode.window.someFutureSurface(text);',
    "vscode.window['showInputBox']();",
    "vscode['window'].showInputBox();",
    'const { window } = vscode;',
    'const open = vscode.window;',
    'f(vscode.window);',
    "import { window } from 'vscode';",
  ]) {
    it(`forbid ${source} in files that don’t escape text`, () => {
      assert.deepEqual(complaints(source), ['Call a function of workbench/, which escapes the text.']);
    });
  }

  for (const source of [
    "import { writeFile } from 'node:fs/promises';",
    "import { createWriteStream } from 'fs';",
    "import { rename as move } from 'node:fs/promises';",
    "import fs from 'node:fs';",
    "import * as files from 'node:fs/promises';",
    "await open(file, 'wx');",
    'await vscode.workspace.fs.writeFile(uri, bytes);',
    'const { fs } = vscode.workspace;',
    'const files = vscode.workspace.fs;',
  ]) {
    it(`forbid writing to the user’s folders outside resources/downloads/: ${source}`, () => {
      const message = 'Only resources/downloads/ writes into the user’s folders, and never through a link.';
      assert.deepEqual(complaints(source), [message]);
      assert.deepEqual(complaints(source, 'src/extension/workbench/input.ts'), [message]);
      assert.deepEqual(complaints(source, 'src/extension/resources/downloads/writeIntoFolder.ts'), []);
      assert.deepEqual(complaints(source, 'src/build-service/store/dataFiles.ts'), []);
    });
  }

  it('let only http-server/ start a server', () => {
    const source = "import { createServer } from 'node:http';";
    const message = 'Start a server with http-server/, which limits its hosts and connections and ends all of them.';
    for (const file of ['src/extension/devices/devices.ts', 'src/build-service/server.ts', 'src/apk.ts']) {
      assert.deepEqual(complaints(source, file), [message]);
    }
    assert.deepEqual(complaints(source, 'src/http-server/httpServer.ts'), []);
  });

  it('let every room read files', () => {
    assert.deepEqual(complaints("import { open, readFile } from 'node:fs/promises'; await open(file, 'r');"), []);
    assert.deepEqual(complaints('await vscode.workspace.fs.readFile(uri);'), []);
  });

  it('let files that escape text call vscode.window, and let every file open editors', () => {
    const source = 'vscode.window.createInputBox(); vscode.window.setStatusBarMessage(plainText(text));';
    assert.deepEqual(complaints(source, 'src/extension/workbench/input.ts'), []);
    assert.deepEqual(
      complaints('vscode.window.createTreeView(id, options);', 'src/extension/resources/tree/resourceTree.ts'),
      [],
    );
    assert.deepEqual(complaints('vscode.window.showTextDocument(vscode.window.activeTextEditor.document);'), []);
  });

  for (const [source, message] of [
    [
      'new vscode.MarkdownString(text);',
      'VS Code would render links in a text from a service. Only workbench/markdown.ts creates formatted texts.',
    ],
    ['text.isTrusted = true;', 'VS Code would render icons, markup, and commands in a text from a service.'],
    ['f({ supportThemeIcons: true });', 'VS Code would render icons, markup, and commands in a text from a service.'],
  ] as const) {
    it(`forbid ${source} in every file`, () => {
      for (const file of [
        'src/extension/commands/accountCommands.ts',
        'src/extension/workbench/input.ts',
        'src/extension/resources/tree/treeNode.ts',
      ]) {
        assert.deepEqual(complaints(source, file), [message]);
      }
    });
  }
});
