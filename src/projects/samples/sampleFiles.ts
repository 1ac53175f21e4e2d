import { hello } from './hello.ts';
import type { Sample, SampleTexts } from './sample.ts';
import { shoppingList } from './shoppingList.ts';
import { tally } from './tally.ts';

/** What a sample is to the search for projects. */
export type SampleKind = 'page' | 'pwa' | 'cordova';

const SAMPLES: Readonly<Record<SampleKind, (texts: SampleTexts) => Sample>> = {
  page: tally,
  pwa: shoppingList,
  cordova: hello,
};

/** A small web project that can be built as it is. @param texts are shown by the app */
export function sampleFiles(kind: SampleKind, texts: SampleTexts): Sample {
  return SAMPLES[kind](texts);
}
