import { hello } from './samples/hello.ts';
import type { Sample, SampleTexts } from './samples/sample.ts';
import { shoppingList } from './samples/shoppingList.ts';
import { tally } from './samples/tally.ts';

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
