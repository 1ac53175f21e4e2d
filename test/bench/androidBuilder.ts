/** `androidBuilder.ts DATA SOURCE WORK`: builds an app with the built-in builder, and prints the milliseconds it took and the peak memory, MB. */
import { createBuiltinBuilder } from '../../src/localService/builds/builtin/builtinBuilder.ts';
import { readAppFiles } from '../../src/localService/builds/packages/appFiles.ts';
import { testApp } from '../support/buildJob.ts';
import { peakMemory } from './peakMemory.ts';

const [dataFolder, sourceFolder = '', workFolder = ''] = process.argv.slice(2);
const builder = createBuiltinBuilder(dataFolder);
const start = performance.now();
const source = await readAppFiles(sourceFolder);
const job = { app: testApp, platform: 'android', source, workFolder, icon: undefined, key: undefined } as const;
await builder.build(job, () => undefined, new AbortController().signal);
console.log(JSON.stringify({ milliseconds: performance.now() - start, memory: peakMemory() }));
