/**
 * `npm run test:install`: installs missing test dependencies from npm. The tests would install them anyway, but `npm
 * test` does it during its type check, when the network is idle.
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
