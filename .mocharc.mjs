import path from 'node:path';

// Tests start the local service about a hundred times. Node's compile cache halves the processor time of each start.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, 'node_modules', '.cache', 'node');

/** Options for the unit tests: see test/host/unit.ts. */
export default {
  require: ['test/support/vscodeInNode.ts', 'test/support/unhandledRejections.ts'],
  timeout: 120_000,
  'forbid-only': true,
  'forbid-pending': true,
  'watch-files': ['src/**/*.ts', 'test/**/*.ts'],
  // Tests wait for the processes that they start. `--watch` also needs this, because a process loads an ES module only
  // once.
  parallel: true,
  jobs: 4,
};
