import * as vscode from 'vscode';
import { sampleFiles, type SampleKind } from './sampleFiles.ts';
import type { SampleTexts } from './sample.ts';

/** A sample project on the disk. */
export interface SampleProject {
  readonly folder: vscode.Uri;
  /** The page that its app begins with. */
  readonly page: vscode.Uri;
}

/**
 * Writes a small web project that can be built as it is, into a folder of its own. Nothing that is there is written over.
 *
 * @param parent the folder to put it into.
 * @throws vscode.FileSystemError
 */
export async function writeSampleProject(parent: vscode.Uri, kind: SampleKind): Promise<SampleProject> {
  const { fs } = vscode.workspace;
  const sample = sampleFiles(kind, sampleTexts());
  const taken = new Set((await fs.readDirectory(parent)).map(([name]) => name.toLowerCase()));
  let name = sample.folder;
  for (let number = 2; taken.has(name); number += 1) {
    name = `${sample.folder}-${number}`;
  }
  const folder = vscode.Uri.joinPath(parent, name);
  await fs.createDirectory(folder);
  for (const [file, content] of Object.entries(sample.files)) {
    await fs.writeFile(vscode.Uri.joinPath(folder, file), typeof content === 'string' ? Buffer.from(content) : content);
  }
  return { folder, page: vscode.Uri.joinPath(folder, sample.page) };
}

function sampleTexts(): SampleTexts {
  return {
    // There are no translations for English, and for languages that we do not have.
    language: vscode.l10n.bundle === undefined ? 'en' : vscode.env.language,
    tally: vscode.l10n.t('Tally'),
    oneMore: vscode.l10n.t('One more'),
    oneLess: vscode.l10n.t('One less'),
    startAgain: vscode.l10n.t('Start again'),
    shoppingList: vscode.l10n.t('Shopping List'),
    shopping: vscode.l10n.t('Shopping'),
    shoppingListDescription: vscode.l10n.t('What is to be bought, also without a network'),
    whatToBuy: vscode.l10n.t('What do you need?'),
    add: vscode.l10n.t('Add'),
    remove: vscode.l10n.t('Remove'),
    nothingToBuy: vscode.l10n.t('Nothing to buy yet.'),
    greeting: vscode.l10n.t('Hello from your first app!'),
    waiting: vscode.l10n.t('Waiting for the device…'),
    ready: vscode.l10n.t('The device is ready.'),
    platform: vscode.l10n.t('Platform'),
  };
}
