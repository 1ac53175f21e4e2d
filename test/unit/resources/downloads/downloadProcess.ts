/** `downloadProcess.ts URL FILE`: downloads as the extension does, and prints its growth of memory and the file's size, or a code. */
import { stat } from 'node:fs/promises';

import { BuildServiceClient } from '../../../../src/api/client.ts';
import { parseServiceUrl } from '../../../../src/api/serviceUrl.ts';
import { Transport } from '../../../../src/api/http/transport.ts';
import { writeToDisk } from '../../../../src/resources/downloads/diskFile.ts';

const [url = '', file = ''] = process.argv.slice(2);
const transport = new Transport();
const client = new BuildServiceClient({
  service: parseServiceUrl(url),
  credentials: { type: 'accessToken', accessToken: 'sEcret' },
  transport,
});
// Loads everything first, so that only the download counts.
const warm = await client.download('/warm-up');
await warm.body[Symbol.asyncIterator]().return?.();
const before = process.memoryUsage.rss();
let peak = before;
const { body } = await client.download('/file', {
  onProgress: () => (peak = Math.max(peak, process.memoryUsage.rss())),
});
try {
  await writeToDisk(body, file, { mayReplace: true, confirmReplace: () => Promise.resolve(false) });
  console.log(JSON.stringify({ rssGrowth: peak - before, size: (await stat(file)).size }));
} catch (error) {
  console.log(JSON.stringify({ code: (error as NodeJS.ErrnoException).code }));
}
await transport.dispose();
