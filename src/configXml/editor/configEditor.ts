import * as vscode from 'vscode';
import { Completions, TRIGGER_CHARACTERS } from './completions.ts';
import { CONFIG_FILES, ConfigFiles, type ReadConfigFolder } from './configFiles.ts';
import { ConfigProblems, QuickFixes } from './configProblems.ts';
import { Hovers } from './hovers.ts';
import type { ConfigEditor } from './openConfigFiles.ts';

/** Registers problems, quick fixes, completion and hover for config.xml. */
export function createConfigEditor(
  readConfigFolder: ReadConfigFolder,
  register: <T extends vscode.Disposable>(disposable: T) => T,
): ConfigEditor {
  const files = register(new ConfigFiles(readConfigFolder));
  const problems = register(new ConfigProblems(files));
  register(vscode.languages.registerCodeActionsProvider(CONFIG_FILES, new QuickFixes(problems), QuickFixes.kinds));
  register(vscode.languages.registerHoverProvider(CONFIG_FILES, new Hovers(files)));
  register(
    vscode.languages.registerCompletionItemProvider(CONFIG_FILES, new Completions(files), ...TRIGGER_CHARACTERS),
  );
  return (document) => problems.open(document);
}
