import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AgentTool } from '../../src/agentTools/agentTool.ts';
import { CancelledError } from '../../src/api/errors/cancelledError.ts';
import { InvalidInputError } from '../../src/api/errors/invalidInputError.ts';
import { sentence } from '../../src/api/errors/sentence.ts';
import { Redactor } from '../../src/api/redaction.ts';
import { parseServiceUrl } from '../../src/api/serviceUrl.ts';
import { FolderFiles } from '../../src/builds/logs/logProblems.ts';
import { LogDocument } from '../../src/builds/logs/logDocument.ts';
import { cleanLine } from '../../src/builds/logs/logLine.ts';
import { LogNavigation } from '../../src/builds/logs/logNavigation.ts';
import { diagnosticOf } from '../../src/builds/logs/logProblems.ts';
import { BuildTasks } from '../../src/builds/task/buildTasks.ts';
import { newSession } from '../../src/auth/session.ts';
import type { ConfigProblem } from '../../src/configXml/configProblem.ts';
import { fileItem } from '../../src/configXml/editor/completions.ts';
import { diagnosticOf as diagnosticOfConfig } from '../../src/configXml/editor/configDiagnostics.ts';
import { fixAction } from '../../src/configXml/editor/configProblems.ts';
import { resourceUri } from '../../src/resources/documents/resourceUri.ts';
import { ResponseDocuments } from '../../src/resources/documents/responseDocuments.ts';
import { RequestDrafts } from '../../src/resources/requests/requestDrafts.ts';
import { TreeNode, type Presentation } from '../../src/resources/tree/treeNode.ts';
import { html } from '../../src/workbench/html.ts';
import { Input, type PickItem, type TextQuestion } from '../../src/workbench/input.ts';
import { Log } from '../../src/workbench/log.ts';
import { markdownOf } from '../../src/workbench/markdown.ts';
import { Notifications } from '../../src/workbench/notifications.ts';
import { openPage } from '../../src/workbench/page.ts';
import { withProgress } from '../../src/workbench/progress.ts';
import { RowsView } from '../../src/workbench/rowsView.ts';
import { StatusBarItem } from '../../src/workbench/statusBar.ts';
import { viewBadge } from '../../src/workbench/texts.ts';
import type { ServiceSurface } from '../support/surfaces.ts';
import { next } from './support/extension.ts';
import { RecordingUser } from './support/recordingUser.ts';

/** What a service may call a thing: links, icons, and one of each kind of character that is not seen. */
const HOSTILE =
  'Start[Click](command:workbench.action.quit)[here](https://evil.example/ "x")$(trash)\\$(zap~spin)' +
  '\u0007\u00ad\u180e\u200b\u202e\u2066\u2028\u2800\u3164\ue000\ufe0f\u{e0041}End';

/** As VS Code's `parseLinkedText`. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
/** As VS Code's `renderLabelWithIcons`. */
const ICON = /(\\)?\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;

class Row extends TreeNode<undefined> {
  readonly shown: Partial<Presentation>;

  constructor(shown: Partial<Presentation>) {
    super(undefined, 'row', undefined);
    this.shown = shown;
  }

  present(): Presentation {
    return { label: HOSTILE, icon: new vscode.ThemeIcon('info'), contextValue: 'row', ...this.shown };
  }
}

/** A tool that asks first. */
class AskingTool extends AgentTool {
  protected override readonly invocationMessage = HOSTILE;

  protected override confirmation = () => Promise.resolve({ title: HOSTILE, message: [HOSTILE] });

  protected run = () => Promise.resolve({});
}

/** The task of a folder that is linked to an app of that title. */
function taskOf(title: string): vscode.Task {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const app = { url: 'https://a.example/api/v1/apps/1', title, project: '' };
  const selection = { current: { url: parseServiceUrl('https://a.example'), local: false } };
  const [task] = new BuildTasks({ selection, folders: { all: () => [{ folder, app }] } } as never).provideTasks();
  assert.ok(task);
  return task;
}

/** The first entry in the outline of a log with a step of that name. */
function outlineOf(step: string): string | undefined {
  const uri = vscode.Uri.from({ scheme: 'test', path: '/log' });
  const document = new LogDocument(uri);
  document.text.append(`── ${cleanLine(step)}\n`);
  document.open();
  const navigation = new LogNavigation(() => ({ document, files: new FolderFiles([]) }));
  try {
    return navigation.provideDocumentSymbols({ uri })[0]?.name;
  } finally {
    navigation.dispose();
  }
}

describe('a hostile name', () => {
  const input = new Input();
  const restore: (() => void)[] = [];
  let calls: (readonly unknown[])[];
  let log: Log;

  before(() => {
    log = new Log(new Redactor());
  });

  beforeEach(() => {
    calls = [];
  });

  afterEach(() => {
    restore
      .splice(0)
      .reverse()
      .forEach((undo) => undo());
  });

  /** Stands where VS Code's window is asked, and remembers with what. */
  const replace = (name: keyof typeof vscode.window, answer: (...args: unknown[]) => unknown) => {
    const before = Object.getOwnPropertyDescriptor(vscode.window, name);
    const value = (...args: unknown[]) => {
      calls.push(args);
      return answer(...args);
    };
    Object.defineProperty(vscode.window, name, { configurable: true, value });
    restore.push(() => before && Object.defineProperty(vscode.window, name, before));
  };
  /** All that a person reads, who types something where they are asked. */
  const read = async (run: () => Promise<unknown>): Promise<string> => {
    const user = new RecordingUser();
    user.answers = { typed: ['something'] };
    await run()
      .catch((error: unknown) => assert.ok(error instanceof CancelledError))
      .finally(() => user.dispose());
    return [...user.notifications, ...user.questions, ...user.progress].join('\n');
  };
  const box = (question: Partial<TextQuestion>) =>
    read(() => input.askText({ title: '', prompt: '', placeholder: '', ...question }));
  const list = (item: Partial<PickItem>, options = {}) =>
    read(() => input.pick([{ label: 'a', ...item }], { title: '', placeholder: '', ...options }));
  const told = (tell: (notifications: Notifications) => unknown) =>
    read(async () => {
      await tell(new Notifications(log, new Redactor(), { refresh: () => undefined }));
    });
  const statusBarItem = (text: string, tooltip: string) => {
    const created = vscode.window.createStatusBarItem('hostile');
    replace('createStatusBarItem', () => created);
    const shown = new StatusBarItem('hostile', '', 'appBuild.showBuilds');
    shown.show({ icon: 'check', text, tooltip, accessibleText: HOSTILE, error: false });
    assertPlain(created.accessibilityInformation?.label);
    shown.dispose();
    return created;
  };
  const titleOfView = (description: string) => {
    const view: Partial<vscode.TreeView<unknown>> = { onDidChangeVisibility: listen, dispose: () => undefined };
    replace('createTreeView', () => view);
    const rows = new RowsView('hostile');
    rows.show({ rows: [], description, message: HOSTILE });
    assertPlain(view.message);
    rows.dispose();
    return view.description;
  };
  const surfaces: Readonly<Record<ServiceSurface, () => unknown>> = {
    'AccessibilityInformation.label': () => new Row({}).toTreeItem().accessibilityInformation?.label,
    'AuthenticationSessionAccountInformation.label': () =>
      newSession(parseServiceUrl('https://a.example'), HOSTILE, { type: 'authToken', authToken: 'x' }, []).account
        .label,
    'CodeAction(title)': async () => {
      const document = await vscode.workspace.openTextDocument({ content: 'text' });
      const diagnostic = diagnosticOfConfig(document, hostileProblem);
      return fixAction(document, { title: sentence(HOSTILE), changes: [] }, diagnostic).title;
    },
    'CompletionItem(label)': () => {
      const range = new vscode.Range(0, 0, 0, 0);
      return fileItem({ name: HOSTILE, isFolder: false }, { inserting: range, replacing: range }).label;
    },
    'Command.title': () => new Row({ command: 'appBuild.retry' }).toTreeItem().command?.title,
    'InputBox.placeholder': () => box({ placeholder: HOSTILE }),
    'InputBox.prompt': () => box({ prompt: HOSTILE }),
    'InputBox.validationMessage': () => box({ validate: () => HOSTILE }),
    'QuickInput.title': () => box({ title: HOSTILE }),
    'QuickPick.placeholder': () => {
      const question = { title: '', placeholder: '', items: [{ label: 'a' }], selected: [], validate: () => HOSTILE };
      return read(() => input.askChoices(question));
    },
    'QuickPickItem.description': () => list({ description: HOSTILE }),
    'QuickPickItem.detail': () => list({ detail: HOSTILE }),
    'QuickPickItem.label': () => list({ label: HOSTILE }),
    'QuickPickOptions.placeHolder': () => list({}, { placeholder: HOSTILE }),
    'QuickPickOptions.title': () => list({}, { title: HOSTILE }),
    'MessageOptions.detail': () => read(() => input.confirm('', HOSTILE, '')),
    'window.showWarningMessage(items)': () => read(() => input.confirm('', '', HOSTILE)),
    'window.showWarningMessage(message)': () => told((notifications) => notifications.warning(HOSTILE)),
    'window.showInformationMessage(items)': () =>
      told((notifications) => notifications.information('', { title: HOSTILE, run: () => undefined })),
    'window.showInformationMessage(message)': () => told((notifications) => notifications.information(HOSTILE)),
    'window.showErrorMessage(message)': () =>
      told((notifications) => notifications.failure('', new InvalidInputError(sentence(HOSTILE), undefined, 'none'))),
    'window.setStatusBarMessage(text)': () => {
      replace('setStatusBarMessage', () => new vscode.Disposable(() => undefined));
      new Notifications(log, new Redactor(), {}).done(HOSTILE);
      return calls[0]?.[0];
    },
    'SaveDialogOptions.title': () => read(() => input.saveFile(vscode.Uri.file('/a'), HOSTILE)),
    'OpenDialogOptions.title': () => read(() => input.openFiles(HOSTILE)),
    'ProgressOptions.title': () => read(() => withProgress({ notification: HOSTILE }, () => Promise.resolve())),
    'window.withProgress.task.progress.message': () =>
      read(() =>
        withProgress({ notification: '' }, (_signal, report) => {
          report(HOSTILE);
          return Promise.resolve();
        }),
      ),
    'StatusBarItem.text': () => statusBarItem(HOSTILE, '').text.replace('$(check) ', ''),
    'StatusBarItem.tooltip': () => statusBarItem('', HOSTILE).tooltip,
    'Task(name)': () => taskOf(HOSTILE).name,
    'TreeItem(label)': () => new Row({}).toTreeItem().label,
    'TreeItem.description': () => new Row({ description: HOSTILE }).toTreeItem().description,
    'Diagnostic(message)': () => diagnosticOf({ line: 1, column: 1 }, 'error', HOSTILE).message,
    'DiagnosticRelatedInformation(message)': async () => {
      const document = await vscode.workspace.openTextDocument({ content: 'text' });
      const diagnostic = diagnosticOfConfig(document, hostileProblem);
      assertPlain(diagnostic.message);
      return diagnostic.relatedInformation?.[0]?.message;
    },
    'DocumentSymbol(name)': () => outlineOf(HOSTILE),
    'TreeItem.tooltip': () => new Row({ tooltip: HOSTILE }).toTreeItem().tooltip,
    'TreeView.description': () => titleOfView(HOSTILE),
    'ViewBadge.tooltip': () => viewBadge(1, HOSTILE).tooltip,
    'window.createWebviewPanel(title)': () => {
      replace('createWebviewPanel', () => ({ webview: {} }));
      openPage('appBuild.install', { title: HOSTILE, body: html``, style: '', commands: [] });
      return calls[0]?.[1];
    },
    'Uri.from.components.path': async () => {
      const responses = new ResponseDocuments();
      try {
        const shown = next(vscode.workspace.onDidOpenTextDocument, ({ uri }) => uri.scheme === 'app-build-response');
        await responses.show(HOSTILE, '', false);
        return (await shown).uri.path;
      } finally {
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        responses.dispose();
      }
    },
  };

  for (const [surface, bring] of Object.entries(surfaces)) {
    it(`is text, and nothing else, in ${surface}`, async () => {
      assertPlain(await bring());
    });
  }

  it('is text in a formatted text, which links to pages on the web only', () => {
    const { value, isTrusted, supportHtml, supportThemeIcons } = markdownOf([
      { kind: 'text', text: HOSTILE },
      { kind: 'list', items: [HOSTILE] },
      { kind: 'link', title: HOSTILE, target: 'command:workbench.action.quit' },
      { kind: 'link', title: HOSTILE, target: 'https://a.example/)> [x](command:y)' },
    ]);
    assert.equal(value.split('\n').filter(Boolean).length, 3);
    assert.doesNotMatch(value, ICON);
    assert.deepEqual(value.match(/(?<!\\)\]\([^)]*\)/g), ['](https://a.example/%29%3E%20%5bx%5d%28command:y%29)']);
    assert.deepEqual([isTrusted, supportHtml, supportThemeIcons], [undefined, false, false]);
  });

  it('is text in the question of a tool', async () => {
    const prepared = await new AskingTool({} as never).prepareInvocation({ input: {} });
    assertPlain(prepared.invocationMessage);
    const { title, message } = prepared.confirmationMessages ?? {};
    assertPlain(title);
    const expected = markdownOf([{ kind: 'text', text: HOSTILE }]);
    assert.deepEqual(message, expected);
  });

  it('is text in the tab of a resource', () => {
    const path = encodeURIComponent('Start$(trash)[x](command:y)End').replaceAll('%24', '$');
    assertPlain(resourceUri(`https://a.example/${path}`, 'json').path);
  });

  it('is text above the body of a request', async () => {
    const drafts = new RequestDrafts();
    try {
      await drafts.open({ method: 'POST', url: 'https://a.example/Start[x](command:y)$(trash)End' });
      const document = vscode.window.activeTextEditor?.document;
      assert.ok(document);
      const [title = ''] = drafts.provideCodeLenses(document).map(({ command }) => command?.title);
      assert.match(title, /^\$\(send\) /);
      assertPlain(title.replace('$(send) ', ''));
    } finally {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      drafts.dispose();
    }
  });

  it('that nothing can be seen of is shown as one without a name', async () => {
    for (const name of ['\u200b', '\u180e', '\u3164', '\u2800', ' \u00a0\n', '']) {
      assert.equal(new Row({ label: name }).toTreeItem().label, '(no name)');
      assert.match(await list({ label: name }), /\(no name\)/);
    }
  });

  it('stands beside links of ours in a notification, which stay links', async () => {
    const links = [{ title: 'Copy Link', command: 'appBuild.copySignInLink' }] as const;
    const shown = await read(() =>
      withProgress({ notification: '' }, (_signal, report) => {
        report(HOSTILE, { links });
        return Promise.resolve();
      }),
    );
    const [text = '', link = ''] = shown.trim().split(/ (?=\[Copy)/);
    assertPlain(text);
    assert.equal(link, '[Copy Link](command:appBuild.copySignInLink)');
  });
});

const hostileProblem: ConfigProblem = {
  code: 'malformed',
  severity: 'error',
  span: { start: 0, end: 1 },
  message: sentence(HOSTILE),
  related: { span: { start: 0, end: 1 }, message: sentence(HOSTILE) },
};

function listen(): vscode.Disposable {
  return new vscode.Disposable(() => undefined);
}

/** Fails unless a text can be read and VS Code renders nothing of it. */
function assertPlain(shown: unknown): void {
  assert.ok(typeof shown === 'string', typeof shown);
  assert.match(shown, /Start.*trash.*End/s);
  assert.doesNotMatch(shown, LINK);
  assert.doesNotMatch(shown, ICON);
  const withoutEscapes = shown.replace(/(?<=[\]$])\u200b(?=\()/g, '').replaceAll('\n', '');
  assert.doesNotMatch(withoutEscapes, /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u);
}
