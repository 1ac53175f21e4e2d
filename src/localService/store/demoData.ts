/** What a service without data starts with: two users, their apps in every build status, and keys. */
import type { InitialApp, InitialData, InitialKey } from './initialData.ts';
import { timestamp, type User } from './model.ts';
import { createHexSecret, createToken, hashPassword } from './secrets.ts';

/** The user who registered through an external code-hosting login. */
export const CODE_HOSTING_USERNAME = 'octo-demo';
/** The user with a password. */
export const DEMO_USERNAME = 'demo';

/** Demo data with a random password and signing key. */
export async function createDemoData(): Promise<InitialData> {
  const password = createToken();
  const created = timestamp();
  const demo: User = {
    id: 1,
    username: DEMO_USERNAME,
    email: 'demo@example.com',
    createdAt: '2026-01-05T09:30:00Z',
    updatedAt: created,
    password: await hashPassword(password),
  };
  const octo: User = {
    id: 2,
    username: CODE_HOSTING_USERNAME,
    email: 'octo-demo@example.com',
    createdAt: '2026-02-11T16:45:00Z',
    updatedAt: created,
    password: null,
  };
  return {
    port: null,
    signingKey: createHexSecret(32),
    demo: { userId: demo.id, password, clientId: '', clientSecret: '' },
    users: [demo, octo],
    authTokens: [],
    clients: [],
    accessTokens: [],
    sessions: [],
    apps: demoApps(demo, octo),
    keys: demoKeys(demo, octo),
  };
}

function demoApps(demo: User, octo: User): readonly InitialApp[] {
  const common = {
    ownerId: demo.id,
    debug: false,
    private: true,
    hydrates: false,
    repo: null,
    phonegapVersion: 'cli-9.0.0',
    error: {},
    icon: null,
    keys: { android: null, ios: null, winphone: null },
    collaborators: [{ id: 1, userId: demo.id, role: 'admin' }],
    pending: [],
  } satisfies Partial<InitialApp>;
  return [
    {
      ...common,
      id: 1001,
      title: 'Field Notes',
      package: 'com.example.fieldnotes',
      version: '2.4.1',
      description: 'Notes and photographs from outdoors, offline first.',
      repo: 'https://code.example.com/demo/field-notes.git',
      buildCount: 37,
      lastBuild: '2026-03-02T11:20:00Z',
      status: { android: 'complete', ios: 'complete', winphone: 'skip' },
      icon: 'icon.png',
      keys: { android: 1, ios: 2, winphone: null },
      collaborators: [
        { id: 1, userId: demo.id, role: 'admin' },
        { id: 2, userId: octo.id, role: 'developer' },
      ],
      pending: [{ person: 'new.tester@example.com', role: 'tester' }],
    },
    {
      ...common,
      id: 1002,
      title: 'Tide Table',
      package: 'com.example.tides',
      version: '0.9.0',
      description: 'High and low water for any harbour.',
      buildCount: 4,
      lastBuild: '2026-03-03T08:05:00Z',
      status: { android: 'pending', ios: null, winphone: 'pending' },
      debug: true,
      icon: 'tide.png',
    },
    {
      ...common,
      id: 1003,
      title: 'Café Queue – 珈琲',
      package: 'com.example.cafequeue',
      version: '1.0.0',
      description: 'Order ahead & skip the <queue>.',
      buildCount: 12,
      lastBuild: '2026-02-20T14:00:00Z',
      status: { android: 'complete', ios: 'error', winphone: 'error' },
      error: { ios: 'Certificate not found.', winphone: 'Malformed config.xml' },
      keys: { android: 3, ios: null, winphone: 5 },
    },
    {
      ...common,
      id: 1004,
      title: 'First Steps',
      package: 'com.example.firststeps',
      version: '0.0.1',
      description: '',
      buildCount: 0,
      lastBuild: null,
      status: {},
    },
    {
      ...common,
      id: 1005,
      ownerId: octo.id,
      title: 'Commit Companion',
      package: 'org.example.commits',
      version: '3.2.0',
      description: 'Reviews on the train.',
      repo: 'https://code.example.com/octo-demo/commit-companion.git',
      private: false,
      buildCount: 81,
      lastBuild: '2026-03-01T19:40:00Z',
      status: { android: 'complete', ios: null, winphone: 'complete' },
      collaborators: [
        { id: 3, userId: octo.id, role: 'admin' },
        { id: 4, userId: demo.id, role: 'tester' },
      ],
    },
  ];
}

function demoKeys(demo: User, octo: User): readonly InitialKey[] {
  const common = { ownerId: demo.id, default: false, locked: true, createdAt: '2026-01-12T10:00:00Z' };
  const ofOcto = { ownerId: octo.id, default: true, locked: false };
  return [
    { ...common, id: 1, platform: 'android', title: 'Play Store release', default: true, locked: false },
    { ...common, id: 2, platform: 'ios', title: 'App Store distribution', default: true, locked: false },
    { ...common, id: 3, platform: 'android', title: 'Internal testing' },
    { ...common, id: 4, platform: 'ios', title: 'Ad hoc' },
    { ...common, id: 5, platform: 'winphone', title: 'Publisher ID', default: true },
    { ...common, id: 6, platform: 'windows', title: 'Desktop certificate', default: true },
    // With these, the first build of somebody who tries the service succeeds on every platform.
    { ...common, ...ofOcto, id: 7, platform: 'android', title: 'Open source release' },
    { ...common, ...ofOcto, id: 8, platform: 'ios', title: 'Open source distribution' },
  ];
}
