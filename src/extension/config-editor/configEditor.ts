import * as vscode from 'vscode';
import type { ReadConfigFolder } from './configFolder.ts';
import { completionsAt, TRIGGER_CHARACTERS } from './completions.ts';
import { ConfigFiles, quickFixes } from './configFiles.ts';
import { hoverAt } from './hovers.ts';
import type { ReadPluginSupport } from './plugins.ts';
import type { ConfigEditor } from './openConfigFiles.ts';

/** Selects config.xml in any language mode, because users may choose a mode other than XML. */
const CONFIG_FILES: vscode.DocumentSelector = { pattern: '**/config.xml' };

/** Registers diagnostics, quick fixes, completion, and hovers for config.xml. */
export function createConfigEditor(
  readConfigFolder: ReadConfigFolder,
  readSupport: ReadPluginSupport,
  register: <T extends vscode.Disposable>(disposable: T) => T,
): ConfigEditor {
  const files = register(new ConfigFiles(readConfigFolder));
  register(
    vscode.languages.registerCodeActionsProvider(
      CONFIG_FILES,
      { provideCodeActions: (document, range) => quickFixes(files, document, range) },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
  register(
    vscode.languages.registerHoverProvider(CONFIG_FILES, {
      provideHover: (document, position) => hoverAt(files, document, position, readSupport(document.uri)),
    }),
  );
  register(
    vscode.languages.registerCompletionItemProvider(
      CONFIG_FILES,
      {
        provideCompletionItems: (document, position) =>
          completionsAt(files, document, position, readSupport(document.uri)),
      },
      ...TRIGGER_CHARACTERS,
    ),
  );
  return (document) => files.open(document);
}
