import { BuildServiceClient } from '../../src/service-client/client.ts';
import type { Credentials } from '../../src/service-client/credentials.ts';
import { parseServiceUrl } from '../../src/service-client/serviceUrl.ts';
import { Transport } from '../../src/service-client/http/transport.ts';
import type { LocalService } from '../support/localService.ts';
import { basic, call, member } from '../support/serviceRequests.ts';

const FOR_FIXED_ANSWERS: Credentials = { type: 'accessToken', accessToken: 'of-the-bench-1234567890' };

/** Creates a signed-in client, as the extension does. Its transport ends with the process. */
export function benchClient(url: string, credentials = FOR_FIXED_ANSWERS): BuildServiceClient {
  return new BuildServiceClient({ service: parseServiceUrl(url), credentials, transport: new Transport() });
}

/** Returns an authentication token for the local service's own user (contract, endpoint 3). */
export async function fetchAuthToken({ baseUrl, username, password }: LocalService): Promise<string> {
  const { json } = await call(baseUrl, '/token', { method: 'POST', headers: basic(username, password) });
  return member(json, 'token');
}

/** Returns a client for the local service's own user. */
export async function createClient(service: LocalService): Promise<BuildServiceClient> {
  return benchClient(service.baseUrl, { type: 'authToken', authToken: await fetchAuthToken(service) });
}
