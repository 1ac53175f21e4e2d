/** Reads packages of the built-in builder with Android 10's own code. */
import { globSync } from 'node:fs';
import path from 'node:path';

import { testJob } from '../support/buildJob.ts';
import type { Checks, Part } from './part.ts';
import { readOutput } from './shellSource.ts';
import { createBuiltinBuilder } from '../../src/build-service/builds/builtinBuilder.ts';

const TOOLS = [
  { file: 'g++', from: 'g++' },
  { file: '/usr/include/android/androidfw/AssetManager2.h', from: 'android-libandroidfw-dev' },
  { file: '/usr/share/android-framework-res/framework-res.apk', from: 'android-framework-res' },
];
const LIBRARIES = ['androidfw', 'utils', 'base', 'ziparchive', 'cutils', 'log'];

export const assetParts: readonly Part[] = [{ title: 'Packages in Android’s own code', tools: TOOLS, run: read }];

/** A stored file and a compressed one. Their middle bytes differ. */
const FILES = {
  'movie.mp4': `${'a'.repeat(50_000)}b${'c'.repeat(50_000)}`,
  'table.csv': `${'d'.repeat(900)}e${'f'.repeat(900)}`,
};

async function read(checks: Checks, folder: string): Promise<void> {
  const program = path.join(folder, 'assets');
  const [libraries = ''] = globSync('/usr/lib/*/android');
  await readOutput(
    'g++',
    ...['-std=c++17', '-w', '-I/usr/include/android', path.join(import.meta.dirname, 'assets.cpp'), '-o', program],
    ...[`-L${libraries}`, `-Wl,-rpath,${libraries}`, ...LIBRARIES.map((name) => `-l${name}`)],
  );
  const job = await testJob(folder, {}, { 'index.html': '<!doctype html><title>Page</title>', ...FILES });
  const { path: apk } = await createBuiltinBuilder(undefined).build(job, () => undefined, new AbortController().signal);
  const said = await readOutput(program, apk, 'com.example.app', 'www/movie.mp4', 'www/table.csv', 'www//movie.mp4');
  const expected = [
    'zip: 0 wrong, 0 unaligned, end -1',
    ...['24', '26', '29'].flatMap((sdk) =>
      ['day', 'night'].map(
        (time) =>
          `API ${sdk}, ${time}, icon res/icon.${sdk === '24' ? 'png' : 'xml'}, ` +
          `windowNoTitle -1, windowBackground -1, isLightTheme ${time === 'day' ? -1 : 0}`,
      ),
    ),
    'www/movie.mp4: 100001 bytes, b in the middle',
    'www/table.csv: 1801 bytes, e in the middle',
    // Names are exact, so the shell must turn two slashes into one.
    'www//movie.mp4: not read',
  ];
  const lines = said.trim().split('\n');
  for (const [index, line] of expected.entries()) {
    checks.is(lines[index] === line, `“${lines[index] ?? 'nothing'}” instead of “${line}”`);
  }
}
