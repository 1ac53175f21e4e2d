import * as vscode from 'vscode';
import type { FileReference } from './fileReferences.ts';
import type { OpenLog } from './openLog.ts';

/** Links to the files of the folder that a log names. VS Code itself makes links of addresses. */
export async function linksInLog({ document, files }: Pick<OpenLog, 'document' | 'files'>) {
  const links: vscode.DocumentLink[] = [];
  for (const { line, reference } of files.isEmpty ? [] : document.text.references) {
    const target = await files.find(reference.path);
    // Lines may have come or gone meanwhile.
    const shownLine = document.documentLine(line);
    if (target !== undefined && shownLine !== undefined) {
      const range = new vscode.Range(shownLine, reference.start, shownLine, reference.end);
      links.push(new vscode.DocumentLink(range, withPosition(target, reference)));
    }
  }
  return links;
}

/** VS Code goes to the place that a fragment names. */
function withPosition(target: vscode.Uri, { line, column }: FileReference): vscode.Uri {
  return line === undefined ? target : target.with({ fragment: `L${line}${column === undefined ? '' : `,${column}`}` });
}
