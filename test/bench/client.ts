import { BuildServiceClient } from '../../src/api/client.ts';
import { parseServiceUrl } from '../../src/api/serviceUrl.ts';
import { Transport } from '../../src/api/http/transport.ts';

export const benchToken = 'of-the-bench-1234567890';

/** A signed-in client, as the extension makes it. Its transport ends with the process. */
export function benchClient(url: string): BuildServiceClient {
  return new BuildServiceClient({
    service: parseServiceUrl(url),
    credentials: { type: 'accessToken', accessToken: benchToken },
    transport: new Transport(),
  });
}
