/** Loaded before the unit tests: a rejected promise without a handler fails the current test. Mocha itself ignores it. */
export const mochaHooks = {
  beforeAll: () => void process.on('unhandledRejection', fail),
  afterAll: () => void process.off('unhandledRejection', fail),
};

function fail(reason: unknown): never {
  throw reason;
}
