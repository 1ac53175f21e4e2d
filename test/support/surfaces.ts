/**
 * What the sources give to VS Code as text, by where it goes: `service` when a service's words can be part of it (the
 * integration test `surfaces` has a case for each), `own` when it is a text of ours, `hidden` when nobody sees it, `document`
 * when it is the text of an editor or of the log, `markup` when it is a page.
 */
export const SURFACES = {
  'AccessibilityInformation.label': 'service',
  'AuthenticationSessionAccountInformation.label': 'service',
  'Command.title': 'service',
  'InputBox.placeholder': 'service',
  'InputBox.prompt': 'service',
  'InputBox.validationMessage': 'service',
  'MessageOptions.detail': 'service',
  'OpenDialogOptions.title': 'service',
  'ProgressOptions.title': 'service',
  'QuickInput.title': 'service',
  'QuickPick.placeholder': 'service',
  'QuickPickItem.description': 'service',
  'QuickPickItem.detail': 'service',
  'QuickPickItem.label': 'service',
  'QuickPickOptions.placeHolder': 'service',
  'QuickPickOptions.title': 'service',
  'SaveDialogOptions.title': 'service',
  'TreeItem(label)': 'service',
  'TreeItem.description': 'service',
  'TreeItem.tooltip': 'service',
  'Uri.from.components.path': 'service',
  'window.createWebviewPanel(title)': 'service',
  'window.setStatusBarMessage(text)': 'service',
  'window.showErrorMessage(message)': 'service',
  'window.showInformationMessage(items)': 'service',
  'window.showInformationMessage(message)': 'service',
  'window.showWarningMessage(items)': 'service',
  'window.showWarningMessage(message)': 'service',
  'window.withProgress.task.progress.message': 'service',

  'DocumentLink.tooltip': 'own',
  'OpenDialogOptions.openLabel': 'own',
  'QuickInputButton.tooltip': 'own',
  'SaveDialogOptions.saveLabel': 'own',
  // The host of the person's own setting.
  'TreeView.description': 'own',
  'TreeView.message': 'own',
  'authentication.registerAuthenticationProvider(label)': 'own',
  'l10n.t(args)': 'own',
  'l10n.t(message)': 'own',
  'window.createOutputChannel(name)': 'own',
  'window.showErrorMessage(items)': 'own',

  // A text field shows what it holds, and sends it: it cannot be changed.
  'InputBox.value': 'document',
  'LogOutputChannel.error(error)': 'document',
  'LogOutputChannel.info(message)': 'document',
  'LogOutputChannel.warn(message)': 'document',
  'workspace.openTextDocument.options.content': 'document',

  // `workbench/html.ts` escapes every text in it.
  'Webview.html': 'markup',

  'AuthenticationSession.accessToken': 'hidden',
  'AuthenticationSession.id': 'hidden',
  'AuthenticationSessionAccountInformation.id': 'hidden',
  'Clipboard.writeText(value)': 'hidden',
  'Command.command': 'hidden',
  'ConfigurationChangeEvent.affectsConfiguration(section)': 'hidden',
  'DocumentFilter.scheme': 'hidden',
  'EventEmitter.fire(data)': 'hidden',
  'Memento.get(key)': 'hidden',
  'Memento.update(key)': 'hidden',
  'Memento.update(value)': 'hidden',
  'ProgressOptions.location.viewId': 'hidden',
  // Emptied.
  'QuickPick.value': 'hidden',
  'SecretStorage.delete(key)': 'hidden',
  'SecretStorage.get(key)': 'hidden',
  'SecretStorage.store(key)': 'hidden',
  'SecretStorage.store(value)': 'hidden',
  'ThemeColor(id)': 'hidden',
  'ThemeIcon(id)': 'hidden',
  'TreeItem.contextValue': 'hidden',
  // A ThemeIcon, whose type a path could have too.
  'TreeItem.iconPath': 'hidden',
  'TreeItem.id': 'hidden',
  'Uri.file(path)': 'hidden',
  'Uri.from.components.authority': 'hidden',
  'Uri.from.components.query': 'hidden',
  'Uri.from.components.scheme': 'hidden',
  'Uri.joinPath(pathSegments)': 'hidden',
  'Uri.parse(value)': 'hidden',
  'Uri.with.change.path': 'hidden',
  'WorkspaceConfiguration.get(defaultValue)': 'hidden',
  'WorkspaceConfiguration.get(section)': 'hidden',
  'WorkspaceConfiguration.inspect(section)': 'hidden',
  'WorkspaceConfiguration.update(section)': 'hidden',
  'WorkspaceConfiguration.update(value)': 'hidden',
  'authentication.getSession(providerId)': 'hidden',
  'authentication.registerAuthenticationProvider(id)': 'hidden',
  'commands.executeCommand(command)': 'hidden',
  'commands.executeCommand(rest)': 'hidden',
  'commands.registerCommand(command)': 'hidden',
  'languages.setTextDocumentLanguage(languageId)': 'hidden',
  'window.createTreeView(viewId)': 'hidden',
  'window.createWebviewPanel(viewType)': 'hidden',
  'workspace.getConfiguration(section)': 'hidden',
  'workspace.openTextDocument.options.language': 'hidden',
  'workspace.registerFileSystemProvider(scheme)': 'hidden',
  'workspace.registerFileSystemProvider.options.isReadonly': 'hidden',
  'workspace.registerTextDocumentContentProvider(scheme)': 'hidden',
} as const;

type Surfaces = typeof SURFACES;

/** Where a service's words are shown. */
export type ServiceSurface = {
  [Name in keyof Surfaces]: Surfaces[Name] extends 'service' ? Name : never;
}[keyof Surfaces];
