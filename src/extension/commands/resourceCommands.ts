import * as vscode from 'vscode';
import { label, type LinkTarget, RedirectError, withoutCredentials } from '../../service-client/index.ts';
import { LOG_SCHEME } from '../apps/builds/names.ts';
import { RESOURCE_SCHEME } from '../resources/documents/resourceUri.ts';
import { accountKey } from '../resources/recentResources.ts';
import { LeafNode } from '../resources/tree/leafNodes.ts';
import { withoutDescendants } from '../resources/tree/nodeUpdates.ts';
import { RESOURCES_VIEW_ID } from '../resources/tree/resourceTree.ts';
import { hasUrl, TreeNode } from '../resources/tree/treeNode.ts';
import type { Input } from '../workbench/input.ts';
import { withCallProgress } from '../workbench/progress.ts';
import type { CommandDependencies, CommandHandlers } from './dependencies.ts';
import { download } from './downloadCommands.ts';
import { sendRequest } from './request.ts';
import { selectedRows } from './severalRows.ts';
import { askForPath, askForVariables, noLinkError } from './wizard/subject.ts';

/** Matches the `viewItem` of rows with an address, as in the menus. */
const HAS_LINK = /^((resource|external|download)$|(app|apps|key|keys|collaborator|collaborators);)/;

/** Creates the commands for resources and links. */
export function resourceCommands(dependencies: CommandDependencies) {
  const { apps, connections, tree, documents, input } = dependencies;
  return {
    'appBuild.openApiHome': async () => {
      const { client } = await connections.requireSignedIn();
      await openResource(dependencies, client.homeUrl);
    },
    'appBuild.getResource': async (link) => {
      const { client } = await connections.requireSignedIn();
      const text = typeof link === 'string' ? link : await askForPath(input, vscode.l10n.t('Get Resource'));
      return openResource(dependencies, client.resolve(text));
    },
    'appBuild.openResource': async (subject) => {
      const url =
        typeof subject === 'string'
          ? (await connections.requireSignedIn()).client.resolve(subject)
          : getArgumentUrl(subject);
      return openResource(dependencies, url);
    },
    'appBuild.followLink': async (document, index) => {
      const target =
        typeof document === 'number' && typeof index === 'number' ? documents.linkTarget(document, index) : undefined;
      if (target !== undefined) {
        await followLink(dependencies, target);
      }
    },
    'appBuild.openTemplate': async (node) => {
      const { template, form } = node instanceof LeafNode ? node.value : {};
      if (template !== undefined) {
        await openExpanded(dependencies, await askForVariables(input, template.label, template.target));
      } else if (form?.target.kind === 'template') {
        const { title, name, target, fields } = form;
        const url = await askForVariables(input, title ?? name, target, fields);
        await sendRequest(dependencies, { url, form });
      }
    },
    'appBuild.goToResource': () => goToResource(dependencies),
    'appBuild.loadMore': async (node) => {
      if (node instanceof TreeNode) {
        await tree.loadMore(node.parent);
      }
    },
    'appBuild.copyLink': async (node, selected) => {
      const rows = selectedRows(node, selected, HAS_LINK)?.rows ?? [node];
      const links = rows.map((row) => getExternalUrl(row) ?? getArgumentUrl(row));
      await vscode.env.clipboard.writeText(links.join('\n'));
    },
    'appBuild.openInBrowser': async (node) => {
      const url = getExternalUrl(node) ?? getArgumentUrl(node);
      const connection = await connections.current();
      if (connection.kind === 'signedIn' && new URL(url).origin === connection.client.service.origin) {
        // On its own origin, the service uses the browser's session. The browser doesn't receive this extension's
        // token.
        await vscode.env.openExternal(vscode.Uri.parse(url, true));
      } else {
        await openExternally(input, url);
      }
    },
    // VS Code passes the focused row even to the button in the view's title, which must refresh the whole tree.
    'appBuild.refresh': () => refresh(dependencies),
    'appBuild.refreshResource': async (subject, selected) => {
      const rows = selectedRows(subject, selected, HAS_LINK)?.rows ?? (subject instanceof TreeNode ? [subject] : []);
      if (subject instanceof vscode.Uri && subject.scheme === RESOURCE_SCHEME) {
        await documents.refresh(subject);
      } else if (subject instanceof vscode.Uri && subject.scheme === LOG_SCHEME) {
        await apps.logs.refresh(subject);
      } else {
        await Promise.all([
          ...(rows.length === 0 ? [tree.refresh()] : withoutDescendants(rows).map((row) => tree.refresh(row))),
          documents.refresh(),
          apps.logs.refresh(),
        ]);
      }
    },
    'appBuild.retry': async (node) => {
      if (node instanceof TreeNode) {
        await tree.retry(node);
      }
    },
  } satisfies CommandHandlers;
}

/** Reloads the tree and the open documents and shows the tree. */
export async function refresh({ apps, tree, documents }: CommandDependencies): Promise<void> {
  await Promise.all([tree.refresh(), documents.refresh(), apps.logs.refresh()]);
  // VS Code creates this command for each view. No other API can show a view.
  await vscode.commands.executeCommand(`${RESOURCES_VIEW_ID}.focus`);
}

/**
 * Opens a resource as a document. Shows failures instead of throwing them. If the content isn't text, offers a download.
 * If the service redirects to another server, offers to open the page in the browser.
 *
 * @param url absolute address on the service's origin.
 */
export async function openResource(dependencies: CommandDependencies, url: string): Promise<void> {
  const { documents, input, notifications } = dependencies;
  const downloadIt = () => download(dependencies, { url });
  const show = async () => {
    const title = vscode.l10n.t('Loading {0}', label(new URL(url).pathname));
    try {
      const opened = await withCallProgress(title, (signal) => documents.open(url, signal));
      if (opened === 'empty') {
        notifications.information(vscode.l10n.t('The service returned no content.'));
      } else if (opened !== 'shown') {
        const type = label(opened.mediaType) || vscode.l10n.t('unknown type');
        notifications.information(vscode.l10n.t('This is a file ({0}), which can’t be shown here.', type), {
          title: vscode.l10n.t('Download…'),
          run: downloadIt,
        });
      }
    } catch (error) {
      if (!(error instanceof RedirectError) || error.target === undefined) {
        throw error;
      }
      await openExternally(input, error.target);
    }
  };
  await notifications.run('Opening a resource', show, () => ({ download: downloadIt }));
}

async function followLink(dependencies: CommandDependencies, target: LinkTarget): Promise<void> {
  const { input } = dependencies;
  switch (target.kind) {
    case 'internal':
      return openResource(dependencies, target.url);
    case 'external':
      return openExternally(input, target.url);
    case 'template':
      return openExpanded(dependencies, await askForVariables(input, vscode.l10n.t('Open Link'), target));
  }
}

/** Opens an expanded template. A variable can contain a host, so this checks the origin. */
async function openExpanded(dependencies: CommandDependencies, url: string): Promise<void> {
  const { client } = await dependencies.connections.requireSignedIn();
  await (new URL(url).origin === client.service.origin
    ? openResource(dependencies, url)
    : openExternally(dependencies.input, url));
}

async function goToResource(dependencies: CommandDependencies): Promise<void> {
  const { connections, recent, tree, input, notifications } = dependencies;
  const connection = await connections.requireSignedIn();
  const items = recent.get(accountKey(connection)).map(({ url, title }) => {
    const { pathname, search } = new URL(url);
    const path = pathname + search;
    return { label: label(title) || path, description: path, url };
  });
  if (items.length === 0) {
    notifications.information(vscode.l10n.t('You haven’t opened a resource yet.'));
    return;
  }
  const chosen = await input.pick(items, {
    title: vscode.l10n.t('Go to Resource'),
    placeholder: vscode.l10n.t('Title or path of a resource that you’ve opened before'),
  });
  await tree.reveal(chosen.url);
  await openResource(dependencies, chosen.url);
}

/** Opens a link in the browser if the user agrees, because it comes from the service and leads to another server. */
async function openExternally(input: Input, url: string): Promise<void> {
  const question = vscode.l10n.t('Open this link outside the service?');
  await input.confirmOrCancel(question, url, vscode.l10n.t('Open'), 'information');
  await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

function getExternalUrl(node: unknown): string | undefined {
  return node instanceof LeafNode ? node.value.externalUrl : undefined;
}

/**
 * Returns the address specified by a command's argument. Rows contain web addresses without credentials, but any extension can pass an
 * argument.
 *
 * @returns an absolute http(s) URL without credentials.
 * @throws InvalidInputError if the argument specifies none.
 */
function getArgumentUrl(value: unknown): string {
  if (hasUrl(value)) {
    const url = withoutCredentials(value.url);
    if (/^https?:/.test(url)) {
      return url;
    }
  }
  throw noLinkError();
}
