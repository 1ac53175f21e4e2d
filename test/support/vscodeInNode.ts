/** Preloaded by the unit tests: `import … from 'vscode'` loads the stand-in beside this file. */
import { registerHooks } from 'node:module';

const standIn = new URL('vscode.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'vscode' ? { url: standIn, shortCircuit: true } : nextResolve(specifier, context),
});
