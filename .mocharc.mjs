import path from 'node:path';

// Tests start the local service a hundred times; with Node's compile cache each start takes half the processor time.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, 'node_modules', '.cache', 'node');

/** The unit tests: see test/host/unit.ts. */
export default {
  require: ['test/support/vscodeInNode.ts'],
  timeout: 30_000,
  'forbid-only': true,
  'forbid-pending': true,
  'watch-files': ['src/**/*.ts', 'test/**/*.ts'],
  // Tests wait for the processes that they start. `--watch` needs this too: a process loads an ES module only once.
  parallel: true,
  jobs: 4,
};
