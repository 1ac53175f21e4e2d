import path from 'node:path';

// Tests start the local service a hundred times; with Node's compile cache each start takes half the processor time.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, 'node_modules', '.cache', 'node');

/** The unit tests: `npm run test:unit`, with `-- --watch` to run them again on every change. */
export default {
  spec: ['test/unit/**/*.test.ts'],
  timeout: 30_000,
  'forbid-only': true,
  'forbid-pending': true,
  'watch-files': ['src/**/*.ts', 'test/**/*.ts'],
  // A process loads an ES module once: only processes of their own, one for each file, see a change.
  parallel: process.argv.includes('--watch'),
};
