import * as vscode from 'vscode';
import { toPlainText } from '../workbench/texts.ts';
import type { Span } from '../../config-xml/index.ts';
import { type CompletionContext, completionContext } from './completionContext.ts';
import { type ConfigFiles, toRange } from './configFiles.ts';
import { filesBelow, type FolderEntry } from './configFolder.ts';
import { describeSubject } from './hovers.ts';
import { type PluginSupport, supportedPlugins } from './plugins.ts';
import { pathContext, type Suggestion, suggestionsFor } from './suggestions.ts';

/** Characters that open the list of suggestions. */
export const TRIGGER_CHARACTERS = ['<', ' ', '"', "'", '/', '='];

const KINDS: Readonly<Record<Suggestion['kind'], vscode.CompletionItemKind>> = {
  element: vscode.CompletionItemKind.Property,
  endTag: vscode.CompletionItemKind.Property,
  attribute: vscode.CompletionItemKind.Field,
  preference: vscode.CompletionItemKind.Constant,
  plugin: vscode.CompletionItemKind.Module,
  value: vscode.CompletionItemKind.EnumMember,
};

/** Returns the completions at the cursor. */
export async function completionsAt(
  files: ConfigFiles,
  document: vscode.TextDocument,
  position: vscode.Position,
  support: PluginSupport | undefined,
): Promise<vscode.CompletionItem[]> {
  const open = files.get(document);
  const isRead = (await open?.read()) !== undefined;
  const context = isRead ? completionContext(document.getText(), document.offsetAt(position)) : undefined;
  if (context === undefined) {
    return [];
  }
  const path = pathContext(context);
  if (path === undefined || context.kind !== 'value') {
    return suggestionsFor(context, supportedPlugins(support)).map((suggestion, index) =>
      itemFor(document, context, suggestion, index, position, support),
    );
  }
  const app = await open?.appFolder();
  const found = await filesBelow(document.uri, path, context.typed, app?.pages);
  const start = context.span.start + context.typed.lastIndexOf('/') + 1;
  const range = insertRange(document, { start, end: context.span.end }, position);
  return found.map((file) => fileItem(file, range));
}

function itemFor(
  document: vscode.TextDocument,
  context: CompletionContext,
  { kind, label, parts, subject, suggestsNext, isDeprecated }: Suggestion,
  index: number,
  position: vscode.Position,
  support: PluginSupport | undefined,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem(label, KINDS[kind]);
  const snippet = new vscode.SnippetString();
  for (const part of parts) {
    if (part === undefined) {
      snippet.appendTabstop();
    } else {
      snippet.appendText(part);
    }
  }
  item.insertText = snippet;
  item.range = insertRange(document, context.span, position);
  // Keep the table's order, which starts with required items. End tags come last.
  item.sortText = `${kind === 'endTag' ? 'z' : 'a'}${String(index).padStart(4, '0')}`;
  // VS Code compares the typed text with this text.
  item.filterText = filterText(context, label);
  const description = subject && describeSubject(subject, support);
  if (description !== undefined) {
    item.documentation = description;
  }
  if (suggestsNext === true) {
    item.command = suggestAgain();
  }
  if (isDeprecated === true) {
    item.tags = [vscode.CompletionItemTag.Deprecated];
  }
  return item;
}

function filterText(context: CompletionContext, label: string): string {
  if (context.kind === 'value' && context.attribute.quote === undefined) {
    return `"${label}"`;
  }
  // The user can also find a plugin by the distinctive part of its name.
  return context.kind === 'endTag' ? label.slice(1) : label.replace(/^cordova-plugin-(.+)/, '$1 $&');
}

/** Returns the completion for a file that a value can refer to. */
function fileItem({ name, isFolder }: FolderEntry, range: InsertRange): vscode.CompletionItem {
  const item = new vscode.CompletionItem(
    toPlainText(name),
    isFolder ? vscode.CompletionItemKind.Folder : vscode.CompletionItemKind.File,
  );
  const text = name.replace(/[&<"']/g, (character) => `&#${character.charCodeAt(0)};`);
  item.insertText = isFolder ? `${text}/` : text;
  item.range = range;
  item.sortText = `${isFolder ? 'b' : 'a'}${name}`;
  if (isFolder) {
    item.command = suggestAgain();
  }
  return item;
}

function suggestAgain(): vscode.Command {
  return { command: 'editor.action.triggerSuggest', title: vscode.l10n.t('Suggest') };
}

interface InsertRange {
  readonly inserting: vscode.Range;
  readonly replacing: vscode.Range;
}

function insertRange(document: vscode.TextDocument, { start, end }: Span, position: vscode.Position): InsertRange {
  const replacing = toRange(document, { start, end });
  return { inserting: replacing.with(undefined, position), replacing };
}
