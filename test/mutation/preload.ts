/**
 * Loaded into Stryker and its runners, because Stryker's plugin requires modules of mocha without their extension, which is `.cjs` in mocha
 * 12.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(/mocha\/lib\/cli\/[\w-]+$/.test(specifier) ? `${specifier}.cjs` : specifier, context),
});
