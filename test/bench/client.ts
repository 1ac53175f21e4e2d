import { BuildServiceClient } from '../../src/api/client.ts';
import type { Credentials } from '../../src/api/credentials.ts';
import { parseServiceUrl } from '../../src/api/serviceUrl.ts';
import { Transport } from '../../src/api/http/transport.ts';
import type { LocalService } from '../support/localService.ts';
import { basic, call, member } from '../support/serviceRequests.ts';

const FOR_FIXED_ANSWERS: Credentials = { type: 'accessToken', accessToken: 'of-the-bench-1234567890' };

/** A signed-in client, as the extension makes it. Its transport ends with the process. */
export function benchClient(url: string, credentials = FOR_FIXED_ANSWERS): BuildServiceClient {
  return new BuildServiceClient({ service: parseServiceUrl(url), credentials, transport: new Transport() });
}

/** An authentication token of the local service's own user (contract, endpoint 3). */
export async function authTokenOf({ baseUrl, username, password }: LocalService): Promise<string> {
  const { json } = await call(baseUrl, '/token', { method: 'POST', headers: basic(username, password) });
  return member(json, 'token');
}

/** The client of the local service's own user. */
export async function clientOf(service: LocalService): Promise<BuildServiceClient> {
  return benchClient(service.baseUrl, { type: 'authToken', authToken: await authTokenOf(service) });
}
