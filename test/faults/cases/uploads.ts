import { AppCalls } from '../../../src/apps/calls/appCalls.ts';
import { isGone, uploadFailure } from '../../../src/apps/folders/folderErrors.ts';
import { oddAnswers, OriginalService, type OddAnswer } from '../../support/originalService.ts';
import { addCleanup } from '../../support/servers.ts';
import type { FaultCase } from '../faultCase.ts';
import * as outcome from '../outcomes.ts';

const PACKAGE = { name: 'shop.zip', size: 1_000_000 };

async function* zeros(): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < PACKAGE.size; sent += 50_000) {
    yield await Promise.resolve(Buffer.alloc(50_000));
  }
}

/** Sends a package as building a folder does, to a service that answers the upload otherwise. */
function sending(name: string, odd: OddAnswer, expected: outcome.Outcome): FaultCase {
  return {
    name,
    expected,
    arrange: async (context) => {
      const service = await OriginalService.start();
      addCleanup(() => service.close());
      const id = service.addApp({ title: 'Shop' });
      const client = context.client(service, { credentials: { type: 'authToken', authToken: service.token } });
      const calls = new AppCalls(client);
      const app = await calls.get(service.appUrl(id));
      service.answer('PUT', /./, odd);
      return async () => {
        try {
          const { builds } = await calls.upload(app, { ...PACKAGE, bytes: zeros });
          return builds[0]?.state;
        } catch (error) {
          if (isGone(error)) {
            return 'asks for another app';
          }
          throw uploadFailure(error, PACKAGE.size);
        }
      };
    },
  };
}

/** The package of a folder on its way to the service. */
export const uploads: readonly FaultCase[] = [
  sending('a package is cut off', { cutAfterBytes: 200_000 }, outcome.uploadCutOff),
  sending(
    'a package is refused with 413',
    oddAnswers.tooLarge,
    outcome.uploadRefused(
      'The package of 1.0 MB is too large for the service: The file is too large.',
      'List what the app does not need in a file .appbuildignore, then build again.',
    ),
  ),
  sending(
    'a package is refused with 507',
    oddAnswers.diskFull,
    outcome.uploadRefused(
      'The service has no room for the package of 1.0 MB: No space left.',
      'Delete apps that are not needed, or ask whoever runs the service; then build again.',
    ),
  ),
  sending(
    'a package is refused with 415',
    oddAnswers.wrongType,
    outcome.uploadRefused(
      'The service does not take a zip archive here: Only zip files.',
      'Check that the address of the service is right. The log shows the request.',
    ),
  ),
  sending('a package is answered a byte at a time', { dripMs: 1 }, outcome.value('building')),
  sending(
    'the app is deleted while its package is sent',
    { status: 404, body: '{"error":"app not available"}' },
    outcome.value('asks for another app'),
  ),
];
