import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { BuildJob } from '../../src/build-service/builds/builder.ts';
import { NATIVE_PLUGINS } from '../../src/android-package/plugins/nativePlugins.ts';
import { readAppFiles } from '../../src/android-package/config/appFiles.ts';
import type { App, SigningKey } from '../../src/build-service/store/model.ts';

/** An app without an upload. */
export const testApp: App = {
  ...{ id: 1, ownerId: 1, title: 'Title', package: 'com.example.app', version: '1.2.3', description: '' },
  ...{ repo: null, tag: null, debug: false, private: true, hydrates: false, share: false, plugins: [] },
  ...{
    phonegapVersion: 'cli-9.0.0',
    buildCount: 0,
    lastBuild: null,
    status: {},
    error: {},
    queuedAt: {},
    upload: null,
  },
  ...{ icon: null, iconFile: null, keys: {}, participants: [] },
};

/** An unlocked key without files. */
export const testKey: SigningKey = {
  ...{ id: 1, ownerId: 1, platform: 'android', title: 'Key', default: true, locked: false, createdAt: '' },
  ...{ lastUsedAt: null, alias: null, publisherId: null, expiresAt: null, fingerprints: null, appId: null, files: {} },
};

/** Returns a page and a config.xml with these plugins. Defaults to all plugins whose native code a package can contain. */
export function pageWithPlugins(...names: readonly string[]): Readonly<Record<string, string>> {
  const plugins = (names.length === 0 ? NATIVE_PLUGINS : names).map((name) => `<plugin name="${name}"/>`);
  return {
    'index.html': '<!doctype html><title>Page</title>',
    'config.xml': `<widget id="com.example.app" version="1.2.3"><name>Title</name>${plugins.join('')}</widget>`,
  };
}

/** Creates a job in `folder` with these files, keyed by paths with slashes. */
export async function testJob(
  folder: string,
  values: Partial<BuildJob> = {},
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<BuildJob> {
  const [sourceFolder, workFolder] = [join(folder, 'source'), join(folder, 'work')];
  for (const each of [sourceFolder, workFolder]) {
    await rm(each, { recursive: true, force: true });
    await mkdir(each);
  }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(sourceFolder, path)), { recursive: true });
    await writeFile(join(sourceFolder, path), content);
  }
  const { platform = 'android' } = values;
  const source = values.source ?? (await readAppFiles(sourceFolder, platform));
  return { app: testApp, platform, source, workFolder, icon: undefined, key: undefined, ...values };
}
