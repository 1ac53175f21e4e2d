import { BuildServiceClient } from '../../api/client.ts';
import { parseServiceUrl } from '../../api/serviceUrl.ts';
import { Transport } from '../../api/transport.ts';

export const benchToken = 'of-the-bench-1234567890';

/** A signed-in client, as the extension makes it. Its transport ends with the process. */
export function benchClient(url: string): BuildServiceClient {
  return new BuildServiceClient({
    service: parseServiceUrl(url),
    credentials: { type: 'accessToken', accessToken: benchToken },
    transport: new Transport(),
  });
}
