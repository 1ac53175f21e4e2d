import type * as vscode from 'vscode';

/** A folder that can be built: it holds `config.xml` and `www/`, or an `index.html`. */
export interface WebProject {
  readonly uri: vscode.Uri;
  /** Path below the folder that was searched, with `/`; empty when it is that folder. */
  readonly path: string;
  /** `<name>` of config.xml; undefined when it has none that can be read. */
  readonly name: string | undefined;
}

/** Finds the web projects in a folder and below it, the closest first. Never waits on a search of VS Code. */
export function findWebProjects(_folder: vscode.Uri, _signal?: AbortSignal): Promise<readonly WebProject[]> {
  return Promise.reject(new Error('Not written yet.'));
}
