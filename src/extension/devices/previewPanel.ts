import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { Disposable } from '../workbench/disposable.ts';
import { html, Html } from '../workbench/html.ts';
import type { Log } from '../workbench/log.ts';
import { describeFailure, type Notifications } from '../workbench/notifications.ts';
import { openFramePage, type FramePage } from '../workbench/page.ts';
import { PANEL_LIFETIME_MS, PROBLEM_PAUSE_MS } from './limits.ts';
import { LivePages, type PlanPages } from './livePages.ts';
import { listenInNetwork, type NetworkListener } from './network/networkListener.ts';
import { PreviewSite } from './network/networkSites.ts';
import { frameDocument } from './network/phonePages.ts';
import { renderIcon } from './packageIcon.ts';
import { PreviewProblems } from './previewProblems.ts';

/** The project that a panel previews. */
interface PreviewSubject {
  /** Unique key of the project among the open panels. */
  readonly key: string;
  readonly title: string;
  /** The app's icon as a data URL. Undefined to show the extension's logo. */
  readonly icon: string | undefined;
  /** Project folder. */
  readonly uri: vscode.Uri;
  readonly plan: PlanPages;
  /** Returns the address of the project's development server, or undefined if none is running. */
  readonly findServer: () => Promise<string | undefined>;
  /** Asks the user for the address of the development server. Undefined if the project's tool has none. */
  readonly askForServer: (() => Promise<unknown>) | undefined;
  readonly openOnPhone: () => Promise<unknown>;
}

interface PanelDependencies {
  readonly notifications: Notifications;
  readonly log: Log;
  /** Path of the built-in builder's cordova.js. */
  readonly cordovaScript: string;
}

/** The panels that preview an app next to the code, one per project. */
export class PreviewPanels extends Disposable {
  readonly #dependencies: PanelDependencies;
  readonly #open = new Map<string, PreviewPanel>();

  constructor(dependencies: PanelDependencies) {
    super();
    this.#dependencies = dependencies;
    this.register({ dispose: () => void this.close() });
  }

  /** Closes all panels. Resolves when their files are deleted. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((panel) => panel.close()));
  }

  /** Shows the panel of a project. @throws PackingError if the project has no pages; CancelledError */
  async show(subject: PreviewSubject): Promise<void> {
    const open = this.#open.get(subject.key);
    if (open !== undefined) {
      open.reveal();
      return;
    }
    const panel = new PreviewPanel(subject, this.#dependencies, () => this.#open.delete(subject.key));
    this.#open.set(subject.key, panel);
    try {
      await panel.show();
    } catch (error) {
      panel.dispose();
      throw error;
    }
  }
}

const LOOPBACK = '127.0.0.1';

/** A project's pages, served on this computer for its panel. */
interface ServedPages {
  readonly live: LivePages;
  readonly url: string;
}

class PreviewPanel extends Disposable {
  readonly #subject: PreviewSubject;
  readonly #dependencies: PanelDependencies;
  #page: FramePage | undefined;
  #served: Promise<ServedPages> | undefined;
  /** True if the user prefers the package's pages to a running server. */
  #prefersPages = false;
  #showsServer = false;
  /** Reason why the current pages can't be shown. Empty if they can. */
  #trouble = '';
  #listener: NetworkListener | undefined;
  #isClosed = false;
  readonly #collection = this.register(vscode.languages.createDiagnosticCollection('app-build-preview'));
  #problems: PreviewProblems | undefined;
  /** Origin of the frame. */
  #origin = '';
  #publishing: NodeJS.Timeout | undefined;

  constructor(subject: PreviewSubject, dependencies: PanelDependencies, onDidClose: () => void) {
    super();
    this.#subject = subject;
    this.#dependencies = dependencies;
    this.register({
      dispose: () => {
        this.#isClosed = true;
        clearTimeout(this.#publishing);
        onDidClose();
      },
    });
  }

  /** Closes the panel. Resolves when its files are deleted. */
  async close(): Promise<void> {
    this.dispose();
    await this.#listener?.close();
  }

  reveal(): void {
    this.#page?.reveal();
  }

  /** Shows the project's development server if one is running. Otherwise shows its pages. */
  async show(): Promise<void> {
    const { findServer, askForServer } = this.#subject;
    const server = this.#prefersPages ? undefined : await findServer();
    this.#showsServer = server !== undefined;
    if (server !== undefined) {
      this.#problems = undefined;
      this.#publish();
      await this.#draw(server, {
        note: vscode.l10n.t('Dev server at {0}', new URL(server).host),
        other: { say: 'pages', text: vscode.l10n.t('Show Packaged Pages') },
      });
      return;
    }
    const served = this.#served;
    this.#served ??= this.#serve().catch((error: unknown) => {
      this.#served = undefined;
      throw error;
    });
    const { live, url } = await this.#served;
    if (served !== undefined) {
      await live.refresh();
    }
    const other = askForServer && { say: 'server', text: vscode.l10n.t('Show Dev Server…') };
    await this.#draw(url, { note: this.#trouble, other });
  }

  async #serve(): Promise<ServedPages> {
    const { plan, title, uri } = this.#subject;
    const live = this.register(new LivePages(plan));
    const files = await live.read();
    const { cordovaScript, log } = this.#dependencies;
    const site = new PreviewSite(frameDocument(title, undefined, true), files, {
      cordovaScript,
      isEmbedded: true,
      follower: {
        started: (start) => {
          this.#problems = new PreviewProblems(start);
          this.#publish(live);
        },
        missed: (missing, by) => {
          this.#problems?.addMissing(missing, by);
          this.#publish(live);
        },
      },
    });
    const dispose = (): Promise<void> =>
      site.dispose().catch((error: unknown) => log.error('Deleting the files of a preview', error));
    const listener = await listenInNetwork({
      address: LOOPBACK,
      site,
      lifetimeMs: PANEL_LIFETIME_MS,
      onDidEnd: dispose,
    }).catch(async (error: unknown) => {
      await dispose();
      throw error;
    });
    this.#listener = listener;
    this.register({ dispose: () => void listener.close() });
    live.follow(uri, {
      show: (next) => site.show(next),
      failed: (error) => {
        this.#trouble = error === undefined ? '' : describeFailure(error);
        if (error !== undefined) {
          log.error('Previewing a change', error);
        }
        this.#tell();
      },
    });
    // VS Code forwards the port under `localhost` or under the external address, so allow both.
    listener.allowHost(`localhost:${new URL(listener.url).port}`);
    listener.allowHost((await reachable(listener.url)).authority);
    return { live, url: listener.url };
  }

  /** Shows why the pages can't be shown, or else the first problem of the app. */
  #tell(): void {
    if (!this.#showsServer) {
      this.#page?.tell(this.#trouble === '' ? (this.#problems?.summary ?? '') : this.#trouble);
    }
  }

  /** Shows the app's problems in the panel and in *Problems* after a pause. @param live pages of the app. Undefined for none */
  #publish(live?: LivePages): void {
    if (this.#isClosed) {
      return;
    }
    this.#publishing ??= setTimeout(() => {
      this.#publishing = undefined;
      this.#collection.clear();
      const find = (each: string): vscode.Uri | undefined => live?.find(each);
      this.#collection.set(this.#problems?.getDiagnostics(find) ?? []);
      this.#tell();
    }, PROBLEM_PAUSE_MS);
  }

  async #draw(url: string, content: Pick<PanelContent, 'note' | 'other'>): Promise<void> {
    const { title, icon } = this.#subject;
    const address = (await reachable(url)).toString(true);
    const { origin } = new URL(address);
    this.#origin = origin;
    if (this.#isClosed) {
      return;
    }
    this.#page ??= this.#openPage();
    this.#page.show({
      body: panelBody({ ...content, address, title, icon }),
      style: STYLE,
      script: SCRIPT,
      origin,
    });
  }

  #openPage(): FramePage {
    const page = openFramePage('appBuild.preview', vscode.l10n.t('Preview of {0}', this.#subject.title));
    this.register(page.onDidSay((message) => this.#answer(message)));
    this.register(page.onDidClose(() => this.dispose()));
    this.register({ dispose: page.close });
    return page;
  }

  /** Handles an unchecked message from the page. */
  #answer(message: unknown): void {
    const { askForServer, openOnPhone } = this.#subject;
    const actions: ReadonlyMap<unknown, () => Promise<unknown>> = new Map([
      ['reload', () => this.show()],
      ['phone', openOnPhone],
      ['pages', () => this.#showPages(true)],
      ['server', () => this.#askForServer(askForServer)],
    ]);
    const action = actions.get(message);
    if (action !== undefined) {
      void this.#dependencies.notifications.run('Previewing an app', action);
    } else if (this.#served !== undefined && this.#problems !== undefined) {
      this.#problems.setReport(message, this.#origin);
      void this.#served.then(({ live }) => this.#publish(live));
    }
  }

  async #askForServer(ask: PreviewSubject['askForServer']): Promise<void> {
    await ask?.();
    await this.#showPages(false);
  }

  async #showPages(prefersPages: boolean): Promise<void> {
    this.#prefersPages = prefersPages;
    await this.show();
  }
}

/** Returns the address at which this window's webviews can reach a URL on this computer. In a remote window, that's a forwarded port. */
async function reachable(url: string): Promise<vscode.Uri> {
  const uri = vscode.Uri.parse(url, true);
  const external = await vscode.env.asExternalUri(uri);
  // Pages that load their files from the root don't work under a proxy's path.
  return external.path === uri.path ? external : uri;
}

const STYLE = readFileSync(path.join(import.meta.dirname, 'previewPanel.css'), 'utf8');
const SCRIPT = readFileSync(path.join(import.meta.dirname, 'previewPanel.js'), 'utf8');

/** The page in the frame must not reach the panel around it or open a window. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-downloads allow-modals';

interface PanelContent extends Pick<PreviewSubject, 'title' | 'icon'> {
  readonly address: string;
  /** Text under the title. Empty for none. */
  readonly note: string;
  /** Button that switches to the other source of pages. */
  readonly other: { readonly say: string; readonly text: string } | undefined;
}

function panelBody({ title, icon, address, note, other }: PanelContent): Html {
  return html`<header>
      ${renderIcon(icon)}
      <h1>${vscode.l10n.t('Preview of {0}', title)}</h1>
      <div role="group" aria-label="${vscode.l10n.t('Size')}">
        ${iconButton('set', 'phone', vscode.l10n.t('Phone'))} ${iconButton('set', 'tablet', vscode.l10n.t('Tablet'))}
        ${iconButton('set', 'full', vscode.l10n.t('Whole Panel'))}
      </div>
      ${iconButton('set', 'rotate', vscode.l10n.t('Rotate'))} ${iconButton('set', 'dark', vscode.l10n.t('Dark Mode'))}
      ${iconButton('say', 'reload', vscode.l10n.t('Reload'))}
      <div class="end">
        ${other === undefined ? '' : textButton(other.say, other.text)}
        ${textButton('phone', vscode.l10n.t('Open on a Phone…'))}
      </div>
      <p role="status">${note}</p>
    </header>
    <main><iframe src="${address}" title="${title}" sandbox="${SANDBOX}"></iframe></main>`;
}

function textButton(say: string, text: string): Html {
  return html`<button class="text" data-say="${say}">${text}</button>`;
}

function iconButton(kind: 'set' | 'say', name: keyof typeof ICONS, label: string): Html {
  const action = new Html(`data-${kind}="${name}"`);
  return html`<button ${action} title="${label}" aria-label="${label}">
    <svg viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[name]}" /></svg>
  </button>`;
}

/** SVG paths in a 16 × 16 square. */
const ICONS = {
  phone: 'M5.5 1.5h5a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1zM7.3 12.3h1.4',
  tablet: 'M3.5 1.5h9a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1zM7 12.3h2',
  full: 'M2.5 2.5h11a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM1.5 5.5h13',
  rotate:
    'M2.5 7.5h6a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1zM5.5 4.5c2-3 7-2.5 7.5 3M10.8 6l2.2 1.8 1.5-2.4',
  dark: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13zM8 3.5v9M9.5 4v8M11 5v6M12.3 6.5v3',
  reload: 'M13.5 8a5.5 5.5 0 1 1-1.7-4M13.5 1.5v3h-3',
} as const;
