import type { Builder } from './builder.ts';
import { BuildError } from './builder.ts';

/** Packs the files of an app. What comes out shows the way of a build, and cannot be installed. */
export const demoBuilder: Builder = {
  name: 'demo',
  platforms: () =>
    Promise.resolve({
      android: undefined,
      ios: undefined,
      winphone: undefined,
      browser: 'The demo builder makes no browser apps.',
    }),
  build: () => Promise.reject(new BuildError('not built')),
};
