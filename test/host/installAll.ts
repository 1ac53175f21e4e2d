/**
 * `npm run test:install`: installs what the tests need from npm and is not there yet. They would do so themselves;
 * `npm test` does it beside its type check, which leaves the network idle.
 */
import { findBrowser } from './browser.ts';
import { findCordovaEngine } from './cordovaEngine.ts';
import { hasDisplay } from './desktop.ts';
import { findPackagedVscode } from './packagedVscode.ts';

await findCordovaEngine();
await findPackagedVscode('newest');
await findBrowser();
if (!hasDisplay()) {
  await findPackagedVscode('oldest');
}
