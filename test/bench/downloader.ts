/** `downloader.ts ours|undici URL FILE`: downloads a file once. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Agent, stream } from 'undici';
import { writeToDisk } from '../../src/extension/resources/downloads/diskFile.ts';
import { benchClient } from './client.ts';

const [contender, url = '', file = ''] = process.argv.slice(2);
if (contender === 'ours') {
  const { body } = await benchClient(new URL(url).origin).download(url);
  await writeToDisk(body, file, () => Promise.resolve(true));
} else {
  // Flushed and closed, like the extension's own download, which must survive a power failure.
  const sink = createWriteStream(file, { flush: true, highWaterMark: 1024 * 1024 });
  const closed = once(sink, 'close');
  await stream(url, { dispatcher: new Agent(), method: 'GET' }, () => sink);
  await closed;
}
process.exit();
