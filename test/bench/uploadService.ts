/** `uploadService.ts DATA_FOLDER`: the local service with a builder that builds nothing, so that uploads alone are measured. */
import type { Builder } from '../../src/localService/builds/builder.ts';
import { startServer } from '../../src/localService/server.ts';
import { createService } from '../../src/localService/service.ts';
import { ensureOwnerCredentials, getOwnerCredentials } from '../../src/localService/store/owner.ts';
import { openStore } from '../../src/localService/store/dataFolder.ts';
import { answerPeakMemory } from './peakMemory.ts';

const dataFolder = process.argv[2];
const store = await openStore(dataFolder, console.error, { demo: true });
ensureOwnerCredentials(store, undefined);
const unavailable = 'Nothing is built here.';
const builder: Builder = {
  name: 'command',
  platforms: () =>
    Promise.resolve({ android: unavailable, ios: unavailable, winphone: unavailable, browser: unavailable }),
  build: () => Promise.reject(new Error(unavailable)),
};
const service = createService({ store, dataFolder, builder, report: console.error });
service.builds.start();
const { baseUrl } = await startServer(service, { port: 0 });
answerPeakMemory();
process.send?.({ url: `${baseUrl}/api/v1/apps`, query: `?auth_token=${getOwnerCredentials(store).authToken}` });
