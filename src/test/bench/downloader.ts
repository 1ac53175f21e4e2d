/** `downloader.ts ours|undici URL FILE`: downloads once and prints the seconds it took and the peak memory in MB. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Agent, stream } from 'undici';
import { benchClient } from './client.ts';

const [contender, url = '', file = ''] = process.argv.slice(2);
const writer = () => createWriteStream(file, { highWaterMark: 1024 * 1024 });

const start = performance.now();
if (contender === 'ours') {
  const { body } = await benchClient(new URL(url).origin).download(url);
  await pipeline(body, writer());
} else {
  await stream(url, { dispatcher: new Agent(), method: 'GET' }, writer);
}
const seconds = (performance.now() - start) / 1000;
console.log(JSON.stringify({ seconds, peak: (process.resourceUsage().maxRSS * 1024) / 1e6 }));
process.exit();
