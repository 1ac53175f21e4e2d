/**
 * Loaded before the unit tests and by the bench, so that `import … from 'vscode'` loads the replacement next to this
 * file.
 */
import { registerHooks } from 'node:module';

const standIn = new URL('vscode.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'vscode' ? { url: standIn, shortCircuit: true } : nextResolve(specifier, context),
});
