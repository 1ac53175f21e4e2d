/**
 * `npm run test:install`: installs what the tests need from npm and is not there yet. They would do so themselves;
 * `npm test` does it beside its type check and unit tests, which leave the network idle; they need the engine, which comes
 * first, and alone with the argument `engine`.
 */
import { findBrowser } from './browser.ts';
import { findCordovaEngine } from './cordovaEngine.ts';
import { hasDisplay } from './desktop.ts';
import { findPackagedVscode } from './packagedVscode.ts';

await findCordovaEngine();
if (process.argv[2] !== 'engine') {
  await findPackagedVscode('newest');
  await findBrowser();
  if (!hasDisplay()) {
    await findPackagedVscode('oldest');
  }
}
