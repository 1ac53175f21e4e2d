/** `downloadProcess.ts URL FILE` downloads a file as the extension does, and prints the failure's code. */
import { BuildServiceClient, parseServiceUrl, Transport } from '../../../../../src/service-client/index.ts';
import { writeToDisk } from '../../../../../src/extension/resources/downloads/diskFile.ts';

const [url = '', file = ''] = process.argv.slice(2);
const transport = new Transport();
const client = new BuildServiceClient({
  service: parseServiceUrl(url),
  credentials: { type: 'accessToken', accessToken: 'sEcret' },
  transport,
});
const { body } = await client.download('/file');
const code = await writeToDisk(body, file, () => Promise.resolve(true)).then(
  () => undefined,
  (error: unknown) => (error as NodeJS.ErrnoException).code,
);
console.log(JSON.stringify({ code }));
await transport.dispose();
