import * as vscode from 'vscode';
import { withoutCredentials } from '../api/credentials.ts';
import { sentence } from '../api/errors/sentence.ts';
import type { LinkTarget } from '../api/hypermedia/resource.ts';
import { InvalidInputError } from '../api/errors/invalidInputError.ts';
import { RedirectError } from '../api/errors/redirectError.ts';
import type { Connections } from '../auth/connection.ts';
import { ExternalNode } from '../resources/tree/externalNode.ts';
import { FailureNode } from '../resources/tree/failureNode.ts';
import { FormNode } from '../resources/tree/formNode.ts';
import { LoadMoreNode } from '../resources/tree/loadMoreNode.ts';
import { TemplateNode } from '../resources/tree/templateNode.ts';
import { hasUrl, TreeNode } from '../resources/tree/treeNode.ts';
import type { ResourceDocuments } from '../resources/documents/resourceDocuments.ts';
import { RESOURCE_SCHEME } from '../resources/documents/resourceUri.ts';
import { RESOURCES_VIEW_ID, type ResourceTree } from '../resources/tree/resourceTree.ts';
import { accountKey, type RecentResources } from '../resources/recentResources.ts';
import { inert } from '../workbench/inert.ts';
import { callPatience, withProgress } from '../workbench/progress.ts';
import { askText } from '../workbench/textInput.ts';
import { askForVariables } from './wizard/linkVariables.ts';
import type { Handlers } from './registry.ts';
import { signedIn } from './signedIn.ts';

interface Parts {
  readonly connections: Connections;
  readonly tree: ResourceTree;
  readonly documents: ResourceDocuments;
  readonly recent: RecentResources;
}

/** Commands about what the service links to. */
export function resourceCommands({ connections, tree, documents, recent }: Parts) {
  const open = async (url: string) => {
    const title = vscode.l10n.t('Loading {0}', inert(new URL(url).pathname));
    try {
      const opened = await withProgress({ notification: title, patience: callPatience }, (signal) =>
        documents.open(url, signal),
      );
      if (opened === 'empty') {
        void vscode.window.showInformationMessage(vscode.l10n.t('The service answered without content.'));
      } else if (opened !== 'shown') {
        void offerDownload(url, opened.mediaType);
      }
    } catch (error) {
      if (!(error instanceof RedirectError) || error.target === undefined) {
        throw error;
      }
      await openExternally(error.target);
    }
  };

  /** Opens an address that a template gave: a variable can hold a whole host, so the origin decides. */
  const openExpanded = async (url: string) => {
    const { client } = await signedIn(connections);
    await (new URL(url).origin === client.service.origin ? open(url) : openExternally(url));
  };

  const follow = async (target: LinkTarget) => {
    switch (target.kind) {
      case 'internal':
        return open(target.url);
      case 'external':
        return openExternally(target.url);
      case 'template':
        return openExpanded(await askForVariables(vscode.l10n.t('Open Link'), target));
    }
  };

  return {
    'appBuild.openApiHome': async () => {
      const { client } = await signedIn(connections);
      await open(client.homeUrl);
    },

    'appBuild.getResource': async (link) => {
      const { client } = await signedIn(connections);
      await open(client.resolve(typeof link === 'string' ? link : await askForLink()));
    },

    'appBuild.openAsJson': async (node) => {
      await open(linkOf(node));
    },

    'appBuild.followLink': async (document, index) => {
      const target =
        typeof document === 'number' && typeof index === 'number' ? documents.linkTarget(document, index) : undefined;
      if (target !== undefined) {
        await follow(target);
      }
    },

    'appBuild.openTemplate': async (node) => {
      if (node instanceof TemplateNode) {
        await openExpanded(await askForVariables(node.value.label, node.value.target));
      } else if (node instanceof FormNode && node.form.target.kind === 'template') {
        const { title, name, target, fields } = node.form;
        const url = await askForVariables(title ?? name, target, fields);
        await vscode.commands.executeCommand('appBuild.sendRequest', { url, form: node.form });
      }
    },

    'appBuild.goToResource': async () => {
      const connection = await signedIn(connections);
      const all = recent.of(accountKey(connection)).map(({ url, title }) => ({
        label: inert(title) || pathOf(url),
        description: pathOf(url),
        url,
      }));
      if (all.length === 0) {
        void vscode.window.showInformationMessage(
          vscode.l10n.t('No resource has been shown yet. Open the Resources view first.'),
        );
        return;
      }
      const chosen = await vscode.window.showQuickPick(all, {
        title: vscode.l10n.t('Go to Resource'),
        placeHolder: vscode.l10n.t('Title or path of a resource that was shown before'),
        matchOnDescription: true,
      });
      if (chosen !== undefined) {
        await tree.reveal(chosen.url);
        await open(chosen.url);
      }
    },

    'appBuild.loadMore': async (node) => {
      if (node instanceof LoadMoreNode) {
        await tree.loadMore(node.parent);
      }
    },

    'appBuild.copyLink': async (node) => {
      await vscode.env.clipboard.writeText(node instanceof ExternalNode ? node.externalUrl : linkOf(node));
    },

    'appBuild.openInBrowser': async (node) => {
      if (node instanceof ExternalNode) {
        await openExternally(node.externalUrl);
      } else {
        // On the service itself: the browser has its own sign-in there, and gets none of ours.
        await vscode.env.openExternal(vscode.Uri.parse(linkOf(node), true));
      }
    },

    // VS Code hands the focused row to the button in the view's title too; that button means the whole tree.
    'appBuild.refresh': async () => {
      await Promise.all([tree.refresh(), documents.refresh()]);
      await vscode.commands.executeCommand(`${RESOURCES_VIEW_ID}.focus`);
    },

    'appBuild.refreshResource': async (subject) => {
      if (subject instanceof vscode.Uri && subject.scheme === RESOURCE_SCHEME) {
        await documents.refresh(subject);
      } else {
        await Promise.all([tree.refresh(subject instanceof TreeNode ? subject : undefined), documents.refresh()]);
      }
    },

    'appBuild.retry': async (node) => {
      if (node instanceof FailureNode) {
        await tree.retry(node);
      }
    },
  } satisfies Handlers;
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return inert(pathname + search);
}

async function askForLink(): Promise<string> {
  const answer = await askText({
    title: vscode.l10n.t('Get Resource'),
    prompt: vscode.l10n.t('Path or link of a resource, as the service names it.'),
    placeholder: '/api/v1/apps',
    check: (text) => (text === '' ? vscode.l10n.t('Enter a path such as {0}.', '/api/v1/apps') : undefined),
  });
  return answer === 'back' ? '' : answer.text;
}

/** A file that no editor shows. */
async function offerDownload(url: string, mediaType: string): Promise<void> {
  const download = vscode.l10n.t('Download…');
  const type = inert(mediaType) || vscode.l10n.t('unknown type');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('This is a file ({0}), which cannot be shown here.', type),
    download,
  );
  if (chosen === download) {
    await vscode.commands.executeCommand('appBuild.download', { url });
  }
}

/** Asks first: the link leads away from the service, and was written by it. */
async function openExternally(url: string): Promise<void> {
  const openIt = vscode.l10n.t('Open');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Open this link outside the service?'),
    { modal: true, detail: url },
    openIt,
  );
  if (chosen === openIt) {
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
  }
}

function linkOf(value: unknown): string {
  if (hasUrl(value)) {
    // Rows carry none; the argument of a command may come from anywhere.
    return withoutCredentials(value.url);
  }
  throw new InvalidInputError(
    sentence('There is no link to act on.'),
    sentence('Run the command on a resource in the Resources view.'),
  );
}
