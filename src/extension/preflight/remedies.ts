import * as vscode from 'vscode';
import { getPluginName, parseXml, removal, type TextChange, widgetParts } from '../../config-xml/index.ts';
import type { NotificationButton } from '../workbench/notifications.ts';
import { baseName, type FindingRemedy } from '../../web-project/index.ts';
import type { FindingLocation, Finding } from './finding.ts';

/** Applies a remedy. The caller shows errors. */
export type ApplyRemedy = (remedy: FindingRemedy, finding: Finding) => unknown;

/** Returns the title of a button or a quick fix. */
export function remedyTitle(remedy: FindingRemedy): string {
  const titles: Readonly<Record<FindingRemedy, string>> = {
    installEngine: vscode.l10n.t('Install Engine…'),
    removePlugin: vscode.l10n.t('Remove Plugin'),
    choosePages: vscode.l10n.t('Choose Pages Folder…'),
    addKey: vscode.l10n.t('Add Signing Key…'),
    unlockKey: vscode.l10n.t('Unlock Signing Key…'),
  };
  return titles[remedy];
}

/** Returns the buttons of a message about findings: each remedy once, followed by a button that opens the first location. */
export function remedyButtons(findings: readonly Finding[], apply: ApplyRemedy): readonly NotificationButton[] {
  const byRemedy = new Map<FindingRemedy, Finding>();
  for (const finding of findings) {
    (finding.remedies ?? []).filter((each) => !byRemedy.has(each)).forEach((each) => byRemedy.set(each, finding));
  }
  const location = findings.find((finding) => finding.location !== undefined)?.location;
  return [
    ...Array.from(byRemedy, ([remedy, finding]) => ({
      title: remedyTitle(remedy),
      run: () => apply(remedy, finding),
    })),
    ...(location === undefined
      ? []
      : [{ title: vscode.l10n.t('Open {0}', baseName(location.uri)), run: () => openLocation(location) }]),
  ];
}

/** Opens the location of a finding. */
export async function openLocation({ uri, range }: FindingLocation): Promise<void> {
  await vscode.window.showTextDocument(uri, range && { selection: range });
}

/** Returns the changes that remove a plugin's elements from the text of a config.xml, in document order. */
export function pluginRemovals(text: string, plugin: string): readonly TextChange[] {
  return widgetParts(parseXml(text))
    .filter(({ name, element }) => name === 'plugin' && getPluginName(element) === plugin)
    .map(({ element }) => removal(text, element));
}

/** Returns the text of a config.xml without a plugin's elements. */
export function withoutPlugin(text: string, plugin: string): string {
  return pluginRemovals(text, plugin).reduceRight(
    (rest, { span: { start, end }, newText }) => rest.slice(0, start) + newText + rest.slice(end),
    text,
  );
}
