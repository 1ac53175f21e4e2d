/** `downloader.ts ours|undici URL FILE`: downloads once and prints the seconds it took and the peak memory in MB. */
import { createWriteStream } from 'node:fs';
import { Agent, stream } from 'undici';
import { writeToDisk } from '../../resources/downloads/diskFile.ts';
import { benchClient } from './client.ts';

const [contender, url = '', file = ''] = process.argv.slice(2);
// The peer flushes too: a download that is reported as done has to survive the machine.
const writer = () => createWriteStream(file, { flush: true, highWaterMark: 1024 * 1024 });

const start = performance.now();
if (contender === 'ours') {
  const { body } = await benchClient(new URL(url).origin).download(url);
  await writeToDisk(body, file, { mayReplace: true, confirmReplace: () => Promise.resolve(true) });
} else {
  await stream(url, { dispatcher: new Agent(), method: 'GET' }, writer);
}
const seconds = (performance.now() - start) / 1000;
console.log(JSON.stringify({ seconds, peak: (process.resourceUsage().maxRSS * 1024) / 1e6 }));
process.exit();
