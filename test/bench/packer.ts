/** `packer.ts FOLDER`: packs a folder as the extension does, and prints the milliseconds and the memory it took, in MB above the start. */
import { writePackage } from '../../src/projects/packing/packageFile.ts';
import { plan } from '../support/packing.ts';
import { peakMemory } from './peakMemory.ts';

const [folder = ''] = process.argv.slice(2);
const atStart = process.memoryUsage().rss / 1e6;
const start = performance.now();
const planned = await plan(folder);
const made = await writePackage(planned);
const milliseconds = performance.now() - start;
const memory = peakMemory() - atStart;
await made.dispose();
console.log(JSON.stringify({ milliseconds, memory, size: made.file.size }));
