/**
 * `npm run test:install`: installs what the tests in VS Code need and is not there yet. They would do so themselves;
 * `npm test` does it beside its type check, which leaves the network idle.
 */
import { findBrowser } from './browser.ts';
import { hasDisplay } from './desktop.ts';
import { findPackagedVscode } from './packagedVscode.ts';

await findPackagedVscode('newest');
await findBrowser();
if (!hasDisplay()) {
  await findPackagedVscode('oldest');
}
