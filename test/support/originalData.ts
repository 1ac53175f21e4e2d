/** The data of the original service, and the format of its responses. */

export const PLATFORMS = ['android', 'ios', 'winphone'];

/** An app as the service stores it. */
export interface OriginalApp {
  readonly id: number;
  readonly fields: Record<string, unknown>;
  readonly status: Record<string, unknown>;
  readonly error: Record<string, unknown>;
  readonly keys: Record<string, unknown>;
  readonly logs: Map<string, string>;
  readonly people: Map<number, { readonly person: string; readonly role: string; readonly pending: boolean }>;
  /** Members that override the service's own in responses. */
  odd: Readonly<Record<string, unknown>>;
}

/** A key as the service stores it. */
interface OriginalKey {
  readonly id: number;
  readonly platform: string;
  readonly fields: Record<string, unknown>;
}

export class OriginalData {
  readonly username = 'demo';
  readonly apps = new Map<number, OriginalApp>();
  readonly keys = new Map<number, OriginalKey>();
  /** Email address of a user with an account, who becomes a collaborator immediately. All others are invited. */
  readonly knownPerson = 'known@example.com';
  /** The user's role in every app. */
  role = 'admin';
  /** Base URL of downloads: another host. */
  storageUrl = '';
  #lastId = 2000;

  /** Adds an app without builds. @returns its number */
  addApp(fields: Readonly<Record<string, unknown>> = {}): number {
    const id = this.nextId();
    const people = new Map([[1, { person: 'demo@example.com', role: 'admin', pending: false }]]);
    this.apps.set(id, {
      id,
      fields: { title: `App ${id}`, package: `com.example.app${id}`, version: '1.0.0', repo: null, ...fields },
      status: Object.fromEntries(PLATFORMS.map((platform) => [platform, null])),
      error: {},
      keys: Object.fromEntries(PLATFORMS.map((platform) => [platform, null])),
      logs: new Map(),
      people,
      odd: {},
    });
    return id;
  }

  /** Adds a key. @returns its number */
  addKey(platform: string, fields: Readonly<Record<string, unknown>> = {}): number {
    const id = this.nextId();
    this.keys.set(id, { id, platform, fields: { title: `Key ${id}`, default: false, locked: true, ...fields } });
    return id;
  }

  nextId(): number {
    return ++this.#lastId;
  }

  /** Ends a build. A failed one has an `error`. */
  finish(id: number, platform: string, status = 'complete', error?: string): void {
    const app = this.app(id);
    app.status[platform] = status;
    Reflect.deleteProperty(app.error, platform);
    if (error !== undefined) {
      app.error[platform] = error;
    }
  }

  /** Ends all pending builds. */
  finishAll(status = 'complete', error?: string): void {
    for (const { id, status: statuses } of this.apps.values()) {
      for (const platform of Object.keys(statuses).filter((name) => statuses[name] === 'pending')) {
        this.finish(id, platform, status, error);
      }
    }
  }

  setLog(id: number, platform: string, text: string): void {
    this.app(id).logs.set(platform, text);
  }

  /** Overrides members of an app in responses. */
  change(id: number, members: Readonly<Record<string, unknown>>): void {
    this.app(id).odd = members;
  }

  app(id: number): OriginalApp {
    const app = this.apps.get(id);
    if (app === undefined) {
      throw new Error(`There is no app ${id}.`);
    }
    return app;
  }

  user(): object {
    const { username, role } = this;
    const all = [...this.apps.values()].map(({ id, fields }) => ({
      title: fields.title,
      role,
      link: `/api/v1/apps/${id}`,
    }));
    const apps = { id: 2, link: '/api/v1/apps', all };
    return { id: 1, username, email: 'demo@example.com', link: '/api/v1/me', apps, keys: this.keyLists() };
  }

  /** iOS builds require a key. */
  build(app: OriginalApp, platforms: readonly string[]): void {
    for (const platform of platforms) {
      const hasKey = platform !== 'ios' || [...this.keys.values()].some((key) => key.platform === 'ios');
      app.status[platform] = hasKey ? 'pending' : 'error';
      Reflect.deleteProperty(app.error, platform);
      if (!hasKey) {
        app.error[platform] = 'You must provide a signing key, first';
      }
    }
  }

  summary({ id, fields, status, error, odd }: OriginalApp): object {
    const built = Object.keys(status).filter((platform) => status[platform] === 'complete');
    const link = `/api/v1/apps/${id}`;
    const download = Object.fromEntries(built.map((platform) => [platform, `${link}/${platform}`]));
    const icon = { filename: null, link: `${link}/icon` };
    return { id, ...fields, link, build_count: null, status, download, error, icon, role: this.role, ...odd };
  }

  details(app: OriginalApp): object {
    const link = `/api/v1/apps/${app.id}/collaborators`;
    const list = (isPending: boolean): readonly object[] =>
      [...app.people].flatMap(([id, { person, role, pending }]) =>
        pending === isPending ? [{ person, role, ...(!pending && { id, link: `${link}/${id}` }) }] : [],
      );
    const collaborators = { link, active: list(false), pending: list(true) };
    return {
      ...this.summary(app),
      keys: app.keys,
      collaborators,
      last_build: null,
      completed: isCompleted(app),
      ...app.odd,
    };
  }

  /** Returns the response to a change. It contains the collaborators as an array. */
  changed(app: OriginalApp): object {
    const collaborators = [...app.people.values()].map(({ person, role }) => ({ person, role }));
    return { ...this.summary(app), keys: app.keys, collaborators, ...app.odd };
  }

  key(id: number): object {
    const { platform, fields } = this.keys.get(id) ?? { platform: '', fields: {} };
    return { id, ...fields, link: `/api/v1/keys/${platform}/${id}` };
  }

  keyLists(): object {
    const platforms = [
      ...new Set(['ios', 'android', 'winphone', ...[...this.keys.values()].map((key) => key.platform)]),
    ];
    const list = (platform: string): object => ({
      link: `/api/v1/keys/${platform}`,
      all: [...this.keys.values()].filter((key) => key.platform === platform).map((key) => this.key(key.id)),
    });
    return { link: '/api/v1/keys', ...Object.fromEntries(platforms.map((platform) => [platform, list(platform)])) };
  }
}

export function isCompleted({ status }: OriginalApp): boolean {
  return !Object.values(status).includes('pending');
}
