import * as vscode from 'vscode';
import type { Connections, SignedInConnection } from '../auth/connection.ts';
import type { ServiceSelection } from '../auth/serviceSelection.ts';
import { Disposable } from '../workbench/disposable.ts';
import type { Log } from '../workbench/log.ts';
import { StatusBarItem, type StatusBarContent } from '../workbench/statusBar.ts';
import { listText } from '../workbench/values.ts';
import type { AppCalls } from './calls/appCalls.ts';
import { KeyCalls } from './calls/keyCalls.ts';
import type { FolderApps } from './folders/folderApps.ts';
import type { KeyFactsStore } from './keyFacts.ts';
import { KEY_WARNING_KEY } from './keyWarningKey.ts';
import type { App } from './model/app.ts';
import { isOwn, usedKeys } from './model/appKeys.ts';
import { DAY_MS, KEY_WARNING_MS } from './model/keyHealth.ts';
import { isPathBelow } from './model/members.ts';
import type { SigningKey } from './model/signingKey.ts';
import type { AppPresenter } from './rows/appPresenter.ts';
import { dayText, timeToEnd } from './rows/timeAgo.ts';
import { systemClock, type Clock } from './watching/clock.ts';
import { coalesced, PendingWork } from './watching/pendingWork.ts';

/** A key that expires within a week, or has expired within the last one. */
export interface ExpiringKey {
  readonly key: SigningKey;
  readonly expiresAt: Date;
  /** Titles of the apps of this window that are built with it. */
  readonly apps: readonly string[];
  readonly appUrls: readonly string[];
}

export interface KeyExpiryWatchDependencies {
  readonly connections: Pick<Connections, 'current' | 'onDidChange'>;
  readonly selection: Pick<ServiceSelection, 'current'>;
  readonly folders: Pick<FolderApps, 'all' | 'onDidChange'>;
  readonly presenter: Pick<AppPresenter, 'onDidChange' | 'showAgain'>;
  readonly keyFacts: Pick<KeyFactsStore, 'complete'>;
  readonly callsOf: (connection: SignedInConnection) => AppCalls;
  readonly workspaceState: Pick<vscode.Memento, 'get' | 'update'>;
  readonly log: Pick<Log, 'error'>;
  readonly clock?: Clock;
}

/** Key in the workspace's state: when a person looked at the warning last, in milliseconds since 1970. */
const SEEN_KEY = 'keyWarningSeenAt';

const CHECK_INTERVAL_MS = 6 * 60 * 60_000;

/** Characters of a title that the status bar's tooltip has room for. */
const MAX_TITLE_LENGTH = 60;

/**
 * Says in the status bar when a key of an app that a folder of this window is linked to expires within a week, until somebody
 * has looked, and again the next day. Keys that expired within the last week count, too.
 */
export class KeyExpiryWatch extends Disposable {
  readonly #dependencies: KeyExpiryWatchDependencies;
  readonly #clock: Clock;
  readonly #item: StatusBarItem;
  readonly #disposed = new AbortController();
  readonly #work: PendingWork;
  readonly #check = coalesced(() => this.#look());
  #next: { dispose(): void } | undefined;
  #keys: readonly ExpiringKey[] = [];

  constructor(dependencies: KeyExpiryWatchDependencies) {
    super();
    this.#dependencies = dependencies;
    const { connections, folders, presenter, log, clock = systemClock } = dependencies;
    this.#clock = clock;
    this.#work = new PendingWork((error) => {
      if (!this.#disposed.signal.aborted) {
        log.error('Looking at signing keys', error);
      }
    });
    this.#item = this.register(
      new StatusBarItem('keys', vscode.l10n.t('Signing Keys That Expire'), 'appBuild.showExpiringKeys'),
    );
    this.register(connections.onDidChange(() => this.check()));
    this.register(folders.onDidChange(() => this.check()));
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.check()));
    this.register(
      presenter.onDidChange((change) => {
        if (
          change.kind === 'lists' ||
          (change.kind === 'resources' && change.urls.some((url) => this.#concerns(url)))
        ) {
          this.check();
        }
      }),
    );
    this.register({
      dispose: () => {
        this.#disposed.abort();
        this.#next?.dispose();
      },
    });
    this.check();
  }

  /** The first to expire first. */
  get all(): readonly ExpiringKey[] {
    return this.#keys;
  }

  /** Looks at the keys of the linked apps again. */
  check(): void {
    this.#work.run(this.#check);
  }

  /** A person has looked: the status bar says it again tomorrow. */
  async seen(): Promise<void> {
    await this.#dependencies.workspaceState.update(SEEN_KEY, this.#clock.now());
    this.#show();
  }

  /** Resolves when nothing is being asked or written. */
  settled(): Promise<void> {
    return this.#work.settled();
  }

  async #look(): Promise<void> {
    this.#next?.dispose();
    try {
      const keys = this.#hasLinkedFolder() ? await this.#keysInUse() : [];
      if (keys !== undefined && !this.#disposed.signal.aborted) {
        const now = this.#clock.now();
        this.#keys = keys
          .filter(({ expiresAt }) => Math.abs(expiresAt.getTime() - now) <= KEY_WARNING_MS)
          .sort((left, right) => left.expiresAt.getTime() - right.expiresAt.getTime());
        this.#show();
        await this.#remember(keys.map(({ expiresAt }) => expiresAt));
      }
    } finally {
      if (!this.#disposed.signal.aborted) {
        this.#next = this.#clock.after(CHECK_INTERVAL_MS, () => this.check());
      }
    }
  }

  /** Without one nothing is asked: that would start a local service. */
  #hasLinkedFolder(): boolean {
    const { selection, folders } = this.#dependencies;
    try {
      const service = selection.current;
      return service !== undefined && folders.all({ service }).length > 0;
    } catch {
      // The setting is no address: the view says so.
      return false;
    }
  }

  /** The keys of the linked apps whose end is known; undefined when the service cannot be asked. */
  async #keysInUse(): Promise<readonly ExpiringKey[] | undefined> {
    const { connections, folders, callsOf, keyFacts } = this.#dependencies;
    const connection = await connections.current();
    if (connection.kind !== 'signedIn') {
      return connection.kind === 'broken' ? undefined : [];
    }
    const { signal } = this.#disposed;
    const calls = callsOf(connection);
    const urls = new Set(folders.all(connection).map(({ app }) => app.url));
    const found = await Promise.all([...urls].map((url) => this.#app(calls, url)));
    const apps = found.filter((app) => app !== undefined).filter(isOwn);
    const keys = apps.length === 0 ? [] : await new KeyCalls(calls).list(undefined, { signal });
    const builtWith = apps.map((app) => ({ app, used: [...usedKeys(app, keys).values()] }));
    return keys.flatMap((key) => {
      const own = builtWith.filter(({ used }) => used.includes(key)).map(({ app }) => app);
      const complete = keyFacts.complete(key);
      return own.length === 0 || complete.expiresAt === undefined
        ? []
        : [
            {
              key: complete,
              expiresAt: complete.expiresAt,
              apps: own.map(({ title }) => title),
              appUrls: own.map(({ url }) => url),
            },
          ];
    });
  }

  /** Undefined for an app that cannot be read: another one may. */
  async #app(calls: AppCalls, url: string): Promise<App | undefined> {
    try {
      return await calls.get(url, { signal: this.#disposed.signal });
    } catch {
      return undefined;
    }
  }

  #show(): void {
    const seenAt = this.#dependencies.workspaceState.get<unknown>(SEEN_KEY);
    const isSeen = typeof seenAt === 'number' && this.#clock.now() < seenAt + DAY_MS;
    this.#item.show(isSeen ? undefined : statusContent(this.#keys, new Date(this.#clock.now())));
    // Their rows count the days, too.
    this.#dependencies.presenter.showAgain(this.#keys.map(({ key }) => key.url));
  }

  /** Has windows that are loaded later look, once it is time. @param ends of all keys in use. */
  async #remember(ends: readonly Date[]): Promise<void> {
    const { workspaceState } = this.#dependencies;
    const now = this.#clock.now();
    const coming = ends.map((end) => end.getTime()).filter((end) => end + KEY_WARNING_MS > now);
    const from = coming.length === 0 ? undefined : Math.min(...coming) - KEY_WARNING_MS;
    if (workspaceState.get(KEY_WARNING_KEY) !== from) {
      await workspaceState.update(KEY_WARNING_KEY, from);
    }
  }

  /** A key, or an app that may have another key since it was warned of. */
  #concerns(url: string): boolean {
    return this.#keys.some(({ appUrls }) => appUrls.includes(url)) || isPathBelow(url, 'keys', 2);
  }
}

/** What the status bar shows; undefined when there is nothing to say. @param keys the first to expire first. */
function statusContent(keys: readonly ExpiringKey[], now: Date): StatusBarContent | undefined {
  const [first] = keys;
  if (first === undefined) {
    return undefined;
  }
  const when = timeToEnd(first.expiresAt, now, vscode.env.language);
  const isOver = first.expiresAt <= now;
  return {
    icon: isOver ? 'warning' : 'key',
    text: isOver ? vscode.l10n.t('Key expired {0}', when) : vscode.l10n.t('Key expires {0}', when),
    tooltip: [...keys.map((key) => keyText(key, now)), '', vscode.l10n.t('Click for what can be done.')].join('\n'),
    accessibleText: keyText(first, now),
    error: false,
  };
}

/** Which key it is, for what, and when it expires. */
function keyText({ key, expiresAt, apps }: ExpiringKey, now: Date): string {
  const { language } = vscode.env;
  const values = [
    shortened(key.title),
    key.platform,
    listText(apps.map(shortened)),
    timeToEnd(expiresAt, now, language),
    dayText(expiresAt, language),
  ];
  return expiresAt <= now
    ? vscode.l10n.t('The signing key {0} ({1}), used for {2}, expired {3}, on {4}.', ...values)
    : vscode.l10n.t('The signing key {0} ({1}), used for {2}, expires {3}, on {4}.', ...values);
}

function shortened(title: string): string {
  return title.length > MAX_TITLE_LENGTH ? `${title.slice(0, MAX_TITLE_LENGTH - 1)}…` : title;
}
