/**
 * Creates demo data: two users, their apps in every build status, and keys. Also creates downloads for builds that
 * never ran.
 */
import { createHash } from 'node:crypto';

import { addApp, addParticipant, type AppChanges } from './apps.ts';
import { requestBuilds } from './builds.ts';
import { timestamp, type App, type BuildStatus, type Role } from './model.ts';
import { insertKey } from './keys.ts';
import { insertService } from './owner.ts';
import type { HashedPassword } from './secrets.ts';
import type { Store } from './store.ts';
import type { Platform } from '../../android-package/index.ts';

/** Demo user who registered through an external code-hosting account. */
export const CODE_HOSTING_USERNAME = 'octo-demo';
/** Demo user with a password. */
export const DEMO_USERNAME = 'demo';

const DEMO = { id: 1, username: DEMO_USERNAME, email: 'demo@example.com' };
const OCTO = { id: 2, username: CODE_HOSTING_USERNAME, email: 'octo-demo@example.com' };

/** Fills an empty database with demo data. The demo user becomes its owner, with this password. */
export function insertDemoData(store: Store, password: HashedPassword): void {
  const updatedAt = timestamp();
  store.transaction(() => {
    store.insert('users', { ...DEMO, createdAt: '2026-01-05T09:30:00Z', updatedAt, password: password.hash });
    store.insert('users', { ...OCTO, createdAt: '2026-02-11T16:45:00Z', updatedAt, password: null });
    insertService(store, { ownerId: DEMO.id, ownerPassword: password.text, hasDemoData: 1 });
    for (const { isLocked, ...key } of DEMO_KEYS) {
      const id = insertKey(store, { ...key, alias: null, publisherId: null, files: {} });
      store.run('UPDATE keys SET locked = ? WHERE id = ?', Number(isLocked), id);
    }
    store.insert('lastIds', { name: 'apps', id: 1000 });
    DEMO_APPS.forEach((app) => insertDemoApp(store, app));
  });
}

interface DemoApp {
  readonly owner?: typeof DEMO;
  readonly app: AppChanges;
  readonly buildCount: number;
  readonly lastBuild: string | null;
  /** Status of the finished builds, keyed by platform. */
  readonly status: Readonly<Partial<Record<Platform, BuildStatus>>>;
  /** Platforms whose builds are queued and run when the service starts. */
  readonly building?: readonly Platform[];
  readonly error?: Readonly<Partial<Record<Platform, string>>>;
  readonly participants?: Readonly<Record<string, Role>>;
}

function insertDemoApp(
  store: Store,
  { owner = DEMO, app, status, building = [], error = {}, participants = {}, ...rest }: DemoApp,
): void {
  const appId = addApp(store, owner.id, { phonegapVersion: 'cli-9.0.0', ...app });
  store.run('UPDATE apps SET buildCount = ?, lastBuild = ? WHERE id = ?', rest.buildCount, rest.lastBuild, appId);
  for (const [platform, each] of Object.entries(status)) {
    store.insert('builds', { appId, platform, status: each, error: error[platform as Platform] ?? null, number: 0 });
  }
  requestBuilds(store, appId, building);
  for (const [email, role] of Object.entries(participants)) {
    addParticipant(store, appId, email, role);
  }
}

const DEMO_APPS: readonly DemoApp[] = [
  {
    app: {
      title: 'Field Notes',
      package: 'com.example.fieldnotes',
      version: '2.4.1',
      description: 'Notes and photographs from outdoors, offline first.',
      repo: 'https://code.example.com/demo/field-notes.git',
      icon: 'icon.png',
      keys: { android: 1, ios: 2 },
    },
    buildCount: 37,
    lastBuild: '2026-03-02T11:20:00Z',
    status: { android: 'complete', ios: 'complete' },
    participants: { [OCTO.email]: 'developer', 'new.tester@example.com': 'tester' },
  },
  {
    app: {
      title: 'Tide Table',
      package: 'com.example.tides',
      version: '0.9.0',
      description: 'High and low water for any harbour.',
      debug: true,
      icon: 'tide.png',
    },
    buildCount: 3,
    lastBuild: '2026-03-03T08:05:00Z',
    status: { ios: null },
    building: ['android'],
  },
  {
    app: {
      title: 'Café Queue – 珈琲',
      package: 'com.example.cafequeue',
      version: '1.0.0',
      description: 'Order ahead & skip the <queue>.',
      keys: { android: 3 },
    },
    buildCount: 12,
    lastBuild: '2026-02-20T14:00:00Z',
    status: { android: 'complete', ios: 'error' },
    error: { ios: 'Certificate not found.' },
  },
  {
    app: { title: 'First Steps', package: 'com.example.firststeps', version: '0.0.1' },
    buildCount: 0,
    lastBuild: null,
    status: {},
  },
  {
    owner: OCTO,
    app: {
      title: 'Commit Companion',
      package: 'org.example.commits',
      version: '3.2.0',
      description: 'Reviews on the train.',
      repo: 'https://code.example.com/octo-demo/commit-companion.git',
      private: false,
    },
    buildCount: 81,
    lastBuild: '2026-03-01T19:40:00Z',
    status: { android: 'complete', ios: null },
    participants: { [DEMO.email]: 'tester' },
  },
];

/** Demo keys. A key's ID is its position in this list, starting at 1. */
const DEMO_KEYS = [
  { ownerId: DEMO.id, platform: 'android', title: 'Play Store release', isDefault: true, isLocked: false },
  { ownerId: DEMO.id, platform: 'ios', title: 'App Store distribution', isDefault: true, isLocked: false },
  { ownerId: DEMO.id, platform: 'android', title: 'Internal testing', isDefault: false, isLocked: true },
  { ownerId: DEMO.id, platform: 'ios', title: 'Ad hoc', isDefault: false, isLocked: true },
  { ownerId: DEMO.id, platform: 'winphone', title: 'Publisher ID', isDefault: true, isLocked: true },
  { ownerId: DEMO.id, platform: 'windows', title: 'Desktop certificate', isDefault: true, isLocked: true },
  // With these keys, a new user's first build succeeds on every platform.
  { ownerId: OCTO.id, platform: 'android', title: 'Open source release', isDefault: true, isLocked: false },
  { ownerId: OCTO.id, platform: 'ios', title: 'Open source distribution', isDefault: true, isLocked: false },
] as const;

/** Icon of the demo apps: PNG, 32 × 32 pixels. */
export const DEMO_ICON = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAARElEQVR42mPgjllLU8QwasGoBaMWEG3Bf2yAOhb8JwQosuA/cWCwWvCfFDBqwa' +
    'gFA2PB0M9o9CiL6FGajtZooxYMfwsABLjA9cOyHnYAAAAASUVORK5CYII=',
  'base64',
);

/**
 * Returns a fake package: an empty zip archive, because all package formats are zip archives. A comment increases its
 * size.
 */
export function demoPackage(app: App, platform: Platform): Buffer<ArrayBuffer> {
  const seed = createHash('sha512').update(`${app.id} ${platform} ${app.version} ${app.buildCount}`).digest('hex');
  const comment = Buffer.from(seed.repeat(400));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([end, comment]);
}
