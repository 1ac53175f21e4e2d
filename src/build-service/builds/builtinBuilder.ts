import type { Builder, BuildKey } from './builder.ts';
import {
  buildAndroidPackage,
  BuildError,
  createTestKeyLoader,
  SUPPORTED_PLUGINS,
} from '../../android-package/index.ts';
import { openSigner } from './buildKeys.ts';

const UNAVAILABLE = {
  ios: 'iOS apps require a Mac with Xcode and the Cordova engine. Run “Install Engine…” there.',
  winphone: 'Windows Phone is discontinued.',
  browser: 'Browser apps require the Cordova engine. Run “Install Engine…”.',
} as const;

/** Creates the built-in builder. @param dataFolder folder for the test key, or `undefined` to keep the key in memory */
export function createBuiltinBuilder(dataFolder: string | undefined): Builder {
  const testKey = createTestKeyLoader(dataFolder);
  return {
    name: 'builtin',
    platforms: () => Promise.resolve(UNAVAILABLE),
    plugins: SUPPORTED_PLUGINS.map((name) => ({ name, version: '*', variables: [] })),
    build: async (job, log, signal) => {
      if (job.platform !== 'android') {
        throw new BuildError(UNAVAILABLE[job.platform]);
      }
      const { key, source: files } = job;
      if (key !== undefined && isDemoKey(key)) {
        const notes = [`The key “${key.key.title}” is part of the demo data and doesn’t have a file.`];
        return buildAndroidPackage({ ...job, files, key: undefined, testKey, notes }, log, signal);
      }
      const packageKey = key && { title: key.key.title, open: () => openSigner(key, signal) };
      return buildAndroidPackage({ ...job, files, key: packageKey, testKey }, log, signal);
    },
  };
}

/** Reports whether a key is part of the demo data and has no file, so that the test key signs instead. */
function isDemoKey({ key, files }: BuildKey): boolean {
  return !key.locked && Object.keys(files).length === 0;
}
