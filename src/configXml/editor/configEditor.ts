import * as vscode from 'vscode';
import { Completions, TRIGGER_CHARACTERS } from './completions.ts';
import { CONFIG_FILES, ConfigFiles } from './configFiles.ts';
import { ConfigProblems } from './configProblems.ts';
import { Hovers } from './hovers.ts';
import type { ConfigEditor } from './openConfigFiles.ts';
import { QuickFixes } from './quickFixes.ts';
import { RedHatXml } from './redHatXml.ts';

export interface ConfigEditorDependencies {
  /** For the files of the schema that an XML extension reads. */
  readonly globalStorageUri: vscode.Uri;
  readonly register: <T extends vscode.Disposable>(disposable: T) => T;
}

/** Registers problems, quick fixes, completion and hover for config.xml. */
export function createConfigEditor({ globalStorageUri, register }: ConfigEditorDependencies): ConfigEditor {
  const redHat = new RedHatXml(globalStorageUri);
  const files = register(new ConfigFiles());
  const problems = register(new ConfigProblems({ files, redHat }));
  register(vscode.languages.registerCodeActionsProvider(CONFIG_FILES, new QuickFixes(problems), QuickFixes.kinds));
  register(vscode.languages.registerHoverProvider(CONFIG_FILES, new Hovers(files, redHat)));
  register(
    vscode.languages.registerCompletionItemProvider(
      CONFIG_FILES,
      new Completions(files, redHat),
      ...TRIGGER_CHARACTERS,
    ),
  );
  return { opened: (document) => problems.open(document) };
}
